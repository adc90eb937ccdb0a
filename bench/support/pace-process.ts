// Asks at a fixed pace, over connections that are open before: a server takes no more than one new connection in a turn of
// its event loop, so that new ones would wait for each other and not for the loop alone. Where all are waiting for their
// answers the next beat waits for a connection, and that counts.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isOk, isWhole } from './http-answer.ts';
import type { Paced, PaceOrder, Target } from './pace.ts';

const CONNECTIONS = 64;

process.on('message', async (order: PaceOrder) => {
  try {
    process.send?.(await keepPace(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function keepPace({ targets, beatMilliseconds, milliseconds }: PaceOrder): Promise<Paced> {
  const askers = await Promise.all(targets.map(Asker.open));
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  for (let beat = 0; beat * beatMilliseconds < milliseconds; beat += 1) {
    await pause(Math.max(0, begun + beat * beatMilliseconds - performance.now()));
    asked.push(...askers.map((asker) => asker.ask()));
  }
  await Promise.all(asked);
  for (const asker of askers) asker.close();
  return { latencies: askers.map(({ latencies }) => Float64Array.from(latencies)) };
}

class Asker {
  readonly latencies: number[] = [];
  readonly #request: string;
  readonly #idle: Socket[] = [];
  readonly #waiting: ((socket: Socket) => void)[] = [];

  private constructor({ port, path }: Target) {
    this.#request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  }

  /** Every connection has had an answer. */
  static async open(target: Target): Promise<Asker> {
    const asker = new Asker(target);
    const sockets = Array.from({ length: CONNECTIONS }, () =>
      connect({ port: target.port, host: '127.0.0.1', noDelay: true }),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await Promise.all(sockets.map((socket) => asker.#askOn(socket)));
    return asker;
  }

  async ask(): Promise<void> {
    const begun = performance.now();
    // In turn: a server closes what was not used for a while.
    await this.#askOn(this.#idle.shift() ?? (await this.#free()));
    this.latencies.push(performance.now() - begun);
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy();
  }

  #free(): Promise<Socket> {
    const { promise, resolve } = Promise.withResolvers<Socket>();
    this.#waiting.push(resolve);
    return promise;
  }

  async #askOn(socket: Socket): Promise<void> {
    socket.write(this.#request);
    await answerOn(socket);
    const next = this.#waiting.shift();
    if (next) next(socket);
    else this.#idle.push(socket);
  }
}

async function answerOn(socket: Socket): Promise<void> {
  let received = Buffer.alloc(0);
  while (!isWhole(received)) {
    received = Buffer.concat([received, await nextChunk(socket)]);
  }
  if (!isOk(received)) throw new Error(`unexpected answer: ${received.toString('latin1', 0, 200)}`);
}

function nextChunk(socket: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const closed = () => reject(new Error('the connection was closed'));
  socket.once('data', (chunk: Buffer) => {
    socket.off('close', closed);
    resolve(chunk);
  });
  socket.once('close', closed);
  return promise;
}
