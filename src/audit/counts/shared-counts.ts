// Counts whose audit entries are not written yet, in rows that all nodes of a database share. A row belongs to what is counted and
// to a period: each node adds its number to it, and any node writes the entry, with the whole number, once the period is over by
// a margin in which all have added. A number that comes later is a row and an entry of its own: none is lost, or counted twice.

import { hash } from 'node:crypto';
import type { Draft } from '#audit/entry.ts';
import { maskDraft } from '#audit/masking.ts';
import type { Trail } from '#audit/trail.ts';
import type { Nodes } from '#cluster/membership.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { withRangeOf } from './counted-range.ts';

const LOOK_PERIOD = Temporal.Duration.from({ seconds: 5 });
/** Longer than the period in which nodes add what they hold. */
const MARGIN_MS = 15_000;
/** Rows of one unit: all nodes wait for it. */
const ROWS_PER_UNIT = 200;

/** Epoch milliseconds, by the clock that the nodes share. */
export interface CountPeriod {
  readonly begun: number;
  readonly until: number;
}

export interface Counted {
  readonly draft: Draft;
  readonly count: number;
}

/** The draft is that of the beginning, or of the last number that was added, with the time range of all of them. */
interface Content extends CountPeriod {
  /** Where counting goes on in the next period if this is less than a period ago. */
  readonly lastRun?: number;
  readonly draft?: Draft;
}

interface CountRow extends Content {
  readonly count: number;
}

interface SharedCountsDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly nodes: Pick<Nodes, 'living'>;
  /** The one that nodes share. */
  readonly clock: Clock;
}

/** What is counted; `kind` tells it from others with the same key. */
export const countId = (kind: string, key: string): string => hash('sha256', `${kind} ${key}`, 'hex');

export const countedDraft = ({ draft, count }: Counted): Draft => ({
  ...draft,
  msg_params: { ...draft.msg_params, count },
});

/** What takes a `db` is part of a unit. */
export class SharedCounts {
  readonly #deps: SharedCountsDeps;
  #looking: Periodic | undefined;

  private constructor(deps: SharedCountsDeps) {
    this.#deps = deps;
  }

  static async open(deps: SharedCountsDeps): Promise<SharedCounts> {
    const counts = new SharedCounts(deps);
    await counts.#settleAlone();
    // Where one process has the database, it ends its counts itself.
    if (deps.store.isShared)
      // The store reports its failures itself; the next look repeats what has failed.
      counts.#looking = new Periodic({
        clock: deps.clock,
        period: LOOK_PERIOD,
        work: () => counts.#settleOver(),
        failed: ignoreFailure,
      });
    return counts;
  }

  /** The row of `id` whose period ends last; that period may be over. */
  async newest(db: Db, id: string): Promise<CountRow | undefined> {
    const rows = await db
      .selectFrom('repeated_queries')
      .selectAll()
      .where('guid', '>=', `${id}.`)
      .where('guid', '<', `${id}/`)
      .execute();
    return rows.map(countRow).sort((one, other) => other.until - one.until)[0];
  }

  /** Makes the row of a period, with which other nodes know that it has begun. */
  async begin(db: Db, id: string, content: Content): Promise<void> {
    await beginAll(db, [newRow(id, content)]);
  }

  /** Adds to the number of a period, which a crash does not lose from here on. */
  async add(db: Db, id: string, { count, ...content }: CountRow): Promise<void> {
    const guid = rowId(id, content);
    const known = await db.selectFrom('repeated_queries').selectAll().where('guid', '=', guid).executeTakeFirst();
    // Units are serialized on all nodes: nobody adds in between.
    const earlier = known ? countRow(known).draft : undefined;
    const { draft } = content;
    const text = textOf({ ...content, ...(draft ? { draft: withRangeOf(earlier, draft) } : {}) });
    await db
      .insertInto('repeated_queries')
      .values({ guid, draft: text, count })
      .onConflict((conflict) =>
        conflict
          .column('guid')
          .doUpdateSet((row) => ({ draft: text, count: row('repeated_queries.count', '+', count) })),
      )
      .execute();
  }

  /** Ends a period before its time; none follows it. */
  async endEarly(db: Db, id: string, { begun }: Pick<CountPeriod, 'begun'>): Promise<void> {
    const guid = rowId(id, { begun });
    const row = await db.selectFrom('repeated_queries').selectAll().where('guid', '=', guid).executeTakeFirst();
    if (!row) return;
    const { lastRun: _, ...content } = countRow(row);
    const draft = textOf({ ...content, until: Math.min(content.until, this.#deps.clock.nowMs()) });
    await db.updateTable('repeated_queries').set({ draft }).where('guid', '=', guid).execute();
  }

  /** The entry of a period at its end, where no other node can have added to it. */
  async write(db: Db, id: string, { begun, ...counted }: Counted & Pick<CountPeriod, 'begun'>): Promise<void> {
    await db.deleteFrom('repeated_queries').where('guid', '=', rowId(id, { begun })).execute();
    this.#deps.trail.include(countedDraft(counted));
  }

  async close(): Promise<void> {
    await this.#looking?.close();
    await this.#settleAlone();
  }

  /** Where no other node lives, nobody adds to any row: all are over, as on a database of one process. */
  async #settleAlone(): Promise<void> {
    const { store, nodes } = this.#deps;
    const [some] = await store.read((db) => db.selectFrom('repeated_queries').select('guid').limit(1).execute());
    if (!some) return;
    await this.#settle(async (db) => ((await nodes.living(db)).length === 0 ? await firstRows(db) : []));
  }

  async #settleOver(): Promise<void> {
    const now = this.#deps.clock.nowMs();
    const over = (db: Db, limit: number) =>
      overRows(db, now - MARGIN_MS)
        .limit(limit)
        .execute();
    // Outside of a unit: mostly there is none.
    const [some] = await this.#deps.store.read((db) => over(db, 1));
    if (!some) return;
    await this.#settle(async (db) => {
      const rows = await over(db, ROWS_PER_UNIT);
      const next = rows.flatMap((row) => nextRow(row, now) ?? []);
      if (next.length > 0) await beginAll(db, next);
      return rows;
    });
  }

  /** Entries in place of the rows that `find` gives, until it gives none. */
  async #settle(find: (db: Db) => Promise<readonly StoredRow[]>): Promise<void> {
    const { store, trail } = this.#deps;
    const settleSome = async (db: Db) => {
      const rows = await find(db);
      const guids = rows.map(({ guid }) => guid);
      if (rows.length > 0) await db.deleteFrom('repeated_queries').where('guid', 'in', guids).execute();
      // Last in the unit, because its failure would not remove an entry.
      for (const { draft, count } of rows.map(countRow))
        if (draft && count) trail.include(countedDraft({ draft, count }));
      return rows.length;
    };
    while ((await store.write(settleSome)) === ROWS_PER_UNIT);
  }
}

