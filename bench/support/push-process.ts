// The pushing process. Batches are cut from the file as they are needed and sent over raw sockets: what makes and
// sends them must be quicker than what takes them.

import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { bodyOf, isOk, isWhole } from './http-answer.ts';
import type { Pushed, PushNews, PushOrder } from './push.ts';

const CHUNK_BYTES = 8 * 1024 * 1024;
const TELL_MS = 100;
const LINE_FEED = 10;

process.on('message', async (order: PushOrder) => {
  try {
    say({ pushed: await push(order) });
  } catch (error) {
    say({ error: String(error) });
  }
});

const say = (news: PushNews) => process.send?.(news);

async function push(order: PushOrder): Promise<Pushed> {
  using batches = batchesOf(order);
  const sockets = Array.from({ length: order.clients }, () =>
    connect({ port: order.port, host: '127.0.0.1', noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  let records = 0;
  const latencies: number[] = [];
  const telling = setInterval(() => say({ acknowledged: records }), TELL_MS);
  const begun = performance.now();
  const clients = sockets.map(async (socket) => {
    const send = sender(socket, order);
    for (let batch = batches.next(); batch; batch = batches.next()) {
      const sent = performance.now();
      requireAccepted(await send(batch.bytes), batch.records);
      latencies.push(performance.now() - sent);
      records += batch.records;
    }
  });
  try {
    await Promise.all(clients);
    return { records, milliseconds: performance.now() - begun, latencies: Float64Array.from(latencies) };
  } finally {
    clearInterval(telling);
    for (const socket of sockets) socket.destroy();
  }
}

/** Every record, and nothing but: a batch that was taken in part is no result. */
function requireAccepted(answer: string, records: number): void {
  const expected = `{"accepted":${records},"rejected":[],"rejected_count":0}`;
  if (answer !== expected) throw new Error(`a batch of ${records} records was answered with ${answer.slice(0, 300)}`);
}

interface Batch {
  readonly bytes: Buffer;
  readonly records: number;
}

/** So many lines at a time; the last batch may have fewer. */
function batchesOf({ file, records: most, recordsPerBatch }: PushOrder): { next(): Batch | undefined } & Disposable {
  const input = openSync(file, 'r');
  let held = Buffer.alloc(0);
  let left = most;
  function more(): boolean {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(input, chunk);
    held = Buffer.concat([held, chunk.subarray(0, length)]);
    return length > 0;
  }
  return {
    next() {
      let end = 0;
      let records = 0;
      const wanted = Math.min(recordsPerBatch, left);
      while (records < wanted) {
        const found = held.indexOf(LINE_FEED, end);
        if (found === -1) {
          if (more()) continue;
          break;
        }
        end = found + 1;
        records += 1;
      }
      const bytes = held.subarray(0, end);
      held = held.subarray(end);
      left -= records;
      return records === 0 ? undefined : { bytes, records };
    },
    [Symbol.dispose]: () => closeSync(input),
  };
}

/** Sends one body after the other over a connection, and gives the body of each answer. */
function sender(socket: Socket, { port, path, headers }: PushOrder): (body: Buffer) => Promise<string> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const head = [`POST ${path} HTTP/1.1`, ...lines, 'content-length: '].join('\r\n');
  let received = Buffer.alloc(0);
  let waiting = Promise.withResolvers<string>();
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    try {
      if (!isWhole(received)) return;
    } catch (error) {
      waiting.reject(error);
      return;
    }
    const answer = received;
    received = Buffer.alloc(0);
    if (isOk(answer)) waiting.resolve(bodyOf(answer));
    else waiting.reject(new Error(`unexpected answer: ${answer.toString('latin1', 0, 500)}`));
  });
  socket.on('error', (error) => waiting.reject(error));
  socket.on('close', () => waiting.reject(new Error('the server closed a connection')));
  // Settled by the last answer; what the end of the connection says later concerns nobody.
  waiting.promise.catch(() => undefined);
  return async (body) => {
    waiting = Promise.withResolvers<string>();
    socket.cork();
    socket.write(`${head}${body.length}\r\n\r\n`);
    socket.write(body);
    socket.uncork();
    return await waiting.promise;
  };
}
