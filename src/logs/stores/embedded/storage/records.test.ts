import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeEmptyFile } from '#logs/runs/duckdb/empty-file.ts';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import { fieldIds, recordsSource, type Stored } from './records.ts';

const ROWS = 300_000;
const stored: Stored = {
  layout: 'columnar',
  columns: new Map([
    ['n', { type: 'BIGINT', number: 4 }],
    ['late', { type: 'VARCHAR', number: 5 }],
  ]),
  leaves: NO_LEAVES,
};

let folder: string;
let instance: Instance;
let path: string;
let emptyFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-records-'));
  instance = await openInstance({ memoryBytes: 2 ** 29 });
  path = join(folder, 'large.parquet');
  emptyFile = await writeEmptyFile(folder);
  await instance.run(
    `copy (select i as _id, epoch_ms(i) as _time, null::json as _rest, i as n from range(${ROWS}) as all_rows(i))
     to '${path}' (format parquet, row_group_size 100000, ${fieldIds(stored, ['n'])})`,
  );
});

afterAll(async () => {
  await instance.end();
  await rm(folder, { recursive: true });
});

const summary = (source: string) =>
  instance.run(
    `select count(*) as rows, sum(n)::double as total, count(late) as late, max(_time) as last from (${source})`,
  );

it.each([
  { what: 'a large file', read: { rows: ROWS }, isBeside: true },
  { what: 'a small file', read: { rows: 1000 }, isBeside: false },
  { what: 'a large part of a file', read: { from: 50, to: ROWS - 50 }, isBeside: true },
  { what: 'a small part of a file', read: { from: 50, to: 1000 }, isBeside: false },
])('a SELECT over $what has the same rows beside a file without any', async ({ read, isBeside }) => {
  const files = 'rows' in read ? { paths: [path], rows: read.rows } : { paths: [], parts: [{ path, ...read }] };
  const alone = recordsSource({ ...files, hotTables: [] }, stored);
  const beside = recordsSource({ ...files, hotTables: [], emptyFile }, stored);
  expect(beside.includes(emptyFile)).toBe(isBeside);
  expect(alone).not.toContain(emptyFile);
  expect(await summary(beside)).toEqual(await summary(alone));
});
