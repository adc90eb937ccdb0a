// Asks at a fixed pace. A late answer never delays the next request: that one takes another connection.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isOk, isWhole } from './http-answer.ts';
import type { Paced, PaceOrder, Target } from './pace.ts';

process.on('message', async (order: PaceOrder) => {
  try {
    process.send?.(await keepPace(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function keepPace({ targets, beatMilliseconds, milliseconds }: PaceOrder): Promise<Paced> {
  const askers = targets.map((target) => new Asker(target));
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
  readonly #target: Target;
  readonly #request: string;
  readonly #idle: Socket[] = [];

  constructor(target: Target) {
    this.#target = target;
    this.#request = `GET ${target.path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n\r\n`;
  }

  async ask(): Promise<void> {
    const socket = this.#idle.pop() ?? (await this.#connected());
    const sent = performance.now();
    socket.write(this.#request);
    await answerOn(socket);
    this.latencies.push(performance.now() - sent);
    this.#idle.push(socket);
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy();
  }

  async #connected(): Promise<Socket> {
    const socket = connect({ port: this.#target.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return socket;
  }
}

async function answerOn(socket: Socket): Promise<void> {
  let received = Buffer.alloc(0);
  while (!isWhole(received)) {
    const [chunk] = await once(socket, 'data');
    received = Buffer.concat([received, chunk]);
  }
  if (!isOk(received)) throw new Error(`unexpected answer: ${received.toString('latin1', 0, 200)}`);
}
