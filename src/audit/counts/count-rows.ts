// Rows of counts whose audit entries are not written yet: one for a thing and a period.

import type { Draft } from '#audit/entry.ts';
import { hasEarlierNodes } from '#cluster/members/membership.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import type { Db } from '#store/kysely.ts';
import type { CountedEntryRow } from '#store/schema/schema.ts';
import { oldCountTable } from './old-count-table.ts';

/** Epoch milliseconds, by the clock that the nodes share. */
export interface CountPeriod {
  readonly begun: number;
  readonly until: number;
}

export interface CountRow extends CountPeriod {
  /** Of what is counted (`countId`). */
  readonly id: string;
  /** If set, counting goes on in the next period when this is less than a period ago. */
  readonly lastRun?: number | undefined;
  /** That of the beginning, or of the last number that was added, with the time range of all of them. */
  readonly draft?: Draft | undefined;
  readonly count: number;
}

type RowKey = Pick<CountRow, 'id' | 'begun'>;

/** All of it is part of a unit. */
export interface CountTable {
  /** The row of `id` whose period ends last; that period may be over. */
  newest(db: Db, id: string): Promise<CountRow | undefined>;
  find(db: Db, key: RowKey): Promise<CountRow | undefined>;
  /** A row that is there already stays as it is. */
  insert(db: Db, row: CountRow): Promise<void>;
  update(db: Db, row: CountRow): Promise<void>;
  remove(db: Db, rows: readonly RowKey[]): Promise<void>;
  /** Rows whose period has ended by a time, in the order of their ends. */
  over(db: Db, time: number, limit: number): Promise<readonly CountRow[]>;
}

const countedEntries: CountTable = {
  async newest(db, id) {
    const rows = db.selectFrom('counted_entries').selectAll().where('id', '=', id);
    const row = await rows.orderBy('until', 'desc').limit(1).executeTakeFirst();
    return row && countRow(row);
  },
  async find(db, { id, begun }) {
    const rows = db.selectFrom('counted_entries').selectAll().where('id', '=', id).where('begun', '=', begun);
    const row = await rows.executeTakeFirst();
    return row && countRow(row);
  },
  async insert(db, row) {
    const inserting = db.insertInto('counted_entries').values(storedRow(row));
    await inserting.onConflict((conflict) => conflict.columns(['id', 'begun']).doNothing()).execute();
  },
  async update(db, row) {
    const { id, begun, ...changes } = storedRow(row);
    await db.updateTable('counted_entries').set(changes).where('id', '=', id).where('begun', '=', begun).execute();
  },
  async remove(db, rows) {
    for (const { id, begun } of rows)
      await db.deleteFrom('counted_entries').where('id', '=', id).where('begun', '=', begun).execute();
  },
  async over(db, time, limit) {
    const rows = db.selectFrom('counted_entries').selectAll().where('until', '<=', time);
    return (await rows.orderBy('until').limit(limit).execute()).map(countRow);
  },
};

const storedRow = ({ lastRun, draft, ...row }: CountRow): CountedEntryRow => ({
  ...row,
  last_run: lastRun ?? null,
  draft: draft ? JSON.stringify(draft) : null,
});

const countRow = ({ id, begun, until, last_run, draft, count }: CountedEntryRow): CountRow => ({
  id,
  begun,
  until,
  count,
  ...(last_run === null ? {} : { lastRun: last_run }),
  ...(draft === null ? {} : { draft: parseJson(draft) as Draft }),
});

/** All tables with such rows. The old one goes one version after 0.9.0. */
export const COUNT_TABLES: readonly CountTable[] = [countedEntries, oldCountTable];

/** The table of a new row: as long as a node lives that knows the old one alone, all nodes count there. */
export const tableOfNewRows = async (db: Db): Promise<CountTable> =>
  (await hasEarlierNodes(db)) ? oldCountTable : countedEntries;