interface StoredRow {
  readonly guid: string;
  readonly draft: string;
  readonly count: number;
}

const rowId = (id: string, { begun }: Pick<CountPeriod, 'begun'>): string => `${id}.${begun}`;

const newRow = (id: string, content: Content): StoredRow => ({
  guid: rowId(id, content),
  draft: textOf(content),
  count: 0,
});

/** By the row of the next period, nodes that have not counted in the last one know that a run is no first one. */
function nextRow(row: StoredRow, now: number): StoredRow | undefined {
  const { begun, until, lastRun } = countRow(row);
  const length = until - begun;
  if (lastRun === undefined || now >= lastRun + length) return undefined;
  const id = row.guid.slice(0, -rowId('', { begun }).length);
  return newRow(id, { begun: until, until: until + length, lastRun });
}

/** Those that have begun already stay as they are. */
async function beginAll(db: Db, rows: readonly StoredRow[]): Promise<void> {
  const inserting = db.insertInto('repeated_queries').values(rows);
  await inserting.onConflict((conflict) => conflict.column('guid').doNothing()).execute();
}

/** The end comes first, by which rows are found: all times of these centuries have as many digits. */
const textOf = ({ until, begun, lastRun, draft }: Content): string =>
  JSON.stringify({ until, begun, lastRun, ...(draft ? { draft: maskDraft(draft) } : {}) });

function countRow({ draft: text, count }: StoredRow): CountRow {
  // Written by `textOf`, or by a version before, which had the draft alone.
  const content = parseJson(text) as Content | Draft;
  return { ...('begun' in content ? content : { begun: 0, until: 0, draft: content }), count: Number(count) };
}

const firstRows = (db: Db): Promise<readonly StoredRow[]> =>
  db.selectFrom('repeated_queries').selectAll().orderBy('draft').limit(ROWS_PER_UNIT).execute();

/** Rows that have ended by a time, in the order of their ends; those of a version before, which have no end, too. */
const overRows = (db: Db, time: number) =>
  db
    .selectFrom('repeated_queries')
    .selectAll()
    .where(({ or, eb }) => or([eb('draft', '<', `{"until":${time + 1}`), eb('draft', '>=', '{"until;')]))
    .orderBy('draft');
