// Received messages that are not stored yet. They are stored in batches, one after another: messages that arrive during a
// write form the next batch, so batches grow with the load. The queue is bounded in bytes.

import type { Clock } from '#kernel/time/clock.ts';
import type { Sender } from './sender.ts';

export interface Message {
  readonly bytes: Buffer;
  readonly sender: Sender;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the text is the beginning of a longer one. */
  readonly isCut: boolean;
}

interface MessageQueueDeps {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Stores a batch, with retries; rejects when the batch is dropped. */
  write(messages: readonly Message[]): Promise<void>;
  /** Called when a full queue has space again. */
  onSpace?(): void;
}

/** A message takes more memory than its bytes. */
const OVERHEAD_BYTES = 200;
const BATCH_MESSAGES = 5_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Wait of the first message for others: each batch costs a flush to the disk. */
const LINGER = Temporal.Duration.from({ milliseconds: 20 });

export class MessageQueue {
  readonly #deps: MessageQueueDeps;
  #waiting: Message[] = [];
  #bytes = 0;
  #wasFull = false;
  #writing: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(deps: MessageQueueDeps) {
    this.#deps = deps;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#deps.maxBytes;
  }

  /** Accepts messages beyond the limit; senders that can wait are paused by `isFull`. */
  add(message: Message): void {
    this.#waiting.push(message);
    this.#bytes += weightOf(message);
    this.#wasFull ||= this.isFull;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all messages are stored or dropped. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await this.#deps.clock.sleep(LINGER, this.#closing.signal);
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      await this.#deps.write(batch).catch(() => undefined);
      this.#bytes -= batch.reduce((total, message) => total + weightOf(message), 0);
      if (!this.#wasFull || this.#bytes > this.#deps.maxBytes / 2) continue;
      this.#wasFull = false;
      this.#deps.onSpace?.();
    }
    this.#writing = undefined;
  }

  #nextBatch(): Message[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((message, index) => {
      bytes += message.bytes.length;
      return index >= BATCH_MESSAGES || (index > 0 && bytes > BATCH_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

const weightOf = ({ bytes }: Message): number => bytes.length + OVERHEAD_BYTES;
