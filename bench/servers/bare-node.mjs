// The yardstick below the yardstick: node:http with nothing over it, in plain JavaScript.

import { createServer } from 'node:http';

const [port, answer = '{}', headers = '{}'] = process.argv.slice(2);
const object = JSON.parse(answer);
const fields = JSON.parse(headers);

const server = createServer((_request, response) => {
  const body = JSON.stringify(object);
  response.writeHead(200, { ...fields, 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(Number(port), '127.0.0.1');
