// A way to a server that can be cut as a network is: bytes stop in both directions, and neither side is told.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface SilentProxy extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
  /** Passes nothing on any more and ends nothing, also on new connections. Or goes on: what was sent meanwhile arrives. */
  cut(isCut: boolean): void;
}

interface SilentProxyOptions {
  /** Host and port of the server. */
  readonly target: string;
  /** An address of this machine. */
  readonly address?: string;
}

export async function startSilentProxy({ target, address = '127.0.0.1' }: SilentProxyOptions): Promise<SilentProxy> {
  const { hostname, port } = new URL(`http://${target}`);
  const pairs = new Set<Pair>();
  let isCut = false;
  const server = createServer((near) => {
    const pair: Pair = new Pair(near, connect(Number(port), hostname), () => pairs.delete(pair));
    pairs.add(pair);
    pair.cut(isCut);
  });
  server.listen(0, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return {
    host: `${address}:${bound.port}`,
    cut(isNow) {
      isCut = isNow;
      for (const pair of pairs) pair.cut(isNow);
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) pair.end();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One connection, on both of its sides. */
class Pair {
  readonly #sides: readonly Socket[];
  readonly #gone: () => void;
  #isCut = false;
  /** Whether a side has ended, which the other one does not learn before the way is open. */
  #isOver = false;

  constructor(near: Socket, far: Socket, gone: () => void) {
    this.#sides = [near, far];
    this.#gone = gone;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (chunk: Buffer) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('close', () => {
        this.#isOver = true;
        if (!this.#isCut) this.#passEnd(to);
      });
    }
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut;
    for (const socket of this.#sides) isCut ? socket.pause() : socket.resume();
    if (!isCut && this.#isOver) for (const socket of this.#sides) this.#passEnd(socket);
  }

  end(): void {
    for (const socket of this.#sides) socket.destroy();
    this.#gone();
  }

  /** Behind what is on its way. */
  #passEnd(to: Socket): void {
    to.end(() => this.end());
    if (to.destroyed) this.end();
  }
}
