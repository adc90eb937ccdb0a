// Segments of earlier forms are written again, or take the present form when they are merged: values of second types and objects
// leave `_rest`, and every record stays as it was.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import { TIME } from '#test/support/engine-conformance/samples.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { withCatalog } from './catalog-schema.ts';

const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;
const DAY = new Date(TIME).toISOString().slice(0, 10);

type Columns = Readonly<Record<string, 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN'>>;
const COLUMNS: Columns = { status: 'BIGINT', ratio: 'DOUBLE', host: 'VARCHAR', ok: 'BOOLEAN', 'a~/b': 'VARCHAR' };

/** Values of columns by their names, and the text of `_rest`. */
type Row = Readonly<Record<string, string | number | boolean | null>>;

const ODD_ROWS: readonly Row[] = [
  { status: 200, host: 'a', _rest: null },
  { status: null, host: 'b', _rest: '{"status":"not found"}' },
  { status: null, host: null, _rest: '{"status":true,"host":7,"other":1}' },
  { status: null, _rest: '{"status":9007199254740993,"host":-1.5}' },
  { status: null, _rest: '{"status":1e400,"host":18446744073709551616}' },
  { status: null, _rest: '{"host":1e3,"ok":"yes"}' },
  { status: null, _rest: '{"host":null,"status":null,"ok":null}' },
  { status: null, _rest: '{"status":404,"ratio":"0.5","ok":0}' },
  { status: null, _rest: '{"status":{"code":500,"inner":null},"host":["x",{"y":1.50}]}' },
  { status: null, _rest: '{"status":"tab\\t \\"quoted\\" \\u0041 \\/ 한글 🦊"}' },
  { status: null, _rest: '{"status":""}' },
  { status: 1, 'a~/b': null, _rest: '{"a~/b":5,"STATUS":"other case","":1}' },
  { status: 2, ratio: 0.1, ok: false, _rest: '{}' },
];

const USUAL_ROWS: readonly Row[] = Array.from({ length: 60 }, (_, at) => ({
  status: null,
  host: `h${at % 3}`,
  _rest: `{"status":"s${at % 5}","kubernetes":{"namespace":"ns-${at % 4}","pod":{"name":"p${at}","restarts":${at % 7}}}}`,
}));

let files = 0;

/** A segment as a version before columns of second types wrote it, with its row in the catalog. */
async function writeFormer(
  { store, folder }: DuckdbHome,
  { id, name }: TableSpec,
  rows: readonly Row[],
  codec = 'lz4_raw',
) {
  files += 1;
  const file = join(DAY, `former-${files}.parquet`);
  const path = join(folder, 'tables', `${name}.${id}`, file);
  mkdirSync(join(path, '..'), { recursive: true });
  const firstId = files * 1000;
  const lines = rows.map((row, at) => JSON.stringify({ _id: firstId + at, _time: TIME + at, ...row }));
  const texts = `${path}.ndjson`;
  writeFileSync(texts, lines.join('\n'));
  const types = { _id: 'BIGINT', _time: 'BIGINT', _rest: 'VARCHAR', ...COLUMNS };
  const listed = Object.entries(types).map(([column, type]) => `${quotedText(column)}: ${quotedText(type)}`);
  const numbers = ['_id', '_time', '_rest', ...Object.keys(COLUMNS)].map(
    (column, at) => `${quotedName(column)}: ${at + 1}`,
  );
  const instance = await openInstance({ memoryBytes: 2 ** 28 });
  try {
    await instance.run(
      `copy (select * replace (epoch_ms(_time) as _time, _rest::json as _rest)
         from read_json(${quotedText(texts)}, format = 'newline_delimited', columns = {${listed.join(', ')}}))
       to ${quotedText(path)} (format parquet, compression ${codec}, field_ids {${numbers.join(', ')}})`,
    );
  } finally {
    await instance.end();
  }
  const bytes = readFileSync(path).length;
  const learnt = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type, isMixed: true }));
  const columns = {
    columns: learnt,
    others: ['other', 'kubernetes', 'STATUS', ''],
    nulls: [],
    isCountless: false,
    hasNulls: true,
  };
  await store.write(async (unit) => {
    const db = withCatalog(unit);
    const times = { min_time: TIME, max_time: TIME + rows.length - 1 };
    const ids = { min_id: firstId, max_id: firstId + rows.length - 1 };
    const segment = { table_id: id, day: DAY, file, rows: rows.length, bytes, ...times, ...ids };
    await db
      .insertInto('log_segments')
      .values({ ...segment, mac: null, codec, record_bytes: null, form: 0 } as never)
      .execute();
    const changed = {
      columns: JSON.stringify(columns),
      last_id: ids.max_id,
      sealed_rows: rows.length,
      sealed_bytes: bytes,
    };
    await db.updateTable('log_tables').set(changed).where('id', '=', id).execute();
  });
}

