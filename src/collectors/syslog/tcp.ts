// Syslog over TCP (RFC 6587). Senders wait when the queue is full: their sockets are paused. Connections stay open for as
// long as their senders like; when there are too many, the one that was silent longest makes room.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import type { TcpConfigs } from '#collectors/configs.ts';
import { MessageQueue } from '#collectors/message-queue.ts';
import { MessageWriter } from '#collectors/message-writer.ts';
import { Framer } from './framer.ts';
import { listenErrorOf } from './listen-errors.ts';
import { senderOf } from './sender.ts';

/** Senders that have vanished without a word are found out by the system. */
const KEEP_ALIVE_MS = 60_000;
/** How often is looked whether senders that were told the end still send. */
const DRAIN_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
/** Periods without a byte after which a sender that was told has nothing more on its way: it may get little of a busy machine. */
const MAX_SILENT_PERIODS = 20;
/** Enough where no sender has sent anything for a while before. */
const MAX_IDLE_PERIODS = 2;
const IDLE_AFTER_MS = 10_000;
/** Senders that go on sending, whatever they are told, hold up a stop for 30 seconds. */
const MAX_DRAIN_PERIODS = 300;

export async function openTcp(configs: TcpConfigs, deps: CollectorDeps): Promise<Collector> {
  const giveUp = new AbortController();
  const writer = new MessageWriter(deps, giveUp.signal);
  const connections = new Connections(configs, deps, writer);
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) =>
    connections.add(socket),
  );
  await listen(server, configs);
  const { promise: broken, reject } = Promise.withResolvers<never>();
  server.on('error', (error) => reject(error));
  return {
    broken,
    async drain() {
      const closed = once(server, 'close');
      server.close();
      await connections.end();
      await closed;
    },
    async close(hurry) {
      hurry.addEventListener('abort', () => giveUp.abort());
      if (hurry.aborted) giveUp.abort();
      await connections.queue.close();
    },
  };
}

async function listen(server: Server, { port, bind }: TcpConfigs): Promise<void> {
  try {
    server.listen({ port, host: bind, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenErrorOf(error, { port, bind });
  }
}

class Connections {
  readonly queue: MessageQueue;
  readonly #configs: TcpConfigs;
  readonly #deps: CollectorDeps;
  /** The one that was silent longest first. */
  readonly #open = new Map<Socket, Framer>();
  /** Of all messages that are not complete. */
  #heldBytes = 0;
  /** Nothing has arrived since this was set. */
  #isSilent = false;
  /** When the last bytes have arrived; asked once for all messages in them. */
  #now = 0;
  #isEnding = false;
  readonly #allClosed = new AbortController();

  constructor(configs: TcpConfigs, deps: CollectorDeps, writer: MessageWriter) {
    this.#configs = configs;
    this.#deps = deps;
    this.queue = new MessageQueue({
      clock: deps.clock,
      maxBytes: deps.limits.queueBytes,
      write: (messages) => writer.write(messages),
      onSpace: () => {
        for (const socket of this.#open.keys()) socket.resume();
      },
    });
  }

  add(socket: Socket): void {
    const [oldest] = this.#open.size >= this.#deps.limits.connections ? this.#open.keys() : [];
    oldest?.destroy();
    if (oldest) this.#closed(oldest);
    this.#open.set(socket, this.#framerFor(senderOf(socket.remoteAddress ?? '')));
    // Nobody has set an encoding, so what comes is bytes.
    socket.on('data', (chunk) => this.#receive(socket, chunk as Buffer));
    socket.on('close', () => this.#closed(socket));
    // A connection that breaks off is closed next, and what it sent is kept.
    socket.on('error', () => undefined);
    if (this.queue.isFull) socket.pause();
  }

  /** Resolves when all are closed. What a sender has sent before it learns of it is still read: it believes that to have arrived. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const idleMs = this.#deps.clock.now().epochMilliseconds - this.#now;
    const maxSilent = idleMs > IDLE_AFTER_MS ? MAX_IDLE_PERIODS : MAX_SILENT_PERIODS;
    for (const socket of this.#open.keys()) socket.end();
    let silent = 0;
    for (let periods = 0; this.#open.size > 0 && silent < maxSilent && periods < MAX_DRAIN_PERIODS; periods += 1) {
      this.#isSilent = true;
      await this.#deps.clock.sleep(DRAIN_PERIOD, this.#allClosed.signal);
      // Senders that are paused cannot be heard.
      silent = this.#isSilent && !this.queue.isFull ? silent + 1 : 0;
    }
    for (const socket of [...this.#open.keys()]) {
      socket.destroy();
      this.#closed(socket);
    }
  }

  #receive(socket: Socket, chunk: Buffer): void {
    const framer = this.#open.get(socket);
    if (!framer) return;
    this.#open.delete(socket);
    this.#open.set(socket, framer);
    this.#isSilent = false;
    this.#now = this.#deps.clock.now().epochMilliseconds;
    if (!framer.push(chunk)) {
      socket.destroy();
      this.#closed(socket);
    }
    if (this.queue.isFull) for (const one of this.#open.keys()) one.pause();
  }

  #closed(socket: Socket): void {
    this.#open.get(socket)?.end();
    this.#open.delete(socket);
    if (this.#isEnding && this.#open.size === 0) this.#allClosed.abort();
  }

  #framerFor(sender: string): Framer {
    const { limits } = this.#deps;
    return new Framer(this.#configs.framing, limits.lineBytes, {
      message: (bytes, isCut) => this.queue.add({ bytes, isCut, sender, at: this.#now }),
      hold: (bytes) => {
        if (this.#heldBytes + bytes > limits.queueBytes) return false;
        this.#heldBytes += bytes;
        return true;
      },
      release: (bytes) => {
        this.#heldBytes -= bytes;
      },
    });
  }
}
