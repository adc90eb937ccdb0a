// The load generator's process. Each connection sends its next request when it has its answer (no pipelining). Raw
// sockets and a request made once: the generator must be quicker than what it measures.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isOk, isWhole } from './http-answer.ts';
import type { Delivered, Order } from './load.ts';

const MAX_SAMPLES = 4_000_000;

process.on('message', async (order: Order) => {
  try {
    process.send?.(await deliver(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function deliver(order: Order): Promise<Delivered> {
  const sockets = Array.from({ length: order.connections }, () =>
    connect({ port: order.port, host: '127.0.0.1', noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const request = Buffer.from(requestText(order));
  const samples = { latencies: new Float64Array(MAX_SAMPLES), count: 0 };
  const begun = performance.now();
  const until = begun + order.milliseconds;
  await Promise.all(sockets.map((socket) => askUntil(socket, { request, until, samples })));
  const milliseconds = performance.now() - begun;
  for (const socket of sockets) socket.destroy();
  return { requests: samples.count, milliseconds, latencies: samples.latencies.slice(0, samples.count) };
}

function requestText({ path, headers, port }: Order): string {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

interface Asking {
  readonly request: Buffer;
  readonly until: number;
  readonly samples: { readonly latencies: Float64Array; count: number };
}

function askUntil(socket: Socket, { request, until, samples }: Asking): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sent = performance.now();
  let received: Buffer | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received ? Buffer.concat([received, chunk]) : chunk;
    if (!isWhole(received)) return;
    if (!isOk(received)) {
      reject(new Error(`unexpected answer: ${received.subarray(0, 200).toString('latin1')}`));
      return;
    }
    received = undefined;
    const now = performance.now();
    samples.latencies[samples.count] = now - sent;
    samples.count += 1;
    if (now >= until) {
      resolve();
      return;
    }
    sent = now;
    socket.write(request);
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server closed a connection')));
  socket.write(request);
  return promise;
}
