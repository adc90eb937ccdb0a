// Audit entries of queries that a session repeats, as a console does when it refreshes. The first run has an entry of its
// own; further ones within an hour, on whichever node, are counted and become one entry at its end, at the end of the session or of
// the service. Counts are saved every ten seconds, so that a crash loses no more than that.

import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { Draft } from './entry.ts';
import { type CountPeriod, countId, type SharedCounts } from './shared-counts.ts';
import type { Trail } from './trail.ts';

const HOUR_MS = 3_600_000;
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
  hourBegun: number;
  lastRun: number;
  repeats: Repeats | undefined;
}

interface Repeats {
  /** Of the last run. */
  draft: Draft;
  /** Not saved yet. */
  count: number;
}

interface RepeatedEntriesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly counts: SharedCounts;
  /** The one that nodes share. */
  readonly clock: Clock;
}

export class RepeatedEntries {
  readonly #deps: RepeatedEntriesDeps;
  readonly #sweeping: Disposable;
  /** In the order of their first runs. */
  readonly #queries = new Map<string, KnownQuery>();
  #counted = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: RepeatedEntriesDeps) {
    this.#deps = deps;
    this.#sweeping = deps.clock.every(SAVE_PERIOD, () => {
      // The store reports its failures itself; the next sweep repeats what has failed.
      this.#work = this.#work.then(() => this.#sweep()).catch(() => undefined);
    });
  }

  /** Counts a run, or resolves when its own entry is durable. */
  async record(run: RepeatableRun, draft: Draft): Promise<void> {
    if (this.#count(run, draft)) return;
    const { store, trail } = this.#deps;
    const isSharing = store.isShared && this.#mayCount(undefined, draft);
    const hour = isSharing ? await store.write((db) => this.#recordShared(db, run, draft)) : await trail.record(draft);
    this.#begin(run, hour ? { hour, draft } : undefined);
  }

  /** Writes all counts as entries. */
  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await this.#work;
    for (const [name, query] of [...this.#queries]) await this.#leave(name, query, { isEnd: true });
  }

  get #now(): number {
    return this.#deps.clock.nowMs();
  }

  #count(run: RepeatableRun, draft: Draft): boolean {
    const query = this.#queries.get(nameOf(run));
    const now = this.#now;
    if (!query || now - query.lastRun >= HOUR_MS || !this.#mayCount(query.repeats, draft)) return false;
    if (!query.repeats) this.#counted += 1;
    query.repeats ??= { draft, count: 0 };
    query.repeats.count += 1;
    query.repeats.draft = draft;
    query.lastRun = now;
    return true;
  }

  #mayCount(repeats: Repeats | undefined, draft: Draft): boolean {
    if (!repeats && this.#counted >= MAX_COUNTED) return false;
    return JSON.stringify(draft).length <= MAX_DRAFT_CHARACTERS;
  }

  /** Counts the run in the hour that other nodes have begun; where none has, it is the first, with an entry. */
  async #recordShared(db: Db, run: RepeatableRun, draft: Draft): Promise<CountPeriod | undefined> {
    const { trail, counts } = this.#deps;
    const begun = this.#now;
    const [id, period] = [idOf(nameOf(run)), { begun, until: begun + HOUR_MS }];
    const hour = await counts.join(db, id, period);
    if (hour) await counts.add(db, id, { ...period, draft, count: 1 });
    else trail.include(draft);
    return hour;
  }

  #begin(run: RepeatableRun, shared: { readonly hour: CountPeriod; readonly draft: Draft } | undefined): void {
    const name = nameOf(run);
    const now = this.#now;
    const known = this.#queries.get(name);
    if (known) known.lastRun = now;
    // A count whose entry could not be written yet goes on.
    if (known?.repeats) return;
    this.#queries.delete(name);
    if (this.#queries.size >= MAX_QUERIES) this.#forgetOldest();
    const repeats = shared && { draft: shared.draft, count: 0 };
    if (repeats) this.#counted += 1;
    const hourBegun = shared?.hour.begun ?? now;
    this.#queries.set(name, { id: idOf(name), session: run.session, hourBegun, lastRun: now, repeats });
  }

  #forgetOldest(): void {
    const oldest = this.#queries.entries().find(([, { repeats }]) => !repeats);
    if (!oldest) return;
    this.#queries.delete(oldest[0]);
    // The store reports its failures itself.
    this.#leave(...oldest, { isEnd: true }).catch(() => undefined);
  }

  async #sweep(): Promise<void> {
    await this.#save();
    const ended = await this.#endedSessions();
    const now = this.#now;
    for (const [name, query] of [...this.#queries]) {
      const isEnd = ended.has(query.session.id);
      const isHourOver = now - query.hourBegun >= HOUR_MS || now - query.lastRun >= HOUR_MS;
      if (isEnd || isHourOver) await this.#leave(name, query, { isEnd });
    }
  }

  async #endedSessions(): Promise<ReadonlySet<string>> {
    const sessions = new Map([...this.#queries.values()].map(({ session }) => [session.id, session]));
    const ended = new Set<string>();
    for (const session of sessions.values()) if (!(await session.isOpen())) ended.add(session.id);
    return ended;
  }

  async #save(): Promise<void> {
    const changed = [...this.#queries.values()].flatMap(({ id, hourBegun, lastRun, repeats }) => {
      if (!repeats || repeats.count === 0) return [];
      const { draft, count } = repeats;
      return { id, repeats, added: { draft, count, begun: hourBegun, until: lastRun + HOUR_MS } };
    });
    if (changed.length === 0) return;
    const { store, counts } = this.#deps;
    await store.write(async (db) => {
      for (const { id, added } of changed) await counts.add(db, id, added);
    });
    for (const { repeats, added } of changed) repeats.count -= added.count;
  }

  /** Runs during the write begin a new count. */
  async #leave(name: string, query: KnownQuery, { isEnd }: { readonly isEnd: boolean }): Promise<void> {
    const { repeats } = query;
    query.repeats = undefined;
    if (repeats) this.#counted -= 1;
    let hour: CountPeriod | undefined;
    try {
      hour = await this.#leaveHour(query, repeats, isEnd);
    } catch (error) {
      if (repeats) this.#counted += query.repeats ? 0 : 1;
      query.repeats = merged(repeats, query.repeats);
      throw error;
    }
    query.hourBegun = hour?.begun ?? this.#now;
    if (hour) query.lastRun = Math.max(query.lastRun, hour.until - HOUR_MS);
    else if (!query.repeats) this.#queries.delete(name);
    else if (isEnd) await this.#leave(name, query, { isEnd });
  }

  /** The hour in which this node goes on; undefined where it has nothing to remember. */
  async #leaveHour(
    { id, lastRun }: KnownQuery,
    repeats: Repeats | undefined,
    isEnd: boolean,
  ): Promise<CountPeriod | undefined> {
    const { store, counts } = this.#deps;
    const next = { begun: this.#now, until: lastRun + HOUR_MS };
    // Only repeats have a row where no other node asks for it.
    if (!store.isShared && !repeats) return !isEnd && next.until > next.begun ? next : undefined;
    const counted = repeats && repeats.count > 0 ? repeats : undefined;
    const goesOn = isEnd ? {} : { goesOnFrom: next.begun };
    return await store.write((db) => counts.leave(db, id, { counted, until: next.until, ...goesOn }));
  }
}

const nameOf = ({ session, key }: RepeatableRun): string => `${session.id} ${key}`;

const idOf = (name: string): string => countId('repeated-query', name);

function merged(earlier: Repeats | undefined, later: Repeats | undefined): Repeats | undefined {
  if (!earlier || !later) return earlier ?? later;
  return { draft: later.draft, count: earlier.count + later.count };
}
