// Merged segments of real tables: the same records, sorted, in the codec that they are to have.

import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { tableClosed } from '#contract/errors.ts';
import { type Fields, LAYOUTS, type TableSpec } from '#logs/log-store.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { ColumnRegistry, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { merge } from './merge.ts';
import { segmentFrom } from './rewrite.ts';
import { CODECS } from './segment-file.ts';
import { plainStorage } from './segment-storage.ts';

const FORMS = PROTECTIONS.flatMap((protection) => LAYOUTS.map((layout) => ({ layout, protection })));
const OLD = TIME - 40 * DAY;
const HOUR = 3_600_000;
const SPEC = { id: 1, name: 'web', layout: 'columnar', compression: 'snappy' } as const;

/** Batches that overlap at their ends, come late, lie within another, and have fields of all kinds. */
const batches = (time: number) => [
  [record('{"n":1,"message":"가나다 ABC"}', time), record('{"n":2,"_sorted":"a name of our own"}', time + 10)],
  [record('{"n":"3","nested":{"a":[1,null]}}', time + 8), record('{"n":4.5,"message":null}', time + 20)],
  [record('{"n":5}', time + 15), record('{"n":6,"Message":"case"}', time + 15), record('{"n":7}', time + 16)],
  [record('{"other":true}', time + 30), record('{"n":9}', time - HOUR)],
  [record('{"n":10}', time + 40)],
  [record('{"n":11}', time + 40), record('{"n":12}', time + 40)],
  [record('{"n":13}', time + 50)],
];

async function fill(home: DuckdbHome, spec: TableSpec, time: number): Promise<void> {
  for (const batch of batches(time)) {
    await home.engine.append(spec, batch);
    await home.tick({ minutes: 6 });
  }
}

const codecsIn = async ({ store }: DuckdbHome): Promise<unknown[]> =>
  (await store.reader.all('select codec from log_segments order by codec, rows')).map(({ codec }) => codec);

const byId = (records: readonly Fields[]) => records.toSorted((a, b) => Number(a._id) - Number(b._id));

it.each(FORMS)(
  'A merged day has the same records, becomes dense when it rests, and again after late records: $layout, $protection',
  async ({ layout, protection }) => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    const twin = await home.createTable({ name: 'twin', layout, compression: 'snappy' }, 'plain');
    for (const batch of batches(OLD)) await home.engine.append(twin, batch);
    const expected = byId(await home.read(twin));
    await home.store.write((db) => db.deleteFrom('log_tables').where('id', '=', twin.id).execute());
    await home.engine.drop(twin);

    await fill(home, spec, OLD);
    expect((await codecsIn(home)).length).toBeLessThan(5);
    expect(byId(await home.read(spec))).toEqual(expected.map((fields) => ({ ...fields, _table: 'web' })));
    await home.tick({ minutes: 6 });
    expect(await codecsIn(home)).toEqual(['zstd']);
    expect(byId(await home.read(spec))).toEqual(expected.map((fields) => ({ ...fields, _table: 'web' })));
    if (protection !== 'encrypted') await expectSorted(home);

    await home.engine.append(spec, [record('{"n":14}', OLD + 5)]);
    await home.tick({ minutes: 6 });
    expect(await codecsIn(home)).toEqual(['lz4_raw', 'zstd']);
    await home.restart();
    await home.tick({ minutes: 6 });
    expect(new Set(await codecsIn(home))).toEqual(new Set(['zstd']));
    expect(await home.count(spec, {})).toBe(expected.length + 1);
    await home.engine.append(spec, [record('{"n":15}', OLD + 6)]);
    await Promise.all([home.tick({ minutes: 6 }), home.engine.removeDays(spec, '2026-01-01', '2026-12-31')]);
    expect(await home.read(spec)).toEqual([]);
    expect(await home.leftovers()).toEqual([]);
    expect(home.failures).toEqual([]);
  },
);

