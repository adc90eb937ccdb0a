// Audit entries of queries that a session repeats, as a console does when it refreshes. The first run has an entry of its
// own; further ones within an hour, on whichever node, are counted and become one entry at its end, at the end of the session or of
// the service. Counts are saved every ten seconds, so that a crash loses no more than that; where nodes share a database each
// adds to the row of the hour, and `SharedCounts` writes the entry.

import type { Draft } from '#audit/entry.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Store } from '#store/store.ts';
import type { CountPeriod } from './count-rows.ts';
import { withRangeOf } from './counted-range.ts';
import { HOUR_MS, type Hours } from './hours.ts';
import { countId, type SharedCounts } from './shared-counts.ts';

const SAVE_PERIOD = Temporal.Duration.from({ seconds: 10 });
/** Queries whose last run is remembered. */
const MAX_QUERIES = 10_000;
/** Queries with a count, each with the draft of its entry; further ones have an entry for each run. */
const MAX_COUNTED = 1000;
const MAX_DRAFT_CHARACTERS = 8192;

export interface RepeatableRun {
  readonly session: { readonly id: string; isOpen(): Promise<boolean> };
  /** Equal for equal queries of an operation. */
  readonly key: string;
}

interface KnownQuery {
  readonly id: string;
  readonly session: RepeatableRun['session'];
  hour: CountPeriod;
  lastRun: number;
  repeats: Repeats | undefined;
}

interface Repeats {
  /** Of the last run, with the range of all of them. */
  draft: Draft;
  count: number;
  savedCount: number;
}

interface RepeatedEntriesDeps {
  readonly store: Store;
  readonly counts: SharedCounts;
  readonly hours: Hours;
  /** The one that nodes share. */
  readonly clock: Clock;
}

export class RepeatedEntries {
  readonly #deps: RepeatedEntriesDeps;
  readonly #sweeping: Periodic;
  /** In the order of their first runs. */
  readonly #queries = new Map<string, KnownQuery>();
  #counted = 0;

  constructor(deps: RepeatedEntriesDeps) {
    this.#deps = deps;
    this.#sweeping = new Periodic({
      clock: deps.clock,
      period: SAVE_PERIOD,
      work: () => this.#sweep(),
      // The store reports its failures itself; the next sweep repeats what has failed.
      failed: ignoreFailure,
    });
  }

  /** Counts a run, or resolves when its own entry is durable. */
  async record(run: RepeatableRun, draft: Draft): Promise<void> {
    if (this.#count(run, draft)) return;
    const mayCount = this.#mayCount(undefined, draft);
    this.#begin(run, await this.#deps.hours.record(idOf(nameOf(run)), draft, { mayCount }));
  }

  /** Writes all counts as entries; those that other nodes may add to stay in their rows. */
  async close(): Promise<void> {
    await this.#sweeping.close();
    if (!this.#deps.hours.endWithProcess) return await this.#save();
    for (const query of this.#queries.values()) await this.#endSession(query);
  }

  get #now(): number {
    return this.#deps.clock.nowMs();
  }

  #count(run: RepeatableRun, draft: Draft): boolean {
    const query = this.#queries.get(nameOf(run));
    const now = this.#now;
    if (!query || now - query.lastRun >= HOUR_MS || !this.#mayCount(query.repeats, draft)) return false;
    if (!query.repeats) this.#counted += 1;
    query.repeats ??= { draft, count: 0, savedCount: 0 };
    query.repeats.count += 1;
    query.repeats.draft = withRangeOf(query.repeats.draft, draft);
    query.lastRun = now;
    return true;
  }

  #mayCount(repeats: Repeats | undefined, draft: Draft): boolean {
    if (!repeats && this.#counted >= MAX_COUNTED) return false;
    return JSON.stringify(draft).length <= MAX_DRAFT_CHARACTERS;
  }

  #begin(run: RepeatableRun, hour: CountPeriod): void {
    const name = nameOf(run);
    const now = this.#now;
    const known = this.#queries.get(name);
    if (known) known.lastRun = now;
    // A count whose entry could not be written yet goes on.
    if (known?.repeats) return;
    this.#queries.delete(name);
    const oldest = this.#queries.entries().find(([, { repeats }]) => !repeats);
    if (oldest && this.#queries.size >= MAX_QUERIES) this.#queries.delete(oldest[0]);
    this.#queries.set(name, { id: idOf(name), session: run.session, hour, lastRun: now, repeats: undefined });
  }

  async #sweep(): Promise<void> {
    await this.#save();
    const ended = await this.#endedSessions();
    for (const [name, query] of [...this.#queries]) {
      const isSessionOver = ended.has(query.session.id);
      if (isSessionOver) await this.#endSession(query);
      else if (this.#now >= query.hour.until) await this.#end(query, { isSessionOver });
      const isOver = isSessionOver || this.#now - query.lastRun >= HOUR_MS;
      if (isOver && !query.repeats) this.#queries.delete(name);
    }
  }

  /** With the runs that come while it is written. */
  async #endSession(query: KnownQuery): Promise<void> {
    do await this.#end(query, { isSessionOver: true });
    while (query.repeats);
  }

  async #endedSessions(): Promise<ReadonlySet<string>> {
    const sessions = new Map([...this.#queries.values()].map(({ session }) => [session.id, session]));
    const ended = new Set<string>();
    for (const session of sessions.values()) if (!(await session.isOpen())) ended.add(session.id);
    return ended;
  }

  async #save(): Promise<void> {
    const changed = [...this.#queries.values()].flatMap(({ id, hour, lastRun, repeats }) =>
      repeats && repeats.count > repeats.savedCount ? { id, hour, lastRun, repeats, total: repeats.count } : [],
    );
    if (changed.length === 0) return;
    const { store, counts } = this.#deps;
    await store.write(async (db) => {
      for (const { id, hour, lastRun, repeats, total } of changed) {
        await counts.add(db, { id, ...hour, lastRun, draft: repeats.draft, count: total - repeats.savedCount });
      }
    });
    for (const { repeats, total } of changed) repeats.savedCount = total;
  }

  /** Runs during the write begin a new count, in the next hour. */
  async #end(query: KnownQuery, how: { readonly isSessionOver: boolean }): Promise<void> {
    const { id, hour, lastRun, repeats } = query;
    query.repeats = undefined;
    if (repeats) this.#counted -= 1;
    try {
      query.hour = await this.#deps.hours.end({ id, hour, lastRun, repeats, ...how });
    } catch (error) {
      if (repeats) this.#counted += query.repeats ? 0 : 1;
      query.repeats = merged(repeats, query.repeats);
      throw error;
    }
  }
}

const nameOf = ({ session, key }: RepeatableRun): string => `${session.id} ${key}`;

const idOf = (name: string): string => countId('repeated-query', name);

function merged(earlier: Repeats | undefined, later: Repeats | undefined): Repeats | undefined {
  if (!earlier || !later) return earlier ?? later;
  return { ...earlier, draft: withRangeOf(earlier.draft, later.draft), count: earlier.count + later.count };
}
