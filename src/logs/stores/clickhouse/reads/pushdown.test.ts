// What is left to ClickHouse, and what travels: columns, counts and rows that a query needs, with the answers of the embedded engine.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { type EngineQuery, queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

/** Some records of a day, of several days. */
const STEP = 12_345_678;

const WEB = { name: 'web', layout: 'columnar', compression: 'snappy' } as const;

describe.skipIf(inject('clickhouse').reason)('A query on ClickHouse', () => {
  let server: ClickhouseServer;
  let homes: readonly { readonly home: EngineHome; readonly table: TableSpec }[];
  beforeAll(async () => {
    server = await startClickhouse();
    const made = [await makeClickhouseHome({ servers: [server] }), await makeEngineHome()];
    homes = await Promise.all(made.map(async (home) => ({ home, table: await home.createTable(WEB) })));
    for (const { home, table } of homes) await fill(home, table);
  });
  afterAll(async () => {
    for (const { home } of homes) await home[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  afterEach(() => void vi.restoreAllMocks());

  /** The statements that it fetched rows with; its answer is that of the embedded engine. */
  async function fetchesOf(text: string): Promise<string[]> {
    const download = vi.spyOn(ClickhouseClient.prototype, 'download');
    const [stored, embedded] = await Promise.all(
      homes.map(({ home, table }) => queryOn(home.engine, [table], text).then(answerOf)),
    );
    expect(stored).toEqual(embedded);
    return download.mock.calls.map(([statement]) => statement);
  }

  const listOf = (statement: string | undefined) => /^select (.*?) from t_/s.exec(statement ?? '')?.[1];

  it.each([
    ['table web | fields n', '_id, _time, f4'],
    ['table web | stats sum(n), first(n) by 이름', '_id, _time, f2, f4'],
    ['table web | search mixed == "x" | stats count', expect.stringMatching(/^_time, f3, if\(empty\(_rest\)/)],
    ['table web | search rare == 7 | stats count', expect.stringMatching(/^_time, if\(empty\(_rest\)/)],
  ])('fetches the columns that it reads: %s', async (text, list) => {
    expect((await fetchesOf(text)).map(listOf)).toEqual([list]);
  });

  it.each([
    'table web | stats count',
    `table from=20261115 web | stats count as n`,
    'table from=20261101 web | timechart span=1d count',
    'table web | timechart span=7m count',
    'table from=20991231 web | stats count',
    'table web | timechart span=1w count',
  ])('counts without rows: %s', async (text) => {
    expect(await fetchesOf(text)).toEqual([]);
  });

  it('looks for the end of a slice among rows that may match, twice as many as a limit has to find', async () => {
    const rows = vi.spyOn(ClickhouseClient.prototype, 'rows');
    await fetchesOf('fulltext "get" from web | limit 3');
    const ends = rows.mock.calls.map(([statement]) => / limit 1 offset (\d+)$/.exec(statement)?.[1]);
    expect(ends.filter((end) => end !== undefined)).toEqual(['20']);
  });

  it('counts with rows where a quarter of an hour lies in two groups', async () => {
    const text = 'table to=19080401 web | timechart span=1d count';
    expect((await fetchesOf(text)).map(listOf)).toEqual(['_time']);
  });
});

const answerOf = ({ plan, rows, pushes }: EngineQuery) => ({ columns: plan.result.rows.columns.length, rows, pushes });

async function fill({ engine }: EngineHome, table: TableSpec): Promise<void> {
  const texts = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({
      n,
      line: `GET /${n}`,
      이름: n % 3 === 0 ? '가나' : 'other',
      mixed: n % 2 === 0 ? 'x' : n,
      ...(n % 5 === 0 ? { rare: [n], n: null } : {}),
    }),
  );
  await engine.append(
    table,
    texts.map((text, n) => record(text, TIME - n * STEP)),
  );
  // Of a time when Seoul was 8 hours, 27 minutes and 52 seconds ahead, around its midnight.
  const old = ['1908-02-29T15:32:00Z', '1908-02-29T15:32:20Z'].map((at) => Temporal.Instant.from(at).epochMilliseconds);
  await engine.append(
    table,
    old.map((at) => record('{"n":1}', at)),
  );
}
