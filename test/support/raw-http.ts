// HTTP as bytes on a socket, for what no client library would send.

import type { Socket } from 'node:net';
import { Notifier } from '#runtime/notifier.ts';
import { connectTo } from './tls.ts';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Sends `bytes` on a connection of its own and reads until the service closes it. */
export function sendBytes(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const received: Buffer[] = [];
  const socket = connectTo(url, () => socket.write(bytes));
  socket.on('data', (chunk) => received.push(Buffer.from(chunk)));
  // A connection that is reset after its answer was read is still answered.
  socket.on('error', (error) => (received.length === 0 ? reject(error) : undefined));
  socket.on('close', () => resolve(answerOf(Buffer.concat(received).toString())));
  return promise;
}

/** Sends the beginning of a request and goes away with its answer: the service would wait for the rest. */
export function sendUnfinished(url: string, bytes: string): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let received = '';
  const socket = connectTo(url, () => socket.write(bytes));
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece;
    const { headers, text } = answerOf(received);
    if (text.length < Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)) return;
    resolve(answerOf(Buffer.from(received, 'latin1').toString()));
    socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('no whole answer')));
  return promise;
}

/** Reads the answers of a connection, one at each call; rejects when the connection is closed before. */
export function answersOn(socket: Socket): () => Promise<RawAnswer> {
  let received = '';
  const arrived = new Notifier();
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece;
    arrived.notify();
  });
  socket.on('close', () => arrived.notify());
  return async () => {
    for (;;) {
      const answer = answerOf(received);
      const head = received.length - answer.text.length;
      const length = Number(answer.headers.get('content-length') ?? Number.NaN);
      if (answer.text.length >= length) {
        received = received.slice(head + length);
        return { ...answer, text: answer.text.slice(0, length) };
      }
      if (socket.closed) throw new Error('no whole answer');
      await arrived.wait();
    }
  };
}

/** Sends `bytes` and goes away without waiting for an answer, once the service has had time to read them. */
export function sendAndLeave(url: string, bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connectTo(url, () => {
    socket.write(bytes);
    setTimeout(() => socket.destroy(), 50);
  });
  socket.on('close', () => resolve());
  return promise;
}

function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), text: text.slice(end + 4) };
}
