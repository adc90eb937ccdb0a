// Audit entries of queries that a session repeats, as a console does when it refreshes. The first run has an entry of its
// own; further ones within an hour are counted and become one entry at its end, at the end of the session or of the service.
// Counts are saved every ten seconds, so that a crash loses no more than that.

import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { parseJson } from '#kernel/parse-json.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { Draft } from './entry.ts';
import { maskDraft } from './masking.ts';
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
  readonly session: RepeatableRun['session'];
  hourBegun: number;
  lastRun: number;
  repeats: Repeats | undefined;
}

interface Repeats {
  readonly guid: string;
  /** Of the last run. */
  draft: Draft;
  count: number;
  savedCount: number;
}

interface RepeatedEntriesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly clock: Clock;
}

export async function openRepeatedEntries(deps: RepeatedEntriesDeps): Promise<RepeatedEntries> {
  await recover(deps);
  return new RepeatedEntries(deps);
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

  /** True where the run is counted; otherwise it needs an entry of its own, and `begin` afterwards. */
  count(run: RepeatableRun, draft: Draft): boolean {
    const query = this.#queries.get(nameOf(run));
    const now = this.#now;
    if (!query || now - query.lastRun >= HOUR_MS || !this.#mayCount(query, draft)) return false;
    if (!query.repeats) this.#counted += 1;
    query.repeats ??= { guid: newGuid(), draft, count: 0, savedCount: 0 };
    query.repeats.count += 1;
    query.repeats.draft = draft;
    query.lastRun = now;
    return true;
  }

  /** Call when the entry of a run is durable. */
  begin(run: RepeatableRun): void {
    const name = nameOf(run);
    const now = this.#now;
    const known = this.#queries.get(name);
    if (known) known.lastRun = now;
    // A count whose entry could not be written yet goes on.
    if (known?.repeats) return;
    this.#queries.delete(name);
    const oldest = this.#queries.entries().find(([, { repeats }]) => !repeats);
    if (oldest && this.#queries.size >= MAX_QUERIES) this.#queries.delete(oldest[0]);
    this.#queries.set(name, { session: run.session, hourBegun: now, lastRun: now, repeats: undefined });
  }

  /** Writes all counts as entries. */
  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await this.#work;
    for (const query of this.#queries.values()) await this.#writeEntry(query);
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #mayCount({ repeats }: KnownQuery, draft: Draft): boolean {
    if (!repeats && this.#counted >= MAX_COUNTED) return false;
    return JSON.stringify(draft).length <= MAX_DRAFT_CHARACTERS;
  }

  async #sweep(): Promise<void> {
    await this.#save();
    const ended = await this.#endedSessions();
    const now = this.#now;
    for (const [name, query] of [...this.#queries]) {
      const isSessionOver = ended.has(query.session.id);
      const isHourOver = now - query.hourBegun >= HOUR_MS;
      if (isSessionOver || isHourOver) await this.#writeEntry(query);
      if (isHourOver) query.hourBegun = now;
      if (isSessionOver || now - query.lastRun >= HOUR_MS) this.#queries.delete(name);
    }
  }

  async #endedSessions(): Promise<ReadonlySet<string>> {
    const sessions = new Map([...this.#queries.values()].map(({ session }) => [session.id, session]));
    const ended = new Set<string>();
    for (const session of sessions.values()) if (!(await session.isOpen())) ended.add(session.id);
    return ended;
  }

  async #save(): Promise<void> {
    const changed = [...this.#queries.values()].flatMap(({ repeats }) =>
      repeats && repeats.count > repeats.savedCount ? { repeats, count: repeats.count } : [],
    );
    if (changed.length === 0) return;
    await this.#deps.store.write(async (db) => {
      for (const { repeats, count } of changed) await save(db, repeats, count);
    });
    for (const { repeats, count } of changed) repeats.savedCount = count;
  }

  async #writeEntry(query: KnownQuery): Promise<void> {
    const { repeats } = query;
    if (!repeats) return;
    // Runs during the write begin a new count.
    query.repeats = undefined;
    this.#counted -= 1;
    try {
      await writeEntry(this.#deps, repeats);
    } catch (error) {
      this.#counted += query.repeats ? 0 : 1;
      query.repeats = merged(repeats, query.repeats);
      throw error;
    }
  }
}

const nameOf = ({ session, key }: RepeatableRun): string => `${session.id} ${key}`;

const merged = (earlier: Repeats, later: Repeats | undefined): Repeats =>
  later ? { ...earlier, draft: later.draft, count: earlier.count + later.count } : earlier;

async function save(db: Db, { guid, draft }: Repeats, count: number): Promise<void> {
  const content = { draft: JSON.stringify(maskDraft(draft)), count };
  await db
    .insertInto('repeated_queries')
    .values({ guid, ...content })
    .onConflict((conflict) => conflict.column('guid').doUpdateSet(content))
    .execute();
}

async function writeEntry({ store, trail }: RepeatedEntriesDeps, { guid, draft, count }: Repeats): Promise<void> {
  await store.write(async (db) => {
    await db.deleteFrom('repeated_queries').where('guid', '=', guid).execute();
    trail.include(countedDraft(draft, count));
  });
}

const countedDraft = (draft: Draft, count: number): Draft => ({
  ...draft,
  msg_params: { ...draft.msg_params, count },
});

/** Counts that a crash has left become entries. */
async function recover({ store, trail }: RepeatedEntriesDeps): Promise<void> {
  const rows = await store.read((db) => db.selectFrom('repeated_queries').selectAll().execute());
  if (rows.length === 0) return;
  await store.write(async (db) => {
    await db.deleteFrom('repeated_queries').execute();
    // Written by `save`.
    for (const { draft, count } of rows) trail.include(countedDraft(parseJson(draft) as Draft, Number(count)));
  });
}
