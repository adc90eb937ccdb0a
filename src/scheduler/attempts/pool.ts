// How many jobs of one kind run at once, and which of them starts next: due slots of the schedule first; queued slots
// use at most half of that number. A job has one attempt at a time.

import type { JobKey, OpenSlot } from '#scheduler/slots/slot.ts';

interface WaitingSlot {
  readonly slot: OpenSlot;
  /** Earliest start. */
  readonly from: number;
}

interface QueuedJob {
  readonly job: JobKey;
  /** Earliest start. */
  readonly from: number;
}

export class Pool {
  readonly #slots: number;
  /** By attempt, in the order of arrival. */
  readonly #waiting = new Map<string, WaitingSlot>();
  /** Jobs with queued slots, by GUID. */
  readonly #queued = new Map<string, QueuedJob>();
  /** GUIDs of running jobs. */
  readonly #busy = new Set<string>();
  #busyWithQueue = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  get size(): number {
    return this.#waiting.size + this.#queued.size;
  }

  /** Earliest starts of everything that waits. */
  *starts(): Iterable<number> {
    for (const { from } of this.#waiting.values()) yield from;
    for (const { from } of this.#queued.values()) yield from;
  }

  has(attemptGuid: string): boolean {
    return this.#waiting.has(attemptGuid);
  }

  add(slot: OpenSlot, from: number): void {
    this.#waiting.set(slot.attemptGuid, { slot, from });
  }

  /** The job has queued slots. A job that waits for its next try goes on waiting, unless `from` is given. */
  queue(job: JobKey, from?: number): void {
    this.#queued.set(job.guid, { job, from: from ?? this.#queued.get(job.guid)?.from ?? 0 });
  }

  clear(): void {
    this.#waiting.clear();
    this.#queued.clear();
  }

  /** Takes the next slot that may start; undefined for none. */
  takeSlot(now: number): OpenSlot | undefined {
    if (this.#busy.size >= this.#slots) return undefined;
    for (const { slot, from } of this.#waiting.values()) {
      if (from > now || this.#busy.has(slot.guid)) continue;
      this.#waiting.delete(slot.attemptGuid);
      return slot;
    }
    return undefined;
  }

  /** Takes the next job whose queued slots may start; undefined for none. */
  takeJob(now: number): JobKey | undefined {
    if (this.#busy.size >= this.#slots) return undefined;
    if (this.#busyWithQueue >= Math.max(1, Math.floor(this.#slots / 2))) return undefined;
    for (const { job, from } of this.#queued.values()) {
      if (from > now || this.#busy.has(job.guid)) continue;
      this.#queued.delete(job.guid);
      return job;
    }
    return undefined;
  }

  /** Counts the job as running until disposed of. */
  hold({ guid }: JobKey, isQueued: boolean): Disposable {
    const queued = isQueued ? 1 : 0;
    this.#busy.add(guid);
    this.#busyWithQueue += queued;
    return {
      [Symbol.dispose]: () => {
        this.#busy.delete(guid);
        this.#busyWithQueue -= queued;
      },
    };
  }
}
