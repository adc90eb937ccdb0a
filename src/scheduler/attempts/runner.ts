// Runs claimed slots: a bounded number of each kind at once, never two of one job. Queued slots of a job run one after another. It
// has no timer: the loop ticks it.

import { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { serviceStopping, timedOut } from '#queries/status/query-ends.ts';
import type { JobFailures, JobKind, JobRequest } from '#scheduler/job-kind.ts';
import { takeFitting } from '#scheduler/nodes/fitting-nodes.ts';
import { jitterOf, type SchedulerSettings } from '#scheduler/settings.ts';
import { type Claimant, claimCaused, NOTHING_CLAIMED } from '#scheduler/slots/claims.ts';
import { finish } from '#scheduler/slots/ledger.ts';
import { beginCovering, coveredBy, failOld, returnToLine } from '#scheduler/slots/line.ts';
import type { AttemptEnd, CountedSlot, FailedAttempt, JobKey, OpenSlot } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { ActiveAttempt, endOf } from './active-attempt.ts';
import { AttemptRetention } from './attempt-retention.ts';
import { AttemptStartWaiters } from './attempt-start-waiters.ts';
import { Pool } from './pool.ts';

export interface RunnerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly settings: SchedulerSettings;
  readonly failures: JobFailures;
  /** Called for recorded slots. */
  slots(slots: readonly CountedSlot[]): void;
  /** Called for a failed attempt. */
  attemptFailed(attempt: FailedAttempt): void;
  /** Called with the delay of a scheduled attempt after its due time. */
  attemptStarted(milliseconds: number): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
  /** Starts a pass of the loop. */
  wake(): void;
}

/** An attempt whose end is not recorded yet. */
export interface UnsettledAttempt {
  readonly attempt: ActiveAttempt;
  readonly end: AttemptEnd;
  readonly collected: unknown;
}

/** Delay before a failed start or write, or the backfill of a job that is running, is retried. */
const RETRY_MS = 1000;

