// Connections whose TLS handshake is not finished. Their number and time are bounded, so that strangers that connect and say
// nothing hold neither memory nor descriptors.

import type { Socket } from 'node:net';
import { connectionKey } from '#kernel/net/connection-key.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import { AddressLimit } from './address-limit.ts';

/** Beyond it the oldest handshake is closed, or the oldest of an address that has many. */
const MAX_HANDSHAKES = 256;
const MAX_HANDSHAKE_MS = 10_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });

interface Handshake {
  /** The encrypted socket has the same key. */
  readonly key: string;
  readonly socket: Socket;
  /** Epoch milliseconds. */
  readonly begun: number;
}

export class Handshakes {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #open = new AddressLimit<Handshake>(MAX_HANDSHAKES);
  readonly #byKey = new Map<string, Handshake>();
  readonly #sweeping: Disposable;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sweeping = new Periodic({ clock, period: SWEEP_PERIOD, work: () => this.#sweep() });
  }

  get count(): number {
    return this.#open.size;
  }

  begin(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const displaced = this.#open.displacedBy(address);
    if (displaced) this.#close(displaced);
    const handshake = { key: connectionKey(socket), socket, begun: this.#clock.now().epochMilliseconds };
    // The client of a former connection with the same ends has gone, though its socket is not closed yet.
    const former = this.#byKey.get(handshake.key);
    if (former) this.#close(former);
    this.#open.add(handshake, address);
    this.#byKey.set(handshake.key, handshake);
    socket.on('close', () => this.#forget(handshake));
  }

  finish(socket: Socket): void {
    const handshake = this.#byKey.get(connectionKey(socket));
    if (handshake) this.#forget(handshake);
  }

  end(): void {
    this.#sweeping[Symbol.dispose]();
    for (const handshake of [...this.#open]) this.#close(handshake);
  }

  #sweep(): void {
    const before = this.#clock.now().epochMilliseconds - MAX_HANDSHAKE_MS;
    for (const handshake of [...this.#open]) {
      if (handshake.begun > before) return;
      this.#close(handshake);
    }
  }

  #close(handshake: Handshake): void {
    this.#forget(handshake);
    handshake.socket.destroy();
  }

  #forget(handshake: Handshake): void {
    this.#open.delete(handshake);
    if (this.#byKey.get(handshake.key) === handshake) this.#byKey.delete(handshake.key);
  }
}
