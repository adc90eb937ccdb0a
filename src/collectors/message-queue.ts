// Messages that have arrived and are not kept yet. They are kept in batches, one after another: whatever arrives while
// one is being kept is the next, so batches grow with the load. What waits is bounded in bytes.

import type { Clock } from '#kernel/clock.ts';

export interface Message {
  readonly bytes: Buffer;
  readonly sender: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** It was too long, and this is its beginning. */
  readonly isCut: boolean;
}

export interface MessageQueueDeps {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Keeps a batch, however often it must try; rejects when it has been given up. */
  write(messages: readonly Message[]): Promise<void>;
  /** Told when there is room again after it was full. */
  onSpace?(): void;
}

/** A message takes more memory than its bytes. */
const OVERHEAD_BYTES = 200;
const BATCH_MESSAGES = 5_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** How long a first message waits for others: each batch is flushed to the disk. */
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

  /** Taken whether there is room or not: whoever can wait looks at `isFull`. */
  add(message: Message): void {
    this.#waiting.push(message);
    this.#bytes += weightOf(message);
    this.#wasFull ||= this.isFull;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything is kept or given up. */
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

export const weightOf = ({ bytes }: Message): number => bytes.length + OVERHEAD_BYTES;