export class Runner {
  readonly startWaiters = new AttemptStartWaiters();
  readonly #deps: RunnerDeps;
  readonly #active = new Map<string, ActiveAttempt>();
  /** By kind of job. */
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #retention: AttemptRetention;
  #unsettled: UnsettledAttempt[] = [];
  #isClosed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    const { concurrency } = deps.settings;
    this.#pools = new Map([...deps.kinds.keys()].map((kind) => [kind, new Pool(concurrency.get(kind) ?? 1)]));
    this.#retention = new AttemptRetention(deps.queries);
  }

  get isBusy(): boolean {
    return this.#active.size + this.#unsettled.length > 0 || this.#pools.values().some(({ size }) => size > 0);
  }

  /** Slots of active attempts. */
  get active(): OpenSlot[] {
    return [...this.#active.values()].map(({ slot }) => slot);
  }

  add(slots: readonly OpenSlot[]): void {
    const { jitter } = this.#deps.settings;
    for (const slot of slots) {
      const spread = slot.origin === 'schedule' && !slot.isBackfill ? jitterOf(slot.guid, jitter) : 0;
      // Without jitter it starts at once, even if the clock was set back behind its slot.
      this.#poolOf(slot).add(slot, spread === 0 ? 0 : slot.slotTime + spread);
    }
    if (slots.length > 0) this.#wake();
  }

  /** The job has queued slots. */
  backfill(job: JobKey): void {
    this.#poolOf(job).queue(job);
    this.#wake();
  }

  /** Starts waiting attempts, cancels attempts beyond the timeout, retries failed writes. */
  tick(): void {
    const now = this.#now;
    if (this.#isClosed) return;
    this.#retrySettle();
    const timeout = this.#deps.settings.runTimeout;
    for (const attempt of this.#active.values()) {
      if (attempt.startedAt !== undefined && attempt.startedAt + timeout.total('milliseconds') <= now) {
        attempt.cancel(timedOut(timeout));
      }
    }
    for (const pool of this.#pools.values()) {
      for (let slot = pool.takeSlot(now); slot; slot = pool.takeSlot(now)) this.#startAttempt(slot);
      for (let job = pool.takeJob(now); job; job = pool.takeJob(now)) this.#startQueued(job);
    }
  }

  /** Time of the next required tick; undefined for none. */
  nextMoment(): number | undefined {
    const now = this.#now;
    const timeout = this.#deps.settings.runTimeout.total('milliseconds');
    let nearest = this.#unsettled.length > 0 ? now + RETRY_MS : Number.POSITIVE_INFINITY;
    for (const pool of this.#pools.values()) {
      for (const from of pool.starts()) if (from > now) nearest = Math.min(nearest, from);
    }
    for (const { startedAt } of this.#active.values()) {
      // Attempts beyond the timeout are being cancelled already.
      if (startedAt !== undefined && startedAt + timeout > now) nearest = Math.min(nearest, startedAt + timeout);
    }
    return Number.isFinite(nearest) ? nearest : undefined;
  }

  has(attemptGuid: string): boolean {
    return this.#active.has(attemptGuid) || this.#pools.values().some((pool) => pool.has(attemptGuid));
  }

  find(attemptGuid: string): ActiveAttempt | undefined {
    return this.#active.get(attemptGuid);
  }

  /** Cancels active attempts and waits until their ends are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) pool.clear();
    const attempts = [...this.#active.values()];
    for (const attempt of attempts) attempt.cancel(serviceStopping());
    this.#retrySettle();
    await Promise.all(attempts.map(({ settled }) => settled));
    this.startWaiters.close();
  }

  #wake(): void {
    this.tick();
    this.#deps.wake();
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #startAttempt(slot: OpenSlot): void {
    void this.#work(this.#poolOf(slot).hold(slot, false), () => this.#run(slot));
  }

  #startQueued(job: JobKey): void {
    void this.#work(this.#poolOf(job).hold(job, true), () => this.#runQueued(job));
  }

  async #work(slot: Disposable, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.failed(error);
    } finally {
      slot[Symbol.dispose]();
      this.tick();
    }
  }

  async #runQueued(job: JobKey): Promise<void> {
    const pool = this.#poolOf(job);
    const kind = this.#kindOf(job);
    try {
      if (kind.isContinuous) await this.#failOld(job);
      const slot = await this.#deps.store.write((db) => takeFitting(db, kind, job.guid, this.#deps.claimant));
      if (!slot) return;
      pool.queue(job, slot === 'busy' ? this.#now + RETRY_MS : 0);
      if (slot === 'busy') return this.#deps.wake();
      await this.#run(slot);
    } catch (error) {
      pool.queue(job, this.#now + RETRY_MS);
      throw error;
    }
  }

  /** Windows of a continuous job that no attempt may cover any more are a failure of the job. */
  async #failOld(job: JobKey): Promise<void> {
    const { store, failures, attemptFailed } = this.#deps;
    const now = this.#now;
    const { name, end } = await store.write(async (db) => {
      const name = await this.#nameOf(db, job);
      return { name, end: await failOld(db, { ...job, name }, { now, failures }) };
    });
    if (!end) return;
    failures.written();
    attemptFailed({ ...job, name, reason: end.error ?? '' });
  }

  async #run(slot: OpenSlot): Promise<void> {
    const attempt = new ActiveAttempt(slot);
    this.#active.set(slot.attemptGuid, attempt);
    try {
      await this.#perform(attempt);
    } catch (error) {
      // Before its start an attempt has no effects: it can be retried.
      this.#postpone(slot);
      this.#forget(attempt);
      throw error;
    }
  }

  async #perform(attempt: ActiveAttempt): Promise<void> {
    const { store, queries } = this.#deps;
    const { slot } = attempt;
    const kind = this.#kindOf(slot);
    const request = await store.read((db) => kind.request(db, slot.guid));
    if (!request) return this.#drop(attempt);
    const accepted = await attempt.accept(queries, request, this.#now).catch((error) => {
      // Retried later.
      if (error instanceof StoreUnreachable) throw error;
      this.#deps.failed(error);
      return { state: 'failed', finishedAt: this.#now, rows: null, error: 'internal error' } satisfies AttemptEnd;
    });
    // The next start recovers the slot.
    if (this.#isClosed) return this.#forget(attempt);
    const isRefused = 'state' in accepted;
    const now = this.#now;
    const { lease } = this.#deps.claimant;
    const start = { queryId: isRefused ? null : accepted.id, now, lease, window: attempt.windowOf(request) };
    const begun = await store.write((db) => beginCovering(db, kind, slot, start));
    if (begun === 'busy') this.#postpone(slot);
    // A stop on another node has returned it to the queue.
    if (begun === 'gone' && (slot.isBackfill || slot.isInLine)) this.backfill(slot);
    if (begun !== 'begun') return begun === 'gone' ? this.#drop(attempt) : this.#forget(attempt);
    this.startWaiters.notify(slot.attemptGuid, isRefused ? undefined : accepted.id);
    attempt.startedAt = now;
    if (!slot.isBackfill && slot.origin === 'schedule') this.#deps.attemptStarted(now - slot.slotTime);
    if (isRefused) return await this.#settle({ attempt, end: accepted, collected: undefined });
    if (this.#isClosed) attempt.cancel(serviceStopping());
    queries.start(accepted);
    await attempt.finished(accepted).catch((error) => this.#deps.failed(error));
    const { end, collected } = await this.#result(kind, request, accepted);
    await this.#settle({ attempt, end, collected });
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
      const failed: AttemptEnd = { ...end, state: 'failed', error: isTold ? error.message : 'internal error' };
      return { end: failed, collected: undefined };
    }
  }

  /** Retries the slot after a delay. */
  #postpone(slot: OpenSlot): void {
    this.#poolOf(slot).add(slot, this.#now + RETRY_MS);
    this.#deps.wake();
  }

  async #settle(unsettled: UnsettledAttempt): Promise<void> {
    const { store, claimant, failures, slots, failed } = this.#deps;
    const { attempt, end, collected } = unsettled;
    const { slot } = attempt;
    const kind = this.#kindOf(slot);
    const followUps: (() => void)[] = [];
    const ended = { slot, end, collected, afterCommit: (work: () => void) => void followUps.push(work) };
    try {
      const caused = await store.write(async (db) => {
        followUps.length = 0;
        if (kind.isContinuous && (await returnToLine(db, slot, end))) return { ...NOTHING_CLAIMED, queued: [slot] };
        const covered = kind.isContinuous ? (await coveredBy(db, slot.id)).length : 0;
        if (!(await finish(db, slot, end))) return NOTHING_CLAIMED;
        const name = await this.#nameOf(db, slot);
        await failures.ended(db, { ...slot, name }, end);
        followUps.push(() => this.#notify(slot, { name, end, covered }));
        return await claimCaused(db, kind, await kind.ended(db, ended), claimant);
      });
      for (const work of followUps) work();
      slots(caused.outcomes);
      this.#forget(attempt);
      this.add(caused.open);
      if (!this.#isClosed) for (const job of caused.queued) this.backfill(job);
    } catch (error) {
      failed(error);
      if (this.#isClosed) return this.#forget(attempt);
      this.#unsettled.push(unsettled);
      this.#deps.wake();
    }
  }

  #notify(slot: OpenSlot, { name, end, covered }: { name: string; end: AttemptEnd; covered: number }): void {
    const { failures, slots, attemptFailed } = this.#deps;
    const { kind, guid, isBackfill } = slot;
    const { state, error } = end;
    failures.written();
    slots([{ kind, outcome: isBackfill ? 'backfilled' : 'ran', state }]);
    slots(Array.from({ length: covered }, () => ({ kind, outcome: 'skipped', state: null })));
    if (state === 'failed') attemptFailed({ kind, guid, name, reason: error ?? '' });
  }

  #retrySettle(): void {
    const again = this.#unsettled;
    this.#unsettled = [];
    for (const one of again) void this.#settle(one);
  }

  /** The job was removed, disabled or stopped. */
  #drop(attempt: ActiveAttempt): void {
    this.startWaiters.notify(attempt.slot.attemptGuid, undefined);
    this.#forget(attempt);
  }

  #forget(attempt: ActiveAttempt): void {
    this.#active.delete(attempt.slot.attemptGuid);
    attempt.settle();
  }

  async #nameOf(db: Db, job: JobKey): Promise<string> {
    return (await this.#kindOf(job).eligibility(db, [job.guid])).get(job.guid)?.name ?? '';
  }

  #poolOf({ kind }: JobKey): Pool {
    const found = this.#pools.get(kind);
    if (!found) throw new Error(`no such kind of job: ${kind}`);
    return found;
  }

  #kindOf({ kind }: JobKey): JobKind {
    const found = this.#deps.kinds.get(kind);
    if (!found) throw new Error(`no such kind of job: ${kind}`);
    return found;
  }
}
