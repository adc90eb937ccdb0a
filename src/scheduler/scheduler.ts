// The scheduler: records every due slot and passes slots to the runner. Its only state in memory that the database lacks is
// the time of the next slots.

import type { Cluster } from '#cluster/cluster.ts';
import type { LeaseTimes } from '#cluster/members/lease-times.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { deleteFutureSlots, deleteOldSlots } from './attempts/backfill-queue.ts';
import { queuedJobs, type Recovered, recover } from './attempts/recovery.ts';
import { Runner } from './attempts/runner.ts';
import { attemptsToStop } from './attempts/stop-requests.ts';
import type { JobFailures, JobKind, ScheduledJob } from './job-kind.ts';
import { Loop } from './loop.ts';
import { readMark, releaseLease, renewLease, setMark } from './nodes/leases.ts';
import { OtherProcesses } from './nodes/other-processes.ts';
import { type ScheduleEntry, ScheduleIndex } from './schedule-index.ts';
import type { SchedulerSettings } from './settings.ts';
import type { Claimant, Claimed } from './slots/claims.ts';
import { DueSlots, type WrittenSlots } from './slots/due-slots.ts';
import type { CountedSlot, FailedAttempt, JobKey, OpenSlot } from './slots/slot.ts';

export interface SchedulerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly zone: string;
  readonly cluster: Pick<Cluster, 'self' | 'nodes' | 'latest' | 'withOthers' | 'nextLook'>;
  /** That of the process. */
  readonly lease: string;
  /** Whether no other process uses the database: all other leases are dead then. */
  readonly isExclusive: boolean;
  readonly leaseTimes: LeaseTimes;
  readonly settings: SchedulerSettings;
  readonly kinds: readonly JobKind[];
  readonly failures: JobFailures;
  readonly observer: SchedulerObserver;
}

interface SchedulerObserver {
  /** Called for recorded slots, and again when their attempts end. */
  slots(slots: readonly CountedSlot[]): void;
  attemptFailed(attempt: FailedAttempt): void;
  /** Called with the delay of a scheduled attempt after its due time. */
  attemptStarted(milliseconds: number): void;
  failed(error: unknown): void;
}

/** Smaller steps of the clock backwards are ignored. */
const TOLERANCE_MS = 1000;
const HOUR_MS = 3_600_000;
/** Polling period for stop requests. */
const POLL_MS = 500;
/** Jobs per unit. */
const JOBS_PER_UNIT = 50;
/** Due times computed between two yields. */
const MOMENTS_PER_TURN = 50;

export async function openScheduler(deps: SchedulerDeps): Promise<Scheduler> {
  const scheduler = new Scheduler(deps);
  await scheduler.open();
  return scheduler;
}

export class Scheduler {
  readonly claimant: Claimant;
  readonly others: OtherProcesses;
  readonly #deps: SchedulerDeps;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #schedules: ScheduleIndex;
  readonly #due: DueSlots;
  readonly #runner: Runner;
  readonly #loop: Loop;
  /** Time up to which every slot has its row. */
  #through: number;
  #lastHeartbeat = 0;
  #hasBegun = false;
  #lastPurge = 0;

