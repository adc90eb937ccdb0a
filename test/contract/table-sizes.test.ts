// Sizes and shares are those of the files that really lie on disk, whatever happens to a table.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { bytesOf, filesOf, seal, segmentsOf } from '#test/support/segments.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const TABLES = '/api/core/tables';
const DAYS = ['2024-02-26', '2024-02-27', '2024-02-28', '2024-02-29'];
const CODECS = { snappy: 'LZ4_RAW', deflate: 'ZSTD' } as const;
const STORAGES = [
  { layout: 'columnar', compression: 'snappy' },
  { layout: 'columnar', compression: 'deflate' },
  { layout: 'row', compression: 'snappy' },
  { layout: 'row', compression: 'deflate' },
] as const;

/** Filters of words count as the index, and are made whenever there is time for it: also the one that is being written. */
const isFilter = (file: string) => /\.words(\.unfinished)?$/.test(file);

interface Listed {
  readonly table_name: string;
  readonly table_size: number;
  readonly index_size: number;
  readonly ratio: number;
}

describe('The listed size of a table', () => {
  const subject = serviceFor({ alone: 'embedded' });
  const { call } = subject;
  const listed = async (): Promise<Listed[]> => (await call('GET', TABLES)).json.tables;
  const sizeOf = async (name: string) => (await listed()).find(({ table_name }) => table_name === name)?.table_size;
  const onDisk = (name: string) => bytesOf(segmentsOf(subject.service, name));
  const everythingOnDisk = (name: string) => bytesOf(filesOf(subject.service, name).filter((file) => !isFilter(file)));
  const body = DAYS.flatMap((day) =>
    Array.from({ length: 50 }, (_, n) => JSON.stringify({ _time: `${day} 12:00:00+0000`, n, path: `/${day}/${n}` })),
  ).join('\n');
  const loggers = new Map<string, string>();
  const logger = (table: string) => loggers.get(table) ?? '';
  /** Shares and sizes are read one after the other: a filter that is made between them shows at the next look. */
  const expectRatios = async () => {
    const sharesOf = (tables: readonly Listed[]) => {
      const total = tables.reduce((sum, { table_size, index_size }) => sum + table_size + index_size, 0);
      return tables.map(({ table_size, index_size }) => (total === 0 ? 0 : (table_size + index_size) / total));
    };
    const isExact = (tables: readonly Listed[]) =>
      sharesOf(tables).every((share, at) => Math.abs(share - (tables[at]?.ratio ?? 0)) < 1e-12);
    const tables = await until(listed, isExact);
    expect(tables.map(({ ratio }) => ratio.toFixed(12))).toEqual(sharesOf(tables).map((share) => share.toFixed(12)));
  };

  it('is of its journal while it is fresh: nothing at first, more with every push', async () => {
    for (const storage of STORAGES) {
      const table = `${storage.layout}_${storage.compression}`;
      loggers.set(table, await createLogger(subject, { table, storage }));
      expect(await sizeOf(table)).toBe(0);
      await push(subject, logger(table), { body });
      const first = (await sizeOf(table)) ?? 0;
      expect(first).toBe(everythingOnDisk(table));
      await push(subject, logger(table), { body });
      expect(await sizeOf(table)).toBe(everythingOnDisk(table));
      expect(await sizeOf(table)).toBeGreaterThan(first);
      await expectRatios();
    }
  });

  it('is exactly that of its files once it is sealed, in the compression and layout it was made with', async () => {
    for (const { layout, compression } of STORAGES) {
      const table = `${layout}_${compression}`;
      await seal(subject, table);
      const bytes = await until(
        async () => onDisk(table),
        () => segmentsOf(subject.service, table).length === DAYS.length,
      );
      expect(
        await until(
          () => sizeOf(table),
          (size) => size === bytes,
        ),
      ).toBe(bytes);
      const columns = await columnsOf(segmentsOf(subject.service, table));
      expect(new Set(columns.map(({ compression: codec }) => codec))).toEqual(new Set([CODECS[compression]]));
      const hasOwnColumn = columns.some(({ path_in_schema }) => path_in_schema === 'path');
      expect([layout, hasOwnColumn]).toEqual([layout, layout === 'columnar']);
    }
    await expectRatios();
  });

  it('adds sealed files and fresh records', async () => {
    const sealed = onDisk('row_snappy');
    await push(subject, logger('row_snappy'), { body });
    const size = everythingOnDisk('row_snappy');
    expect(size).toBeGreaterThan(sealed);
    expect(await sizeOf('row_snappy')).toBe(size);
    await expectRatios();
    await subject.service.restart();
    // What was fresh may be sealed at any moment from now on.
    const sizes = async () => [await sizeOf('row_snappy'), everythingOnDisk('row_snappy')];
    const [listed, stored] = await until(sizes, ([one, other]) => one === other);
    expect(listed).toBe(stored);
    expect(listed).toBeGreaterThan(0);
  });

  it('loses what is removed with its days, and so does the disk', async () => {
    const table = 'columnar_snappy';
    const before = onDisk(table);
    await call('DELETE', `${TABLES}/${table}/partitions`, { form: { start: '2024-02-26', end: '2024-02-27' } });
    const left = await until(
      async () => segmentsOf(subject.service, table),
      (files) => files.length === 2,
    );
    expect(left).toHaveLength(2);
    expect(bytesOf(left)).toBeLessThan(before);
    expect(await sizeOf(table)).toBe(bytesOf(left));
    await expectRatios();
  });

  it('loses what retention takes', async () => {
    const table = 'columnar_deflate';
    expect(segmentsOf(subject.service, table)).toHaveLength(4);
    await call('PUT', `${TABLES}/${table}/retention`, { form: { period: '1' } });
    subject.clock.advance({ minutes: 1 });
    const left = await until(
      async () => segmentsOf(subject.service, table),
      (files) => files.length === 1,
    );
    expect(left).toHaveLength(1);
    expect(await sizeOf(table)).toBe(bytesOf(left));
    const { json } = await call('GET', `${TABLES}/${table}`);
    expect(json.table).toMatchObject({ min_day: '2024-02-29 00:00:00+0000', max_day: '2024-02-29 00:00:00+0000' });
    await expectRatios();
  });

  it('is nothing for a table made anew under the name of one that was dropped, of which nothing is left', async () => {
    const table = 'row_deflate';
    await call('DELETE', '/api/core/loggers', { form: { guids: logger(table), drop_table: 'true' } });
    await call('POST', TABLES, { form: { table } });
    const { json } = await call('GET', `${TABLES}/${table}`);
    expect(json.table).toMatchObject({
      table_size: 0,
      index_size: 0,
      ratio: 0,
      layout: 'columnar',
      compression: 'snappy',
    });
    expect(json.table).not.toHaveProperty('min_day');
    expect(json.table).not.toHaveProperty('max_day');
    const files = async () => readdirSync(join(subject.service.config.data, 'tables'), { recursive: true });
    const left = await until(files, (names) => !names.some((name) => String(name).startsWith(`${table}.`)));
    expect(left.filter((name) => String(name).startsWith(`${table}.`) && String(name).endsWith('.parquet'))).toEqual(
      [],
    );
    await expectRatios();
  });
});

/** What the files say of their own columns, asked of another DuckDB than the service's. */
async function columnsOf(files: readonly string[]): Promise<{ compression: string; path_in_schema: string }[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const list = files.map((file) => `'${file}'`).join();
  const reader = await connection.runAndReadAll(
    `select distinct compression, path_in_schema from parquet_metadata([${list}])`,
  );
  connection.closeSync();
  instance.closeSync();
  return reader.getRowObjectsJS().map(({ compression, path_in_schema }) => ({
    compression: String(compression),
    path_in_schema: String(path_in_schema),
  }));
}
