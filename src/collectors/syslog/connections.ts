// The connections of senders of one logger. A full queue pauses their sockets. Connections have no idle timeout; beyond the
// maximum the connection that was idle longest is closed, or that of the same address if it has a tenth of all.

import type { Socket } from 'node:net';
import type { CollectorDeps } from '#collectors/collector.ts';
import { MessageQueue } from '#collectors/messages/message-queue.ts';
import type { MessageWriter } from '#collectors/messages/message-writer.ts';
import type { Sender } from '#collectors/messages/sender.ts';
import { Budget, type Reservation } from '#runtime/budget.ts';
import { AddressLimit } from './address-limit.ts';
import { Framer, type Framing } from './framer.ts';

/** Period of the checks for traffic during a drain. */
const DRAIN_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
/** Silent periods after which a drain ends; generous, because a sender on a busy machine may be slow. */
const MAX_SILENT_PERIODS = 20;
/** Silent periods where no sender has sent anything for IDLE_AFTER_MS before. */
const MAX_IDLE_PERIODS = 2;
const IDLE_AFTER_MS = 10_000;
/** Senders that ignore the end of the connection delay a stop by at most 30 seconds. */
const MAX_DRAIN_PERIODS = 300;

export class Connections {
  readonly queue: MessageQueue;
  readonly #framing: Framing | undefined;
  readonly #deps: CollectorDeps;
  /** Longest idle first. */
  readonly #open: AddressLimit<Socket>;
  readonly #framers = new Map<Socket, Framer>();
  /** Bytes of all incomplete messages. */
  readonly #incomplete: Reservation;
  /** Whether nothing arrived since it was set. */
  #isSilent = false;
  /** Arrival time of the last chunk, for all its messages. */
  #now = 0;
  #isEnding = false;
  readonly #allClosed = new AbortController();

  constructor(framing: Framing | undefined, deps: CollectorDeps, writer: MessageWriter) {
    this.#framing = framing;
    this.#deps = deps;
    this.#incomplete = new Budget({ total: deps.limits.queueBytes }).open();
    this.#open = new AddressLimit(deps.limits.connections);
    this.queue = new MessageQueue({
      clock: deps.clock,
      maxBytes: deps.limits.queueBytes,
      write: (messages) => writer.write(messages),
      onSpace: () => {
        for (const socket of this.#open) socket.resume();
      },
    });
  }

  add(socket: Socket, sender: Sender): void {
    const displaced = this.#open.displacedBy(sender.ip);
    displaced?.destroy();
    if (displaced) this.#closed(displaced);
    this.#open.add(socket, sender.ip);
    this.#framers.set(socket, this.#framerFor(sender));
    // Without an encoding, chunks are buffers.
    socket.on('data', (chunk) => this.#receive(socket, sender, chunk as Buffer));
    socket.on('close', () => this.#closed(socket));
    // An error is followed by `close`, which stores the received messages.
    socket.on('error', () => undefined);
    if (this.queue.isFull) socket.pause();
  }

  /** Resolves when all are closed. Bytes sent before a sender learns of the end are still read, because it counts them as delivered. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const idleMs = this.#deps.clock.now().epochMilliseconds - this.#now;
    const maxSilent = idleMs > IDLE_AFTER_MS ? MAX_IDLE_PERIODS : MAX_SILENT_PERIODS;
    for (const socket of this.#open) socket.end();
    let silent = 0;
    for (let periods = 0; this.#open.size > 0 && silent < maxSilent && periods < MAX_DRAIN_PERIODS; periods += 1) {
      this.#isSilent = true;
      await this.#deps.clock.sleep(DRAIN_PERIOD, this.#allClosed.signal);
      // Paused senders cannot send.
      silent = this.#isSilent && !this.queue.isFull ? silent + 1 : 0;
    }
    for (const socket of [...this.#open]) {
      socket.destroy();
      this.#closed(socket);
    }
  }

  #receive(socket: Socket, { ip }: Sender, chunk: Buffer): void {
    const framer = this.#framers.get(socket);
    if (!framer) return;
    this.#open.add(socket, ip);
    this.#isSilent = false;
    this.#now = this.#deps.clock.now().epochMilliseconds;
    if (!framer.push(chunk)) {
      socket.destroy();
      this.#closed(socket);
    }
    if (this.queue.isFull) for (const one of this.#open) one.pause();
  }

  #closed(socket: Socket): void {
    this.#framers.get(socket)?.end();
    this.#framers.delete(socket);
    this.#open.delete(socket);
    if (this.#isEnding && this.#open.size === 0) this.#allClosed.abort();
  }

  #framerFor(sender: Sender): Framer {
    const { limits } = this.#deps;
    return new Framer(this.#framing, limits.lineBytes, {
      message: (bytes, isCut) => this.queue.add({ bytes, isCut, sender, at: this.#now }),
      hold: (bytes) => this.#incomplete.take(bytes) === undefined,
      release: (bytes) => this.#incomplete.release(bytes),
    });
  }
}
