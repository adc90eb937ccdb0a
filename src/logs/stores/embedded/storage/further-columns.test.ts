// A field of several types has a column for each of them, in fresh records, sealed and merged segments.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;

const RECORDS = [
  '{"status":200,"host":"a"}',
  '{"status":"not found","host":7}',
  '{"host":true,"status":404.5}',
  '{"status":false,"host":null}',
  '{"status":{"code":500},"host":2.5}',
  '{"status":9007199254740993}',
  '{"status":"500"}',
];

/** Columns of the files of a table with the values that they have, oldest first. */
async function columnsOf({ store, folder }: DuckdbHome, { id, name }: TableSpec) {
  const segments = await store.reader.all('select file from log_segments where table_id = ? order by min_id', [id]);
  const paths = segments.map(({ file }) => quotedText(join(folder, 'tables', `${name}.${id}`, String(file))));
  const instance = await openInstance({ memoryBytes: 2 ** 28 });
  try {
    const rows = await instance.run(
      `select columns(* exclude (_id, _time))::varchar from read_parquet([${paths.join(', ')}], union_by_name = true) order by _id`,
    );
    const names = Object.keys(rows[0] ?? {});
    return Object.fromEntries(names.map((one) => [one, rows.flatMap((row) => (row[one] === null ? [] : [row[one]]))]));
  } finally {
    await instance.end();
  }
}

const COLUMNS = {
  status: ['200.0', '404.5'],
  host: ['a'],
  'status:string': ['not found', '500'],
  'host:number': ['7.0', '2.5'],
  'status:bool': ['false'],
  'host:bool': ['true'],
  _rest: ['{"host":null}', '{"status":{"code":500}}', '{"status":9007199254740993}'],
};

it('A value is in the column of its type, and what no column holds in _rest', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await home.engine.append(
    table,
    RECORDS.map((text, at) => record(text, TIME + at)),
  );
  const fresh = await home.read(table);
  expect(fresh.map(({ status, host }) => [status ?? null, host ?? null])).toEqual([
    [200, 'a'],
    ['not found', 7],
    [404.5, true],
    [false, null],
    [{ code: 500 }, 2.5],
    [{ rawJSON: '9007199254740993' }, null],
    ['500', null],
  ]);
  await home.restart();
  expect(await home.read(table)).toEqual(fresh);
  await home.tick({ minutes: 6 });
  expect(await columnsOf(home, table)).toEqual(COLUMNS);
  expect(await home.read(table)).toEqual(fresh);
});

it('Segments of several generations, and what they are merged to, have the same columns', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  for (const [at, text] of RECORDS.entries()) {
    await home.engine.append(table, [record(text, TIME + at)]);
    if (at % 2 === 0) await home.restart();
    await home.tick({ minutes: 6 });
  }
  const [{ segments } = { segments: 0 }] = await home.store.reader.all('select count(*) as segments from log_segments');
  expect(Number(segments)).toBeLessThan(RECORDS.length);
  expect(await columnsOf(home, table)).toEqual(COLUMNS);
});

it('A name that is taken gets a number, and a field whose name is taken stays in _rest', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  const batches = ['{"Level:STRING":1}', '{"level":2}', '{"level":"x"}', '{"level":true}', '{"level:bool":3}'];
  for (const [at, text] of batches.entries()) await home.engine.append(table, [record(text, TIME + at)]);
  const fresh = await home.read(table);
  expect(fresh).toMatchObject(batches.map((text) => JSON.parse(text)));
  await home.restart();
  expect(await home.read(table)).toEqual(fresh);
  await home.tick({ minutes: 6 });
  expect(await columnsOf(home, table)).toEqual({
    'Level:STRING': ['1'],
    level: ['2'],
    'level:string:2': ['x'],
    'level:bool': ['true'],
    _rest: ['{"level:bool":3}'],
  });
  expect(await home.read(table)).toEqual(fresh);
});
