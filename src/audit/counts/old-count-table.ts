// The table of counts of versions before 0.9.0: thing and beginning are one text, and the JSON text of the rest begins with the end, by
// which rows are found. Nodes of such a version read and write it; this one does so beside them, and settles what they have left. It goes
// one version after 0.9.0.

import type { Draft } from '#audit/entry.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import type { Db } from '#store/kysely.ts';
import type { CountPeriod, CountRow, CountTable } from './count-rows.ts';

interface StoredRow {
  readonly guid: string;
  readonly draft: string;
  readonly count: number;
}

interface Content extends CountPeriod {
  readonly lastRun?: number;
  readonly draft?: Draft;
}

export const oldCountTable: CountTable = {
  async newest(db, id) {
    const rows = db
      .selectFrom('repeated_queries')
      .selectAll()
      .where('guid', '>=', `${id}.`)
      .where('guid', '<', `${id}/`);
    return (await rows.execute()).map(countRow).sort((one, other) => other.until - one.until)[0];
  },
  async find(db, key) {
    const rows = db.selectFrom('repeated_queries').selectAll().where('guid', '=', guidOf(key));
    const row = await rows.executeTakeFirst();
    return row && countRow(row);
  },
  async insert(db, row) {
    const inserting = db.insertInto('repeated_queries').values(storedRow(row));
    await inserting.onConflict((conflict) => conflict.column('guid').doNothing()).execute();
  },
  async update(db, row) {
    const { guid, ...changes } = storedRow(row);
    await db.updateTable('repeated_queries').set(changes).where('guid', '=', guid).execute();
  },
  async remove(db, rows) {
    for (const row of rows) await db.deleteFrom('repeated_queries').where('guid', '=', guidOf(row)).execute();
  },
  async over(db, time, limit) {
    return (await overRows(db, time).limit(limit).execute()).map(countRow);
  },
};

/** All times of these centuries have as many digits. Rows of a still earlier version are a draft alone, without an end. */
const overRows = (db: Db, time: number) =>
  db
    .selectFrom('repeated_queries')
    .selectAll()
    .where(({ or, eb }) => or([eb('draft', '<', `{"until":${time + 1}`), eb('draft', '>=', '{"until;')]))
    .orderBy('draft');

const guidOf = ({ id, begun }: Pick<CountRow, 'id' | 'begun'>): string => (begun === 0 ? id : `${id}.${begun}`);

const storedRow = ({ until, begun, lastRun, draft, count, ...key }: CountRow): StoredRow => ({
  guid: guidOf({ ...key, begun }),
  draft: JSON.stringify({ until, begun, lastRun, ...(draft ? { draft } : {}) }),
  count,
});

function countRow({ guid, draft: text, count }: StoredRow): CountRow {
  const content = parseJson(text) as Content | Draft;
  if (!('begun' in content)) return { id: guid, begun: 0, until: 0, draft: content, count: Number(count) };
  return { ...content, id: guid.slice(0, guid.lastIndexOf('.')), count: Number(count) };
}
