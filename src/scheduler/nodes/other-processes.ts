// What other processes on the same database do to this one's work: jobs that they change, slots that they give to it, and slots
// of processes that have ended.

import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Notifier } from '#runtime/notifier.ts';
import { queuedJobs, type Recovered, type RecoveryDeps, recover } from '#scheduler/attempts/recovery.ts';
import type { Runner } from '#scheduler/attempts/runner.ts';
import { assignedTo, endedOf } from '#scheduler/attempts/stop-requests.ts';
import type { JobKind, ScheduledJob } from '#scheduler/job-kind.ts';
import type { OpenSlot } from '#scheduler/slots/slot.ts';
import { queuedFitting } from './fitting-nodes.ts';

/** Period of looks at slots that were given to this process. */
const LOOK_MS = 1000;
/** Period of looks at attempts whose end nobody may tell. */
const POLL = Temporal.Duration.from({ milliseconds: 500 });

interface OtherProcessesDeps extends RecoveryDeps {
  readonly clock: Clock;
  readonly cluster: Pick<Cluster, 'nextLook'>;
  readonly runner: Pick<Runner, 'add' | 'has' | 'backfill'>;
  update(kind: JobKind, jobs: readonly ScheduledJob[]): void;
  recovered(recovered: Recovered): void;
  /** Starts a pass of the scheduler. */
  wake(): void;
}

export class OtherProcesses {
  readonly #deps: OtherProcessesDeps;
  /** Notified when attempts elsewhere are asked to stop or have done so. */
  readonly #stops = new Notifier();
  #haveChangedJobs = false;
  /** Whether one of them has left in order. */
  #haveEnded = false;
  #lastLook = 0;
  /** Given to this process and unknown at the last look. */
  #unknown: ReadonlySet<string> = new Set();

  constructor(deps: OtherProcessesDeps) {
    this.#deps = deps;
  }

  /** Jobs were changed elsewhere. */
  async jobsChanged(): Promise<void> {
    this.#haveChangedJobs = true;
    this.#deps.wake();
  }

  /** Attempts are to be stopped, or were: the pass finds those of this process. */
  async stopsChanged(): Promise<void> {
    this.#stops.notify();
    this.#deps.wake();
  }

  /** Resolves when attempts of other processes have ended. */
  async ended(slots: readonly OpenSlot[]): Promise<void> {
    const { store, clock } = this.#deps;
    for (;;) {
      const waiting = new AbortController();
      // Begun before the look: an end that comes meanwhile is not missed.
      const told = this.#stops.wait(waiting.signal);
      if ((await store.read((db) => endedOf(db, slots))).length < slots.length) {
        await Promise.race([told, clock.sleep(POLL, waiting.signal)]);
        waiting.abort();
      } else {
        return waiting.abort();
      }
    }
  }

  /** A process has left in order: what it has claimed is taken over at once. */
  async processEnded(): Promise<void> {
    this.#haveEnded = true;
    this.#deps.wake();
  }

  /** Undefined where there are no others. */
  nextMoment(): number | undefined {
    return this.#deps.cluster.nextLook(this.#lastLook, LOOK_MS);
  }

  async followJobs(): Promise<void> {
    if (!this.#haveChangedJobs) return;
    this.#haveChangedJobs = false;
    const { store, kinds, update } = this.#deps;
    try {
      for (const kind of kinds.values()) update(kind, await store.read((db) => kind.scheduled(db)));
    } catch (error) {
      // The next pass reads them.
      this.#haveChangedJobs = true;
      throw error;
    }
  }

  async follow(now: number): Promise<void> {
    if (this.#haveEnded) await this.recover();
    if (now < (this.nextMoment() ?? Number.POSITIVE_INFINITY)) return;
    this.#lastLook = now;
    await this.#takeAssigned();
  }

  /** Takes over the slots of processes that have ended. */
  async recover(): Promise<void> {
    const { store, runner, recovered } = this.#deps;
    const isTold = this.#haveEnded;
    this.#haveEnded = false;
    try {
      const found = await recover(this.#deps);
      recovered(found);
      if (!isTold && found.ended === 0) return;
      for (const job of await store.read(queuedJobs)) runner.backfill(job);
    } catch (error) {
      // Leases may be gone by now without what follows from it: the next pass goes on.
      this.#haveEnded = true;
      throw error;
    }
  }

  /** What is claimed here is known a moment after its commit, so a slot is taken where two looks do not know it. */
  async #takeAssigned(): Promise<void> {
    const { store, runner, claimant, kinds } = this.#deps;
    const assigned = await store.read((db) => assignedTo(db, claimant));
    const unknown = assigned.filter(({ attemptGuid }) => !runner.has(attemptGuid));
    runner.add(unknown.filter(({ attemptGuid }) => this.#unknown.has(attemptGuid)));
    this.#unknown = new Set(unknown.map(({ attemptGuid }) => attemptGuid));
    for (const job of await store.read((db) => queuedFitting(db, kinds, claimant))) runner.backfill(job);
  }
}
