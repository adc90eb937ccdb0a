// Runs claimed slots: a bounded number at once, never two of one job. Slots of the schedule go first; backfills of a job run
// one after another, oldest first, and use at most half of the slots. It has no timer: the loop ticks it.

import { ApiError } from '#contract/errors.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { serviceStopping, timedOut } from '#queries/query-ends.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { ActiveRun, endOf } from './active-run.ts';
import { claimCaused, NOTHING_CLAIMED } from './claims.ts';
import { takeFitting } from './fitting-nodes.ts';
import type { JobKind, JobRequest } from './job-kind.ts';
import { begin, finish } from './ledger.ts';
import { RunRetention } from './run-retention.ts';
import { RunStartWaiters } from './run-start-waiters.ts';
import type { RunnerDeps, UnsettledRun, WaitingSlot } from './runner-deps.ts';
import { jitterOf } from './settings.ts';
import { type JobKey, keyOf, type OpenSlot, type RunEnd } from './slot.ts';

/** Delay before a failed start or write, or the backfill of a job that is running, is retried. */
const RETRY_MS = 1000;

export class Runner {
  readonly startWaiters = new RunStartWaiters();
  readonly #deps: RunnerDeps;
  readonly #active = new Map<string, ActiveRun>();
  /** By run, in the order of arrival. */
  readonly #waiting = new Map<string, WaitingSlot>();
  /** Jobs with queued slots, and the earliest start of each. */
  readonly #backfills = new Map<string, { readonly job: JobKey; readonly from: number }>();
  readonly #busyJobs = new Set<string>();
  readonly #retention: RunRetention;
  #unsettled: UnsettledRun[] = [];
  #backfilling = 0;
  #isClosed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#retention = new RunRetention(deps.queries);
  }

  get isBusy(): boolean {
    return this.#active.size + this.#waiting.size + this.#backfills.size + this.#unsettled.length > 0;
  }

  /** Slots of active runs. */
  get active(): OpenSlot[] {
    return [...this.#active.values()].map(({ slot }) => slot);
  }

  add(slots: readonly OpenSlot[]): void {
    const { jitter } = this.#deps.settings;
    for (const slot of slots) {
      const spread = slot.origin === 'schedule' && !slot.isBackfill ? jitterOf(slot.guid, jitter) : 0;
      // Without jitter it starts at once, even if the clock was set back behind its slot.
      this.#waiting.set(slot.runGuid, { slot, from: spread === 0 ? 0 : slot.slotTime + spread });
    }
    if (slots.length > 0) this.#wake();
  }

  /** The job has queued slots. */
  backfill(job: JobKey): void {
    const key = keyOf(job);
    // One that waits for its next try goes on waiting.
    this.#backfills.set(key, this.#backfills.get(key) ?? { job, from: 0 });
    this.#wake();
  }

  /** Starts waiting runs, cancels runs beyond the timeout, retries failed writes. */
  tick(): void {
    const now = this.#now;
    if (this.#isClosed) return;
    this.#retrySettle();
    const timeout = this.#deps.settings.runTimeout;
    for (const run of this.#active.values()) {
      if (run.startedAt !== undefined && run.startedAt + timeout.total('milliseconds') <= now) {
        run.cancel(timedOut(timeout));
      }
    }
    for (const { slot, from } of this.#waiting.values()) {
      if (!this.#hasFreeSlot) return;
      if (from > now || this.#busyJobs.has(keyOf(slot))) continue;
      this.#waiting.delete(slot.runGuid);
      void this.#work(slot, () => this.#run(slot));
    }
    for (const [key, { job, from }] of this.#backfills) {
      if (!this.#hasFreeSlot || this.#backfilling >= this.#backfillSlots) return;
      if (from <= now && !this.#busyJobs.has(key)) void this.#work(job, () => this.#backfillNext(job));
    }
  }

  /** Time of the next required tick; undefined for none. */
  nextMoment(): number | undefined {
    const now = this.#now;
    const timeout = this.#deps.settings.runTimeout.total('milliseconds');
    let nearest = this.#unsettled.length > 0 ? now + RETRY_MS : Number.POSITIVE_INFINITY;
    for (const { from } of this.#waiting.values()) if (from > now) nearest = Math.min(nearest, from);
    for (const { from } of this.#backfills.values()) if (from > now) nearest = Math.min(nearest, from);
    for (const { startedAt } of this.#active.values()) {
      // Runs beyond the timeout are being cancelled already.
      if (startedAt !== undefined && startedAt + timeout > now) nearest = Math.min(nearest, startedAt + timeout);
    }
    return Number.isFinite(nearest) ? nearest : undefined;
  }

  has(runGuid: string): boolean {
    return this.#active.has(runGuid) || this.#waiting.has(runGuid);
  }

  find(runGuid: string): ActiveRun | undefined {
    return this.#active.get(runGuid);
  }

  /** Cancels active runs and waits until their ends are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#backfills.clear();
    const runs = [...this.#active.values()];
    for (const run of runs) run.cancel(serviceStopping());
    this.#retrySettle();
    await Promise.all(runs.map(({ settled }) => settled));
    this.startWaiters.close();
  }

  #wake(): void {
    this.tick();
    this.#deps.wake();
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  get #hasFreeSlot(): boolean {
    return !this.#isClosed && this.#busyJobs.size < this.#deps.settings.concurrency;
  }

  get #backfillSlots(): number {
    return Math.max(1, Math.floor(this.#deps.settings.concurrency / 2));
  }

  async #work(job: JobKey, work: () => Promise<void>): Promise<void> {
    this.#busyJobs.add(keyOf(job));
    try {
      await work();
    } catch (error) {
      this.#deps.failed(error);
    } finally {
      this.#busyJobs.delete(keyOf(job));
      this.tick();
    }
  }

  async #backfillNext(job: JobKey): Promise<void> {
    const { store, claimant } = this.#deps;
    const key = keyOf(job);
    this.#backfilling += 1;
    // A later addition to the queue adds the job again.
    this.#backfills.delete(key);
    try {
      const slot = await store.write((db) => takeFitting(db, this.#kindOf(job), job.guid, claimant));
      if (!slot) return;
      this.#backfills.set(key, { job, from: slot === 'busy' ? this.#now + RETRY_MS : 0 });
      if (slot === 'busy') return this.#deps.wake();
      await this.#run(slot);
    } catch (error) {
      this.#backfills.set(key, { job, from: this.#now + RETRY_MS });
      throw error;
    } finally {
      this.#backfilling -= 1;
    }
  }

  async #run(slot: OpenSlot): Promise<void> {
    const run = new ActiveRun(slot);
    this.#active.set(slot.runGuid, run);
    try {
      await this.#perform(run);
    } catch (error) {
      // Before its start a run has no effects: it can be retried.
      this.#postpone(slot);
      this.#forget(run);
      throw error;
    }
  }

  async #perform(run: ActiveRun): Promise<void> {
    const { store, queries } = this.#deps;
    const { slot } = run;
    const kind = this.#kindOf(slot);
    const request = await store.read((db) => kind.request(db, slot.guid));
    if (!request) return this.#drop(run);
    const accepted = await run.accept(queries, request, this.#now).catch((error) => {
      // Retried later.
      if (error instanceof StoreUnreachable) throw error;
      this.#deps.failed(error);
      return { state: 'failed', finishedAt: this.#now, rows: null, error: 'internal error' } satisfies RunEnd;
    });
    // The next start recovers the slot.
    if (this.#isClosed) return this.#forget(run);
    const isRefused = 'state' in accepted;
    const now = this.#now;
    const start = { queryId: isRefused ? null : accepted.id, now, lease: this.#deps.claimant.lease };
    const begun = await store.write((db) => begin(db, kind, slot, start));
    if (begun === 'busy') this.#postpone(slot);
    // A stop on another node has returned it to the queue.
    if (begun === 'gone' && slot.isBackfill) this.backfill(slot);
    if (begun !== 'begun') return begun === 'gone' ? this.#drop(run) : this.#forget(run);
    this.startWaiters.notify(slot.runGuid, isRefused ? undefined : accepted.id);
    run.startedAt = now;
    if (!slot.isBackfill && slot.origin === 'schedule') this.#deps.runStarted(now - slot.slotTime);
    if (isRefused) return await this.#settle({ run, end: accepted, collected: undefined });
    if (this.#isClosed) run.cancel(serviceStopping());
    queries.start(accepted);
    await run.finished(accepted).catch((error) => this.#deps.failed(error));
    const { end, collected } = await this.#result(kind, request, accepted);
    await this.#settle({ run, end, collected });
    this.#retention.add(accepted);
  }

  async #result(kind: JobKind, request: JobRequest, query: LiveQuery) {
    const end = endOf(query);
    if (end.state !== 'succeeded' || !request.isCollected) return { end, collected: undefined };
    try {
      return { end, collected: await kind.collect(query, request) };
    } catch (error) {
      const isTold = error instanceof ApiError;
      if (!isTold) this.#deps.failed(error);
      const failed: RunEnd = { ...end, state: 'failed', error: isTold ? error.message : 'internal error' };
      return { end: failed, collected: undefined };
    }
  }

  /** Retries the slot after a delay. */
  #postpone(slot: OpenSlot): void {
    this.#waiting.set(slot.runGuid, { slot, from: this.#now + RETRY_MS });
    this.#deps.wake();
  }

  async #settle(unsettled: UnsettledRun): Promise<void> {
    const { store, claimant, failures, slots, failed } = this.#deps;
    const { run, end, collected } = unsettled;
    const { slot } = run;
    const kind = this.#kindOf(slot);
    const followUps: (() => void)[] = [];
    const ended = { slot, end, collected, afterCommit: (work: () => void) => void followUps.push(work) };
    try {
      const caused = await store.write(async (db) => {
        followUps.length = 0;
        if (!(await finish(db, slot, end))) return NOTHING_CLAIMED;
        const { name = '' } = (await kind.eligibility(db, [slot.guid])).get(slot.guid) ?? {};
        await failures.ended(db, { ...slot, name }, end);
        followUps.push(() => this.#notify(slot, name, end));
        return await claimCaused(db, kind, await kind.ended(db, ended), claimant);
      });
      for (const work of followUps) work();
      slots(caused.outcomes);
      this.#forget(run);
      this.add(caused.open);
    } catch (error) {
      failed(error);
      if (this.#isClosed) return this.#forget(run);
      this.#unsettled.push(unsettled);
      this.#deps.wake();
    }
  }

  #notify(slot: OpenSlot, name: string, { state, error }: RunEnd): void {
    const { failures, slots, runFailed } = this.#deps;
    const { kind, guid, isBackfill } = slot;
    failures.written();
    slots([{ kind, outcome: isBackfill ? 'backfilled' : 'ran', state }]);
    if (state === 'failed') runFailed({ kind, guid, name, reason: error ?? '' });
  }

  #retrySettle(): void {
    const again = this.#unsettled;
    this.#unsettled = [];
    for (const one of again) void this.#settle(one);
  }

  /** The job was removed, disabled or stopped. */
  #drop(run: ActiveRun): void {
    this.startWaiters.notify(run.slot.runGuid, undefined);
    this.#forget(run);
  }

  #forget(run: ActiveRun): void {
    this.#active.delete(run.slot.runGuid);
    run.settle();
  }

  #kindOf({ kind }: JobKey): JobKind {
    const found = this.#deps.kinds.get(kind);
    if (!found) throw new Error(`no such kind of job: ${kind}`);
    return found;
  }
}
