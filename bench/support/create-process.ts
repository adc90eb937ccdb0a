// Creates objects over HTTP for as long as it is told, each with a name of its own. Raw sockets: it must be quicker than what it
// measures. Each connection sends its next request when it has its answer.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { CreatedObjects, CreateOrder } from './create.ts';
import { isOk, isWhole } from './http-answer.ts';

process.on('message', async (order: CreateOrder) => {
  try {
    process.send?.(await create(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function create(order: CreateOrder): Promise<CreatedObjects> {
  const { ports, clients, milliseconds } = order;
  const creators = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const port = ports[client % ports.length] ?? 0;
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return { socket, port, name: `${order.name} ${client}` };
    }),
  );
  const begun = performance.now();
  const until = begun + milliseconds;
  const latencies = (await Promise.all(creators.map((creator) => createUntil(creator, order, until)))).flat();
  const taken = performance.now() - begun;
  for (const { socket } of creators) socket.destroy();
  return { milliseconds: taken, latencies: Float64Array.from(latencies) };
}

interface Creator {
  readonly socket: Socket;
  readonly port: number;
  readonly name: string;
}

function createUntil({ socket, port, name }: Creator, order: CreateOrder, until: number): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const latencies: number[] = [];
  let sent = 0;
  let received: Buffer | undefined;
  const send = () => {
    const body = JSON.stringify({ ...order.fields, name: `${name} ${latencies.length}` });
    const head = [
      `POST ${order.path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `authorization: Bearer ${order.key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    sent = performance.now();
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
  socket.on('data', (chunk: Buffer) => {
    received = received ? Buffer.concat([received, chunk]) : chunk;
    if (!isWhole(received)) return;
    if (!isOk(received)) {
      reject(new Error(`unexpected answer: ${received.toString('utf8', 0, 400)}`));
      return;
    }
    received = undefined;
    const now = performance.now();
    latencies.push(now - sent);
    if (now >= until) resolve(latencies);
    else send();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the service closed a connection')));
  send();
  return promise;
}
