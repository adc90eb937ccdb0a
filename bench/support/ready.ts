// Waits for a server's first 200, asking again every millisecond over a plain socket: a client with more of its own
// to do would take processor time from the start it measures.

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

export async function readyAnswer(port: number, path: string, isAlive: () => boolean): Promise<void> {
  const until = performance.now() + TIMEOUT_MS;
  while (!(await isOk(port, path))) {
    if (!isAlive()) throw new Error(`the server ended before it answered ${path}`);
    if (performance.now() > until) throw new Error(`no 200 from ${path} in ${TIMEOUT_MS} ms`);
    await pause(1);
  }
}

/** One connection, one request; false when either fails. */
function isOk(port: number, path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`));
  socket.on('data', (chunk: Buffer) => {
    resolve(chunk.subarray(9, 12).toString('latin1') === '200');
    socket.destroy();
  });
  socket.on('error', () => resolve(false));
  socket.on('close', () => resolve(false));
  return promise;
}
