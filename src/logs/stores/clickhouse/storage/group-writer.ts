// Batches of one table on their way into inserts: what arrives while an insert is under way, or within a short wait, goes together,
// so that many small pushes do not become as many parts. A batch is of one day, and so is an insert.

import type { Clock } from '#kernel/time/clock.ts';
import { Rounds } from '#runtime/periodic.ts';

/** Records of one day that are acknowledged together. */
export interface DayBatch {
  readonly day: string;
  readonly bytes: number;
}

interface GroupWriterDeps<B extends DayBatch> {
  /** Waits are of real time, also where the service has another clock. */
  readonly clock: Clock;
  /** How long the first batch of a group waits for others. */
  readonly groupFor: Temporal.Duration;
  /** Resolves when all of them are stored, rejects when none is. */
  write(group: readonly B[]): Promise<void>;
}

/** Of the batches of one insert, unless one alone is larger. */
const MAX_GROUP_BYTES = 8 * 2 ** 20;

interface Waiting<B> {
  readonly batch: B;
  readonly stored: PromiseWithResolvers<void>;
}

export class GroupWriter<B extends DayBatch> {
  readonly #deps: GroupWriterDeps<B>;
  #waiting: Waiting<B>[] = [];
  #bytes = 0;
  #full = new AbortController();
  readonly #writes = new Rounds(() => this.#run());

  constructor(deps: GroupWriterDeps<B>) {
    this.#deps = deps;
  }

  /** Resolves when its records are stored. */
  async append(batch: B): Promise<void> {
    const stored = Promise.withResolvers<void>();
    this.#waiting.push({ batch, stored });
    this.#bytes += batch.bytes;
    if (this.#bytes >= MAX_GROUP_BYTES) this.#full.abort();
    void this.#writes.next();
    await stored.promise;
  }

  /** Resolves when no batch waits. */
  async idle(): Promise<void> {
    this.#full.abort();
    await this.#writes.ended();
  }

  async #run(): Promise<void> {
    const { clock, groupFor, write } = this.#deps;
    while (this.#waiting.length > 0) {
      if (groupFor.sign > 0) await clock.sleep(groupFor, this.#full.signal);
      const group = this.#take();
      try {
        await write(group.map(({ batch }) => batch));
        for (const { stored } of group) stored.resolve();
      } catch (error) {
        for (const { stored } of group) stored.reject(error);
      }
    }
  }

  /** The first of the waiting batches, and others of its day in their order. */
  #take(): readonly Waiting<B>[] {
    const group: Waiting<B>[] = [];
    const day = this.#waiting[0]?.batch.day;
    let bytes = 0;
    const isTaken = ({ batch }: Waiting<B>) => {
      if (batch.day !== day || (group.length > 0 && bytes + batch.bytes > MAX_GROUP_BYTES)) return false;
      bytes += batch.bytes;
      return true;
    };
    this.#waiting = this.#waiting.filter((one) => {
      if (!isTaken(one)) return true;
      group.push(one);
      return false;
    });
    this.#bytes -= bytes;
    if (this.#bytes < MAX_GROUP_BYTES) this.#full = new AbortController();
    return group;
  }
}
