// Connections whose TLS handshake is not finished. Their number and time are bounded, so that strangers that connect and say
// nothing hold neither memory nor descriptors.

import type { Socket } from 'node:net';
import type { Clock } from '#kernel/clock.ts';

/** Beyond it the oldest handshake is closed. */
const MAX_HANDSHAKES = 256;
const MAX_HANDSHAKE_MS = 10_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });

interface Handshake {
  readonly socket: Socket;
  /** Epoch milliseconds. */
  readonly begun: number;
}

/** Both ends of a connection, which the raw and the encrypted socket have in common. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

export class Handshakes {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #open = new Map<string, Handshake>();
  readonly #sweeping: Disposable;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sweeping = clock.every(SWEEP_PERIOD, () => this.#sweep());
  }

  get count(): number {
    return this.#open.size;
  }

  begin(socket: Socket): void {
    const key = keyOf(socket);
    const [oldest] = this.#open.size >= MAX_HANDSHAKES ? this.#open.values() : [];
    if (oldest) this.#close(oldest);
    const handshake = { socket, begun: this.#clock.now().epochMilliseconds };
    this.#open.set(key, handshake);
    socket.on('close', () => {
      if (this.#open.get(key) === handshake) this.#open.delete(key);
    });
  }

  finish(socket: Peer): void {
    this.#open.delete(keyOf(socket));
  }

  end(): void {
    this.#sweeping[Symbol.dispose]();
    for (const handshake of [...this.#open.values()]) this.#close(handshake);
  }

  #sweep(): void {
    const before = this.#clock.now().epochMilliseconds - MAX_HANDSHAKE_MS;
    for (const handshake of [...this.#open.values()]) {
      if (handshake.begun > before) return;
      this.#close(handshake);
    }
  }

  #close({ socket }: Handshake): void {
    this.#open.delete(keyOf(socket));
    socket.destroy();
  }
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;