it('Files of an earlier version stay readable, and take the codec of their class when they are merged', async () => {
  await using home = await makeEngineHome();
  const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
  for (const n of [1, 2, 3]) {
    await home.engine.append(spec, [record(`{"n":${n}}`, TIME + n)]);
    await home.tick({ minutes: 6 });
  }
  for (const path of await pathsIn(home)) await rewriteAsBefore(path);
  await home.store.write((db) =>
    db
      .updateTable('log_segments' as never)
      .set({ codec: '' } as never)
      .execute(),
  );
  await home.restart();
  expect((await home.read(spec)).map(({ n }) => n)).toEqual([1, 2, 3]);
  await home.engine.append(spec, [record('{"n":4}', TIME + 4)]);
  await home.tick({ minutes: 6 });
  expect(await codecsIn(home)).toEqual(['lz4_raw']);
  const [path = ''] = await pathsIn(home);
  expect(await asked(`select distinct compression from parquet_metadata('${path}')`)).toEqual([['LZ4_RAW']]);
  expect((await home.read(spec)).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  expect(home.failures).toEqual([]);
});

it('A merge of several row groups is sorted across its overlaps, on one thread and on several', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-merge-'));
  for (const threads of [1, 2]) {
    const instance = await openInstance({ memoryBytes: 2 ** 28, threads });
    const storage = plainStorage({ instance, folder, reportCorruption: tableClosed });
    const columns = new Map([['text', { type: 'VARCHAR', number: 4 }]] as const);
    const parts = { storage, folder, spec: SPEC, columns, registry: new ColumnRegistry(NOTHING_LEARNT) };
    // Each begins a second before the end of the one before it; the last one has a late record.
    const seconds = (n: number) => `epoch_ms(${TIME}::bigint + i * 10 - ${n} * 1000 - (i = 209999)::int * 300000)`;
    const from = await Promise.all(
      [0, 1, 2].map((n) => {
        const source = `select i as _id, ${seconds(n)} as _time, null::json as _rest, 'line ' || i as text
          from range(${n * 70_000}, ${(n + 1) * 70_000}) r(i)`;
        const target = { day: '2026-11-15', name: `${threads}-${n}.parquet`, codec: CODECS.snappy, form: 1 as const };
        return segmentFrom(
          { source, rows: 70_000, recordBytes: 70_000, names: ['text'], leafNames: new Set(), isSorted: false },
          target,
          parts,
        );
      }),
    );
    const into = await merge({ from, isDense: false }, parts);
    expect(into).toMatchObject({ rows: 210_000, minId: 0, maxId: 209_999, codec: 'lz4_raw' });
    const path = join(folder, into.file);
    const disordered = `select count(*)::int, count(*) filter (where before is not null and (_time, _id) < (before, id_before))::int
      from (select _time, _id, lag(_time) over (order by file_row_number) as before,
        lag(_id) over (order by file_row_number) as id_before from read_parquet('${path}', file_row_number = true))`;
    expect(await asked(disordered)).toEqual([[210_000, 0]]);
    const groups = `select max(row_group_num_rows)::int, count(distinct row_group_id)::int from parquet_metadata('${path}')`;
    expect(await asked(groups)).toEqual([[expect.closeTo(100_352, -4), 3]]);
    await instance.end();
  }
  rmSync(folder, { recursive: true });
});

async function pathsIn({ store, folder }: DuckdbHome): Promise<string[]> {
  const sql = `select t.name || '.' || t.id || '/' || s.file as path from log_segments s join log_tables t on t.id = s.table_id`;
  return (await store.reader.all(sql)).map(({ path }) => join(folder, 'tables', String(path)));
}

async function rewriteAsBefore(path: string): Promise<void> {
  const ids = 'field_ids {_id: 1, _time: 2, _rest: 3, n: 4}';
  await asked(`copy (from read_parquet('${path}')) to '${path}.old' (format parquet, compression snappy, ${ids})`);
  renameSync(`${path}.old`, path);
}

/** No record of a file is before the one that it follows. */
async function expectSorted(home: DuckdbHome): Promise<void> {
  for (const path of await pathsIn(home)) {
    const rows = await asked(`select _time::varchar, _id from read_parquet('${path}', file_row_number = true)
      order by file_row_number`);
    const sorted = rows.toSorted(([a, m], [b, n]) =>
      String(a) < String(b) ? -1 : a === b ? Number(m) - Number(n) : 1,
    );
    expect(rows).toEqual(sorted);
  }
}

/** Of another DuckDB than the engine's. */
async function asked(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
