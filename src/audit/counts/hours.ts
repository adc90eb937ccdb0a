// Hours in which repeated runs of a query are counted: of one process, or of all nodes that share a database.

import type { Draft } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { CountPeriod } from './count-rows.ts';
import type { Counted, SharedCounts } from './shared-counts.ts';

export const HOUR_MS = 3_600_000;

/** What was counted in an hour, and how much of it is in its row. */
interface Repeats extends Counted {
  readonly savedCount: number;
}

export interface CountedHour {
  readonly id: string;
  readonly hour: CountPeriod;
  readonly lastRun: number;
  readonly repeats: Repeats | undefined;
  /** No hour follows. */
  readonly isSessionOver: boolean;
}

/** Each gives the hour in which further runs are counted. */
export interface Hours {
  /** Records a run that this process does not count: as an entry, or in an hour that others have begun. */
  record(id: string, draft: Draft, how: { readonly mayCount: boolean }): Promise<CountPeriod>;
  end(counted: CountedHour): Promise<CountPeriod>;
  /** Whether counts end with this process; otherwise they stay in rows to which other nodes may add. */
  readonly endWithProcess: boolean;
}

interface HoursDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly counts: SharedCounts;
  readonly cluster: Pick<Cluster, 'form'>;
  /** The one that nodes share. */
  readonly clock: Clock;
}

export const hoursOf = (deps: HoursDeps): Hours =>
  deps.cluster.form<Hours>({ alone: () => new OwnHours(deps), shared: () => new SharedHours(deps) });

class OwnHours implements Hours {
  readonly endWithProcess = true;
  readonly #deps: HoursDeps;

  constructor(deps: HoursDeps) {
    this.#deps = deps;
  }

  async record(_id: string, draft: Draft): Promise<CountPeriod> {
    await this.#deps.trail.record(draft);
    return hourFrom(this.#deps.clock.nowMs());
  }

  async end({ id, hour, repeats }: CountedHour): Promise<CountPeriod> {
    const { store, counts, clock } = this.#deps;
    if (repeats) await store.write((db) => counts.write(db, { id, begun: hour.begun, ...repeats }));
    return hourFrom(clock.nowMs());
  }
}

class SharedHours implements Hours {
  readonly endWithProcess = false;
  readonly #deps: HoursDeps;

  constructor(deps: HoursDeps) {
    this.#deps = deps;
  }

  async record(id: string, draft: Draft, { mayCount }: { readonly mayCount: boolean }): Promise<CountPeriod> {
    const { store, trail } = this.#deps;
    if (mayCount) return await store.write((db) => this.#recordShared(db, id, draft));
    await trail.record(draft);
    return hourFrom(this.#now);
  }

  /** Adds what is left. The hour that follows is that of the other nodes. */
  async end({ id, hour, lastRun, repeats, isSessionOver }: CountedHour): Promise<CountPeriod> {
    const { store, counts } = this.#deps;
    const now = this.#now;
    const count = repeats ? repeats.count - repeats.savedCount : 0;
    const goesOn = !isSessionOver && now - lastRun < HOUR_MS;
    const next = hourAt(hour, now);
    if (count === 0 && !goesOn && !isSessionOver) return next;
    return await store.write(async (db) => {
      if (repeats && count > 0) await counts.add(db, { id, ...hour, lastRun, draft: repeats.draft, count });
      if (isSessionOver) await counts.endEarly(db, { id, begun: hour.begun });
      return goesOn ? (await this.#hourOf(db, id, next)).hour : next;
    });
  }

  get #now(): number {
    return this.#deps.clock.nowMs();
  }

  /** Counts the run in the hour that has begun on whichever node; where none has, it is the first, with an entry. */
  async #recordShared(db: Db, id: string, draft: Draft): Promise<CountPeriod> {
    const { trail, counts } = this.#deps;
    const { hour, isRepeat } = await this.#hourOf(db, id, hourFrom(this.#now));
    const begun = { id, ...hour, lastRun: this.#now };
    await counts.add(db, isRepeat ? { ...begun, draft, count: 1 } : { ...begun, count: 0 });
    if (!isRepeat) trail.include(draft);
    return hour;
  }

  /** An hour follows one whose row is still there, so that all nodes go on with the same. */
  async #hourOf(db: Db, id: string, own: CountPeriod): Promise<{ hour: CountPeriod; isRepeat: boolean }> {
    const now = this.#now;
    const newest = await this.#deps.counts.newest(db, id);
    if (!newest) return { hour: own, isRepeat: false };
    const { lastRun = newest.begun } = newest;
    return { hour: hourAt(newest, now), isRepeat: now - lastRun < HOUR_MS };
  }
}

const hourFrom = (begun: number): CountPeriod => ({ begun, until: begun + HOUR_MS });

/** The one in which `now` is, of `hour` and those that follow it without a gap. */
const hourAt = ({ begun, until }: CountPeriod, now: number): CountPeriod =>
  now < until ? { begun, until } : hourFrom(until + Math.floor((now - until) / HOUR_MS) * HOUR_MS);