const formsOf = async ({ store }: DuckdbHome, { id }: TableSpec) => {
  const rows = await store.reader.all('select form, codec from log_segments where table_id = ? order by id', [id]);
  return rows.map(({ form, codec }) => [Number(form), codec]);
};

/** Columns of the only segment of a table with how many values they have. */
async function columnsOf({ store, folder }: DuckdbHome, { id, name }: TableSpec): Promise<Record<string, number>> {
  const [segment] = await store.reader.all('select file from log_segments where table_id = ?', [id]);
  const path = join(folder, 'tables', `${name}.${id}`, String(segment?.file));
  const instance = await openInstance({ memoryBytes: 2 ** 28 });
  try {
    const [row = {}] = await instance.run(`select count(columns(*))::double from read_parquet(${quotedText(path)})`);
    return Object.fromEntries(Object.entries(row).map(([column, count]) => [column, Number(count)]));
  } finally {
    await instance.end();
  }
}

const DAYS = 24;

it('A quiet day is written again a week after the first start, not before, and its records stay as they were', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await writeFormer(home, table, [...ODD_ROWS, ...USUAL_ROWS]);
  await home.restart();
  await home.tick({ seconds: 10 });
  const before = await home.read(table);
  expect(before).toHaveLength(ODD_ROWS.length + USUAL_ROWS.length);
  await home.tick({ hours: 7 * DAYS - 1 });
  expect(await formsOf(home, table)).toEqual([[0, 'lz4_raw']]);
  await home.restart();
  await home.tick({ hours: 2 });
  expect(home.failures).toEqual([]);
  expect(await formsOf(home, table)).toEqual([[2, 'lz4_raw']]);
  expect(await home.read(table)).toEqual(before);
  await home.restart();
  expect(await home.read(table)).toEqual(before);
  expect(await columnsOf(home, table)).toMatchObject({
    'status:string': USUAL_ROWS.length + 3,
    'status:bool': 1,
    'host:number': 2,
    'ok:string': 1,
    'ok:number': 1,
    'ratio:string': 1,
    'a~/b:number': 1,
    'kubernetes.namespace': USUAL_ROWS.length,
    'kubernetes.pod.restarts': USUAL_ROWS.length,
    'kubernetes:shape': USUAL_ROWS.length,
    // Nulls, objects, numbers in unusual forms, fields without a column and an object without a member.
    _rest: 8,
  });
});

it('Dense segments stay dense, several become one, and a table is opened for it', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await writeFormer(home, table, USUAL_ROWS, 'zstd');
  await writeFormer(home, table, ODD_ROWS, 'zstd');
  const other = await home.createTable({ name: 'other', ...STORAGE });
  await writeFormer(home, other, ODD_ROWS);
  await home.restart();
  const before = [await home.read(table), await home.read(other)];
  await home.tick({ seconds: 10 });
  await home.restart();
  await home.tick({ hours: 8 * DAYS });
  expect(home.failures).toEqual([]);
  expect(await formsOf(home, table)).toEqual([[2, 'zstd']]);
  expect(await formsOf(home, other)).toEqual([[2, 'lz4_raw']]);
  expect([await home.read(table), await home.read(other)]).toEqual(before);
  expect(await home.leftovers()).toEqual([]);
});

it('Segments that are merged anyway take the present form at once', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await writeFormer(home, table, ODD_ROWS);
  await writeFormer(home, table, ODD_ROWS);
  await home.restart();
  const before = await home.read(table);
  await home.tick({ minutes: 6 });
  expect(await formsOf(home, table)).toEqual([[2, 'lz4_raw']]);
  expect(await home.read(table)).toEqual(before);
});

it('A segment that would lose something stays as it is, and is not tried again at once', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await writeFormer(home, table, [...ODD_ROWS, { status: null, _rest: '{"status":"a","status":"b"}' }]);
  await home.restart();
  await home.tick({ seconds: 10 });
  await home.tick({ hours: 8 * DAYS });
  await home.tick({ minutes: 1 });
  expect(home.failures).toEqual([expect.objectContaining({ message: expect.stringContaining('would differ') })]);
  expect(await formsOf(home, table)).toEqual([[0, 'lz4_raw']]);
  expect(await home.leftovers()).toEqual([]);
});
