// PUT /lookups/:guid/rows

import { writableLookups } from '#access/rights/lookup-rights.ts';
import { noPermission, notFound } from '#contract/errors.ts';
import type { PushLimits } from '#ingest/decode/decode.ts';
import { loadLookup } from '#ingest/lookups/lookup-load.ts';
import type { LookupFormat } from '#ingest/lookups/lookup-rows.ts';
import { int32, record } from '#operations/answers/shapes.ts';
import { type Call, type Content, endpoint } from '#operations/endpoint.ts';
import { inQuery, oneOf, orElse } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { LOAD_MODES, type StoredLookups } from '#queries/lookups/stored-lookups.ts';
import { findLookup } from '#store/rows/lookups.ts';
import { requireVisible } from './rows.ts';

const FORMATS: Readonly<Record<string, LookupFormat>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
};

export const load = endpoint({
  title: 'Load lookup rows',
  notes:
    'CSV whose first line names the columns (values are texts, an empty one is null unless it is quoted), a JSON ' +
    'array of objects, or one JSON object a line. `mode=replace` replaces all rows, `merge` keeps the other rows ' +
    'and replaces rows whose key comes again. All or nothing: 400 `wrong lookup row <n>: <reason>` names the first ' +
    'wrong row, counted from 1 without the line of columns, with the reason `no-key`, `duplicate-key`, ' +
    '`unknown-column`, `not-an-object` or `column-count`; a CSV that names no columns is `column-count` of row 1. More rows than `lookup-rows`, or more than 268,435,456 ' +
    'characters, are 500 `too many lookup rows: <n>`. A larger file comes by an upload with the metadata `lookup`.',
  method: 'PUT',
  path: '/api/core/lookups/:guid/rows',
  access: 'MEMBER',
  audit: 'lookups.load',
  params: {
    guid: guidOf('lookup'),
    mode: inQuery(orElse(oneOf(LOAD_MODES), 'replace', 'Whether other rows go or stay.')),
  },
  rawBody: { types: Object.keys(FORMATS), sample: 'user,dept\nkim,sec\n' },
  isUnit: false,
  answer: record({
    row_count: int32('Number of rows of the lookup.', 1),
    version: int32('Version of the lookup, which this load has raised.', 1),
  }),

  async run({ guid, mode }, { db, caller, content, storedLookups, pushLimits, note, entry }: Needs) {
    await requireVisible(db, caller, guid);
    const row = await findLookup(db, guid);
    if (!row) throw notFound('lookup', guid);
    if (!(await writableLookups(db, caller, [row])).has(guid)) throw noPermission();
    note({ guid, name: row.name });
    const { lineBytes, lines: maxRows } = pushLimits;
    const format = FORMATS[content.type] ?? 'ndjson';
    const { row_count, version } = await loadLookup(bytesOf(content), {
      row,
      mode,
      format,
      lineBytes,
      maxRows,
      storedLookups,
      note: (_, loaded) => entry.add({ row_count: loaded.row_count, version: loaded.version }),
    });
    entry.committed();
    return { row_count, version };
  },
});

interface Needs extends Call {
  readonly storedLookups: StoredLookups;
  readonly pushLimits: PushLimits;
}

async function* bytesOf({ bytes }: Content): AsyncGenerator<Buffer> {
  yield bytes;
}
