// GET /tables/:table/days

import { grantee } from '#access/rights/table-rights.ts';
import { notFound } from '#contract/errors.ts';
import { type LogStore, TableGone } from '#logs/log-store.ts';
import { arrayOf, dayText, int64, record } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { day } from '#operations/params/time-params.ts';
import { specOf } from './model.ts';
import { table } from './params.ts';
import { findTable } from './store.ts';

const dayRecord = record('TableDay', {
  day: dayText('Day of the service’s time zone.'),
  rows: int64('Number of records.', 120000),
  table_size: int64('Bytes of the data.', 1048576),
  index_size: int64('Bytes of the index.', 4096),
});

export const days = endpoint({
  title: 'List table days',
  notes:
    'What a table holds of each day, newest first; days without records are left out. The figures come from the ' +
    'catalog: no record is read. Records that arrived lately are counted too; their bytes are divided among their days ' +
    'by their number.',
  method: 'GET',
  path: '/api/core/tables/:table/days',
  access: 'MEMBER',
  params: {
    table,
    from: described(day, 'First day to list; from the beginning where absent.'),
    to: described(day, 'Last day to list; up to the newest where absent.'),
  },
  answer: record({ days: arrayOf(dayRecord)('Days with records, newest first.') }),

  async run({ table: name, from, to }, { db, caller, engine }: Call & { engine: LogStore }) {
    const row = await findTable(db, name, grantee(caller));
    if (!row) throw notFound('table', name);
    const stored = await engine.days(specOf(row)).catch((error: unknown) => {
      throw error instanceof TableGone ? notFound('table', name) : error;
    });
    const listed = [...stored]
      .filter(([day]) => (from === undefined || day >= from) && (to === undefined || day <= to))
      .sort(([one], [other]) => (one < other ? 1 : -1));
    return {
      days: listed.map(([day, { rows, dataBytes, indexBytes }]) => ({
        day,
        rows,
        table_size: dataBytes,
        index_size: indexBytes,
      })),
    };
  },
});