  constructor(deps: SchedulerDeps) {
    const { cluster, lease, kinds, observer, zone, store, clock, settings, leaseTimes } = deps;
    this.#deps = deps;
    this.claimant = { node: cluster.self, nodeTypes: cluster.nodes.own.types, peers: cluster.nodes, lease };
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#schedules = new ScheduleIndex(zone);
    this.#through = this.#now;
    const common = { store, kinds: this.#kinds, claimant: this.claimant };
    const { catchUp } = settings;
    this.#due = new DueSlots({ ...common, schedules: this.#schedules, catchUp, leaseTimes, openedAt: this.#now });
    this.#runner = new Runner({ ...deps, ...observer, ...common, wake: () => this.#loop.wake() });
    this.others = new OtherProcesses({
      ...deps,
      ...common,
      runner: this.#runner,
      update: (kind, jobs) => this.#updateAll(kind, jobs),
      recovered: (recovered) => this.#takeOver(recovered),
      wake: () => this.#loop.wake(),
    });
    this.#loop = new Loop({
      clock,
      pass: () => this.#pass(),
      nextMoment: (now) => this.#nextMoment(now),
      failed: observer.failed,
    });
  }

  /** Number of schedules. */
  get size(): number {
    return this.#schedules.size;
  }

  /** A failed write, for example on a full disk, is retried by the loop: the service starts anyway. */
  async open(): Promise<void> {
    await this.#begin().catch((error) => this.#deps.observer.failed(error));
    this.#loop.start();
  }

  async #begin(): Promise<void> {
    const { store } = this.#deps;
    await store.write((db) => renewLease(db, this.claimant, this.#now));
    const mark = (await store.read(readMark)) ?? 0;
    // Read behind the mark, which other nodes go on with while this one waits for its turn to write.
    const now = this.#now;
    if (mark > now + TOLERANCE_MS) await store.write((db) => deleteFutureSlots(db, this.#now));
    const recovered = await recover({ ...this.#deps, kinds: this.#kinds, claimant: this.claimant });
    for (const kind of this.#kinds.values()) {
      for (const [index, job] of (await store.read((db) => kind.scheduled(db))).entries()) {
        if (index % JOBS_PER_UNIT === 0) await eventLoop.nextSlot();
        this.#schedules.put({ ...job, kind: kind.name }, Math.max(Math.min(mark, now), job.since));
      }
    }
    for (const job of await store.read(queuedJobs)) this.#runner.backfill(job);
    this.#takeOver(recovered);
    this.#hasBegun = true;
  }

  /** Called after every change of jobs: due times follow the new schedules. */
  async changed(kind: JobKind, guids: readonly string[]): Promise<void> {
    const jobs = await this.#deps.store.read((db) => kind.scheduled(db, guids));
    this.#updateSchedules(kind, guids, jobs);
    this.#loop.wake();
  }

  /** The next due time of a schedule. */
  next(cron: string): number | undefined {
    return this.#schedules.nextOf(cron, this.#now);
  }

  /** Due times from `from` to `to`, both included; at most `limit`. */
  async moments(cron: string, from: number, to: number, limit: number): Promise<number[]> {
    const found: number[] = [];
    for (let after: number | undefined = from - 1; after !== undefined && found.length < limit; ) {
      const some: number[] = this.#schedules.between(cron, after, to, Math.min(MOMENTS_PER_TURN, limit - found.length));
      found.push(...some);
      after = some.at(-1);
      await eventLoop.nextSlot();
    }
    return found;
  }

  /** Called inside the unit that changes a job: records the slots that are due by its former schedule. */
  claimOverdue(db: Db, kind: JobKind, guid: string): Promise<Claimed> {
    return this.#due.claimOverdue(db, kind, guid, this.#now);
  }

  /** Accepts slots claimed for this process, once the claim is durable. */
  take({ open, outcomes, queued }: Claimed): void {
    this.#deps.observer.slots(outcomes);
    this.#runner.add(open);
    for (const job of queued) this.#runner.backfill(job);
  }

  /** Takes one slot and waits for the start of its attempt. Resolves to the id of its query; undefined when the attempt does not start. */
  async startAndWait(claimed: Claimed): Promise<number | undefined> {
    const begun = claimed.open.map(({ attemptGuid }) => this.#runner.startWaiters.waitFor(attemptGuid));
    this.take(claimed);
    return await begun[0];
  }

  /** The job has queued slots. */
  backfill(job: JobKey): void {
    this.#runner.backfill(job);
  }

  /** Stops attempts with a stop request and resolves when their ends are recorded, those of other processes included. */
  async stop(slots: readonly OpenSlot[], options: { force: boolean }): Promise<void> {
    const attempts = slots.map(({ attemptGuid }) => this.#runner.find(attemptGuid));
    for (const attempt of attempts) attempt?.stop(options);
    await Promise.all(attempts.map((attempt) => attempt?.settled));
    const elsewhere = slots.filter((_, index) => !attempts[index]);
    await this.#deps.cluster.withOthers(() => this.others.ended(elsewhere));
  }

  /** Rejects with the error of the last pass. */
  check(): Promise<void> {
    return this.#loop.check();
  }

  async close(): Promise<void> {
    await this.#loop.close();
    await this.#runner.close();
    const { store, observer } = this.#deps;
    const parting = store.write(async (db) => {
      if (this.#schedules.size > 0) await setMark(db, this.#due.left.coveredTo(this.#through));
      await releaseLease(db, this.claimant.lease);
    });
    // Without this write the next start covers a slightly longer period.
    await parting.catch((error) => observer.failed(error));
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  /** Never while other processes must be polled. */
  get #isIdle(): boolean {
    return this.#schedules.size === 0 && !this.#runner.isBusy && this.others.nextMoment() === undefined;
  }

  get #isRunning(): boolean {
    return this.#runner.active.length > 0;
  }

  #takeOver(recovered: Recovered): void {
    for (const { slotTime, ...job } of recovered.missed) this.#schedules.noteMissed(job, slotTime);
    this.take({ ...recovered, queued: [] });
  }

  #updateAll(kind: JobKind, jobs: readonly ScheduledJob[]): void {
    const known = [...this.#schedules.all()].filter((entry) => entry.kind === kind.name).map(({ guid }) => guid);
    this.#updateSchedules(kind, new Set([...known, ...jobs.map(({ guid }) => guid)]), jobs);
  }

  /** Updates the entries of `guids`. */
  #updateSchedules(kind: JobKind, guids: Iterable<string>, jobs: readonly ScheduledJob[]): void {
    const found = new Map(jobs.map((job) => [job.guid, job]));
    for (const guid of guids) {
      const key = { kind: kind.name, guid };
      const entry = this.#schedules.find(key);
      const job = found.get(guid);
      const isSame = job && entry?.cron === job.cron && entry.since === job.since;
      if (!job) this.#schedules.remove(key);
      else if (!isSame) this.#schedules.put({ ...job, ...key }, job.since);
    }
  }

  #nextMoment(now: number): number {
    const moments = [
      this.#isRunning ? this.#deps.cluster.nextLook(now, POLL_MS) : undefined,
      this.#schedules.nearest(),
      this.#runner.nextMoment(),
      this.#due.left.nextMoment(),
      this.others.nextMoment(),
      this.#isIdle ? now + HOUR_MS : this.#lastHeartbeat + this.#deps.leaseTimes.renewalMs,
    ];
    return Math.min(...moments.filter((moment) => moment !== undefined));
  }

  async #pass(): Promise<void> {
    if (!this.#hasBegun) await this.#begin();
    await this.#handleClockRollback();
    await this.others.followJobs();
    for (let due = this.#nextDue(); due.length > 0; due = this.#nextDue()) {
      this.#accept(await this.#due.write(due, this.#through));
      this.#loop.reportAlive();
      await eventLoop.nextSlot();
    }
    this.#accept(await this.#due.left.settle(this.#through));
    await this.others.follow(this.#through);
    this.#runner.tick();
    if (this.#isRunning) await this.#applyStopRequests();
    const now = this.#through;
    if (!this.#isIdle && now - this.#lastHeartbeat >= this.#deps.leaseTimes.renewalMs) await this.#heartbeat(now);
    if (now - this.#lastPurge >= HOUR_MS) await this.#purge(now);
  }

  #accept({ claimed, late }: WrittenSlots): void {
    for (const slots of claimed) this.take(slots);
    for (const job of late) this.#runner.backfill(job);
  }

  #nextDue(): ScheduleEntry[] {
    const now = this.#now;
    if (this.#loop.isClosed || now < this.#through - TOLERANCE_MS) return [];
    this.#through = Math.max(now, this.#through);
    return this.#schedules.due(this.#through, JOBS_PER_UNIT);
  }

  /** Deletes slots in the future after the clock was set back, and schedules them again. */
  async #handleClockRollback(): Promise<void> {
    const now = this.#now;
    if (now >= this.#through - TOLERANCE_MS) return;
    // The time of the unit: while it waited for its turn, other nodes have recorded slots that are no longer in the future.
    await this.#deps.store.write((db) => deleteFutureSlots(db, this.#now));
    this.#through = now;
    this.#lastHeartbeat = 0;
    this.#lastPurge = now;
    for (const entry of [...this.#schedules.all()])
      this.#schedules.advance(entry, Math.max(now, entry.since), entry.missedSince);
  }

  async #heartbeat(now: number): Promise<void> {
    const { store, cluster } = this.#deps;
    await store.write(async (db) => {
      await renewLease(db, this.claimant, now);
      await setMark(db, this.#due.left.coveredTo(now));
    });
    this.#lastHeartbeat = now;
    await cluster.withOthers(() => this.others.recover());
  }

  async #applyStopRequests(): Promise<void> {
    const { active } = this.#runner;
    const { store, cluster } = this.#deps;
    for (const { attemptGuid, force } of await cluster.latest([], () =>
      store.read((db) => attemptsToStop(db, active)),
    )) {
      this.#runner.find(attemptGuid)?.stop({ force });
    }
  }

  async #purge(now: number): Promise<void> {
    const { store, settings } = this.#deps;
    const before = now - settings.kept.total('milliseconds');
    while (await store.write((db) => deleteOldSlots(db, before))) await eventLoop.nextSlot();
    this.#lastPurge = now;
  }
}
