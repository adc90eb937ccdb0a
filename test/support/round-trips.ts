// A way to a PostgreSQL server on which a client can be seen to wait: answers are held until the client has nothing more to ask, so
// that each wait of the client counts once, however many statements it sends together.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listening } from './listening.ts';

/** In the process of the client: whatever it sends at once has arrived by then. */
const HELD_MS = 5;

export interface CountedWay extends AsyncDisposable {
  /** Of the database, through this way. */
  readonly url: string;
  /** How often answers were waited for so far, over all connections. */
  waits(): number;
  /** That clients have sent so far. */
  bytes(): number;
}

export async function countWaits(database: string): Promise<CountedWay> {
  const { hostname, port } = new URL(database);
  let waits = 0;
  let bytes = 0;
  const clients = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    let held: Buffer[] = [];
    let answering = false;
    near.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      far.write(chunk);
    });
    far.on('data', async (chunk: Buffer) => {
      held.push(chunk);
      if (answering) return;
      answering = true;
      for (let count = 0; count < held.length; ) {
        count = held.length;
        await pause(HELD_MS);
      }
      answering = false;
      waits += 1;
      near.write(Buffer.concat(held));
      held = [];
    });
    clients.add(near);
    near.on('close', () => {
      clients.delete(near);
      far.destroy();
    });
    far.on('close', () => near.destroy());
  });
  const url = new URL(database);
  url.host = new URL(await listening(server)).host;
  return {
    url: url.href,
    waits: () => waits,
    bytes: () => bytes,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}
