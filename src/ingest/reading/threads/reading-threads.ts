// Threads that read lines which would hold the main thread: long ones, and those that take more steps there than it grants.

import { asParsed } from '#ingest/decode/line.ts';
import { type Reason, recordSliced } from '#ingest/decode/record.ts';
import type { Log } from '#ingest/intake.ts';
import type { ReadTask } from '#ingest/reading/reader.ts';
import { MAX_DECODING_THREADS, THREAD_HEAP_MEGABYTES } from '#ingest/threads/thread-limits.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { Serial } from '#runtime/serial.ts';
import { WorkerEnded, WorkerPool, WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { ModelParts, ReadingAnswer, ReadingContent, ReadLog } from './reading-message.ts';

/** Entries of a group that are sent at once. */
const ENTRIES_PER_MESSAGE = 10_000;
/** Models that a thread keeps: before a further one it forgets them all. */
const MAX_MODELS = 500;

export interface ThreadReading {
  /** Equal models have equal keys. */
  readonly key: string;
  readonly parts: ModelParts;
  /** The groups that the model refers to and that exist. */
  readonly groups: ReadonlyMap<string, AddressGroup>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly task: ReadTask;
}

export class ReadingThreads {
  readonly #threads = new WorkerPool({ start: () => new ReadingThread(), max: MAX_DECODING_THREADS });
  #isClosed = false;

  /** A line that a thread cannot read, because it runs out of memory, gives `parse-failed`. */
  async read(reading: ThreadReading): Promise<Log | Reason> {
    const outcome = (await this.#attempt(reading)) ?? (await this.#attempt(reading)) ?? 'parse-failed';
    return typeof outcome === 'string' ? outcome : await withShape(outcome, reading.parts.zone);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#threads.close();
  }

  /** Undefined if the thread has ended, which may be due to another line that it has read. */
  async #attempt(reading: ThreadReading): Promise<ReadLog | Reason | undefined> {
    try {
      return await this.#threads.next().read(reading);
    } catch (error) {
      if (this.#isClosed || !(error instanceof WorkerEnded)) throw error;
      return undefined;
    }
  }
}

class ReadingThread extends WorkerThread<ReadingContent, ReadingAnswer> {
  readonly #serials = new Map<string, number>();
  readonly #groups = new Map<string, AddressGroup>();
  /** Messages of one reading do not mix with those of another. */
  readonly #sending = new Serial();

  constructor() {
    super({ file: workerFile('./reading-worker.ts', import.meta.url), heapMegabytes: THREAD_HEAP_MEGABYTES });
  }

  async read(reading: ThreadReading): Promise<ReadLog | Reason> {
    const { answered } = await this.#sending.run(() => this.#send(reading));
    const { outcome } = await answered;
    if (outcome === undefined) throw new Error('a line without an outcome');
    return outcome;
  }

  /** The answer is awaited by the caller, while further lines are sent. */
  async #send({ key, parts, groups, now, task }: ThreadReading): Promise<{ answered: Promise<ReadingAnswer> }> {
    const serial = await this.#serialOf(key, parts);
    for (const [guid, group] of groups) await this.#sendGroup(guid, group);
    const answered = this.#perform({ kind: 'read', reading: { serial, groups: [...groups.keys()], now, task } });
    return { answered };
  }

  async #serialOf(key: string, model: ModelParts): Promise<number> {
    const known = this.#serials.get(key);
    if (known !== undefined) return known;
    if (this.#serials.size >= MAX_MODELS) await this.#clear();
    const serial = this.#serials.size + 1;
    await this.#perform({ kind: 'model', serial, model });
    this.#serials.set(key, serial);
    return serial;
  }

  async #clear(): Promise<void> {
    this.#serials.clear();
    this.#groups.clear();
    await this.#perform({ kind: 'clear' });
  }

  /** A group is replaced as a whole when it changes. */
  async #sendGroup(guid: string, group: AddressGroup): Promise<void> {
    if (this.#groups.get(guid) === group) return;
    const { entries } = group;
    // An empty group exists, too.
    for (let at = 0; at === 0 || at < entries.length; at += ENTRIES_PER_MESSAGE) {
      const some = entries.slice(at, at + ENTRIES_PER_MESSAGE);
      await this.#perform({ kind: 'group', guid, entries: some, isFirst: at === 0 });
      await eventLoop.nextSlot();
    }
    this.#groups.set(guid, group);
  }

  async #perform(content: ReadingContent): Promise<ReadingAnswer> {
    const answer = await this.ask(content);
    if (answer.failure) throw answer.failure;
    return answer;
  }
}

/** The thread leaves out the shape of a log with very many fields: to receive it takes longer than finding it in slices. */
async function withShape(log: ReadLog, zone: string): Promise<Log | Reason> {
  const { shape } = log;
  if (shape) return { ...log, shape };
  const found = asParsed(await eventLoop.runInSlots(recordSliced(log.text, { at: log.time, zone })));
  return typeof found === 'string' ? found : { ...log, shape: found.shape };
}
