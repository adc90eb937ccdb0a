// The bytes that a run says it reads of sealed records are those that its columns have in the files, as another DuckDB tells them.

import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import type { StageRecorder } from '#logs/stage-recorder.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const DAY = 86_400_000;
const RECORDS = 400;

describe('The bytes that a run reads of sealed records', () => {
  let home: DuckdbHome;
  let web: TableSpec;
  /** Of each file, oldest first, the bytes of its columns. */
  let files: readonly ReadonlyMap<string, number>[];
  beforeAll(async () => {
    home = await makeEngineHome();
    web = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    const lines = Array.from({ length: RECORDS }, (_, n) =>
      record(`{"n":${n * 7919},"line":"GET /${'x'.repeat(n % 50)}/${n}"}`, TIME - (n % 2) * DAY - n),
    );
    await home.engine.append(web, lines);
    await home.tick({ minutes: 6 });
    files = await bytesByFile(home);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  async function readBy(text: string) {
    const total = { rows: 0, bytes: 0 };
    const recorder: StageRecorder = {
      plan: () => expect.unreachable(),
      begin: () => ({
        read(rows, bytes) {
          total.rows += rows ?? Number.NaN;
          total.bytes += bytes ?? Number.NaN;
        },
        moved() {},
        ended() {},
      }),
    };
    await queryOn(home.engine, [web], text, { recorder });
    return total;
  }
  const sizeOf = (names: readonly string[], some = files): number =>
    some.flatMap((file) => names.map((name) => file.get(name) ?? Number.NaN)).reduce((sum, bytes) => sum + bytes, 0);

  it('are those of the columns that it reads, the times among them', async () => {
    expect(files).toHaveLength(2);
    expect(await readBy('table web | stats sum(n) as s')).toEqual({ rows: RECORDS, bytes: sizeOf(['_time', 'n']) });
    expect(await readBy('table web | stats max(line) as l')).toEqual({
      rows: RECORDS,
      bytes: sizeOf(['_time', 'line']),
    });
    expect(sizeOf(['line'])).toBeGreaterThan(sizeOf(['n']));
  });

  it('are those of the files that it needs', async () => {
    const text = 'table from=20261115 web | stats sum(n) as s';
    expect(await readBy(text)).toEqual({ rows: RECORDS / 2, bytes: sizeOf(['_time', 'n'], files.slice(1)) });
  });

  it('are those of a whole row group, where one of its rows is wanted', async () => {
    const { rows, bytes } = await readBy('table web | fields n | limit 1');
    expect(bytes).toBe(sizeOf(['_time', '_id', 'n'], files.slice(1)));
    expect(rows).toBeLessThanOrEqual(RECORDS / 2);
  });

  it('are none where the catalog knows the answer', async () => {
    expect(await readBy('table web | stats count')).toEqual({ rows: 0, bytes: 0 });
  });
});

async function bytesByFile({ store, folder }: DuckdbHome): Promise<ReadonlyMap<string, number>[]> {
  const found = await store.reader.all(
    `select t.name || '.' || t.id || '/' || s.file as path from log_segments s join log_tables t on t.id = s.table_id order by 1`,
  );
  const connection = await (await DuckDBInstance.create()).connect();
  const sizes: Map<string, number>[] = [];
  for (const { path } of found) {
    const reader = await connection.runAndReadAll(
      `select path_in_schema, sum(total_compressed_size)::double from parquet_metadata('${join(folder, 'tables', String(path))}') group by 1`,
    );
    sizes.push(new Map(reader.getRows().map(([name, bytes]) => [String(name), Number(bytes)])));
  }
  connection.closeSync();
  return sizes;
}
