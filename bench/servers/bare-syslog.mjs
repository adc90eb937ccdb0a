// The yardstick of syslog: takes messages over UDP and lines over TCP and does nothing but count them.

import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

const [port, syslogPort] = process.argv.slice(2).map(Number);
const counts = { udp: 0, tcp: 0 };

const socket = createSocket({ type: 'udp4', recvBufferSize: 8 * 1024 * 1024 });
socket.on('message', () => {
  counts.udp += 1;
});
socket.bind(syslogPort, '127.0.0.1');

createServer((connection) => {
  connection.on('data', (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) counts.tcp += 1;
  });
}).listen(syslogPort, '127.0.0.1');

createHttpServer((_request, response) => response.end(JSON.stringify(counts))).listen(port, '127.0.0.1');
