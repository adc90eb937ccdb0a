// Groups that ClickHouse makes itself: the answers of the embedded engine, and few bytes on the way, whatever the number of
// records. Without it every record would travel.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import type { TableSpec } from '#engines/engine.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { type EngineQuery, queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

const RECORDS = 6_000;
const BATCH = 1_500;
/** A file of Parquet with a few groups has about 2 kB; the least of the columns has 6,000 values. */
const MAX_BYTES = 20_000;
const WEB = { name: 'web', layout: 'columnar', compression: 'snappy' } as const;
const OTHER = { name: 'other', layout: 'columnar', compression: 'deflate' } as const;

describe.skipIf(inject('clickhouse').reason)('Groups on ClickHouse', () => {
  let server: ClickhouseServer;
  let homes: readonly { readonly home: EngineHome; readonly tables: readonly TableSpec[] }[];
  beforeAll(async () => {
    server = await startClickhouse();
    const made = [await makeClickhouseHome({ servers: [server, server] }), await makeEngineHome()];
    homes = await Promise.all(made.map(async (home) => ({ home, tables: await filled(home) })));
  });
  afterAll(async () => {
    for (const { home } of homes) await home[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  afterEach(() => void vi.restoreAllMocks());

  /** The statements that rows were fetched with and the bytes of these; the answers of both engines are the same. */
  async function fetchesOf(text: string) {
    const fetches: { statement: string; bytes: number }[] = [];
    const { download } = ClickhouseClient.prototype;
    vi.spyOn(ClickhouseClient.prototype, 'download').mockImplementation(function (this: ClickhouseClient, ...args) {
      const [statement, { take, ...options }] = args;
      const fetch = { statement, bytes: 0 };
      fetches.push(fetch);
      return download.call(this, statement, {
        ...options,
        take(piece: Buffer) {
          fetch.bytes += piece.length;
          return take(piece);
        },
      });
    });
    const [stored, embedded] = await Promise.all(
      homes.map(({ home, tables }) => queryOn(home.engine, tables, text).then(answerOf)),
    );
    expect(stored).toEqual(embedded);
    return fetches;
  }

  it.each([
    'table web | stats count by host',
    'table web | stats count, sum(bytes), avg(bytes), min(bytes), max(bytes) by host, isok',
    'table web | stats sum(took), avg(took), min(took), max(took) by host',
    'table web | stats sum(huge), max(huge), count(huge)',
    'table web | stats sum(huge) by host',
    'table web | stats count(host), min(host), max(host), min(_time), max(_time)',
    'table web | stats count by ratio',
    'table web | stats dc(host), dc(ratio), values(isok) by host',
    'table web | search bytes > 500 and host != "" | stats count by host',
    'table web | search not(bytes >= 500) or isnull(host) | stats count, max(bytes) by isok',
    'table web | search in(host, "a*", "B") | stats count by host | sort -count',
    'table web | search host != "*a*" | stats count by host',
    'table web | search line == "GET /7" | stats min(_time), max(bytes), min(took)',
    'table web | search contains(line, "17") | stats count',
    'table web | search _time >= date("2026-11-14") | stats count by isok',
    'table web, other | stats count, sum(bytes) by _table, host',
    'table web | top 3 host',
    'table web | rare 2 ratio by isok',
    'table web | timechart span=1h sum(bytes) as s, count',
    'table web | timechart span=1d cont=t avg(took) as a',
    'table web | timechart span=1d count by host',
    'table web | timechart span=1w count by host',
    'table web | search isok | timechart span=10m count',
    'table web | timechart span=1d limit=2 max(bytes) as m by host',
    'table web | pivot sum(bytes) rows host cols isok',
    'table web | rollup count, sum(bytes) by host, isok',
    'table web | stats count by host | stats sum(count) as n, count as hosts',
    'table web | search bytes > 2000000 | stats count, sum(bytes), min(host)',
    'table from=20991231 web | stats count by host',
    'table other | union [ table web | stats count by host ] | stats sum(count) as n, count as c',
  ])('are few rows: %s', async (text) => {
    const fetches = await fetchesOf(text);
    expect(fetches.length).toBeGreaterThan(0);
    const own = fetches.filter(({ statement }) => statement.includes('count() as weight'));
    expect(own).not.toEqual([]);
    const rest = text.includes('union') ? fetches.length - own.length : 0;
    expect(fetches.length).toBe(own.length + rest);
    expect(own.map(({ bytes }) => bytes < MAX_BYTES)).toEqual(own.map(() => true));
  });

  it.each([
    ['values of several types', 'table web | stats count by mixed'],
    ['a field without a column', 'table web | stats sum(rare) as s'],
    ['a condition on values of several types', 'table web | search mixed == 5 | stats count by host'],
    ['a condition that ClickHouse sees otherwise', 'table web | search match(host, "a") | stats count by host'],
    ['an aggregate of the order', 'table web | stats first(host), last(bytes)'],
    ['an aggregate that cannot be merged', 'table web | stats median(bytes) by host'],
    ['texts that are numbers', 'table web | stats sum(host) as s'],
    ['rows that are cut', 'table limit=100 web | stats count by host'],
    ['rows that are changed', 'table web | eval host = lower(host) | stats count by host'],
  ])('are made of records on the node where it must: %s', async (_, text) => {
    const fetches = await fetchesOf(text);
    expect(fetches.filter(({ statement }) => statement.includes('count() as weight'))).toEqual([]);
    expect(fetches.length).toBeGreaterThan(0);
  });

  it.each([
    ['few of many', 'table web | search bytes == 17 | limit 3'],
    ['by a text', 'table web | search contains(line, "99") and host == "B" | limit 5'],
    ['the oldest', 'table order=asc web | search bytes == 17 | fields line | limit 3'],
  ])('are not needed for the newest rows behind a condition, which are fetched at once: %s', async (_, text) => {
    const fetches = await fetchesOf(text);
    expect(fetches).toHaveLength(2);
    expect(fetches.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
  });

  it('are made of records where a quarter of an hour lies in two buckets', async () => {
    const text = 'table to=19080401 other | timechart span=1d sum(bytes) as s';
    expect((await fetchesOf(text)).some(({ statement }) => !statement.includes('count() as weight'))).toBe(true);
  });
});

/** Rows of no order in any order. Before a limit that has its rows commands may have handed on more or fewer. */
const answerOf = ({ plan, rows, pushes }: EngineQuery) => ({
  columns: plan.result.rows.columns.map(({ name }) => name),
  rows: plan.result.rows.order ? rows : rows.map((row) => JSON.stringify(row)).sort(),
  pushes: pushes.slice(plan.result.text.startsWith('limit') ? 1 : 0),
});

const HOSTS = ['a', 'A', 'B', '', 'e\u0301', 'é', '한글', "it's \\ \t", undefined, null];

/** Numbers are such that sums of fractions are exact in any order. */
function fields(n: number): object {
  return {
    bytes: n % 7 === 0 ? undefined : n % 1000,
    took: (n % 64) / 8,
    ratio: [0.5, -0.0, 0, -2.25][n % 4],
    huge: [2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53 - 2][n % 3],
    host: HOSTS[n % HOSTS.length],
    isok: n % 3 === 0 ? undefined : n % 3 === 1,
    line: `GET /${n}`,
    mixed: n % 2 === 0 ? n : `t${n}`,
    ...(n % 5 === 0 ? { rare: [n] } : {}),
  };
}

async function filled({ engine, createTable }: EngineHome): Promise<readonly TableSpec[]> {
  const [web, other] = [await createTable(WEB), await createTable(OTHER)];
  for (let from = 0; from < RECORDS; from += BATCH) {
    const some = Array.from({ length: BATCH }, (_, index) => from + index);
    await engine.append(
      web,
      some.map((n) => record(JSON.stringify(fields(n)), TIME - n * 40_000)),
    );
  }
  // Of a time when Seoul was 8 hours, 27 minutes and 52 seconds ahead, around its midnight.
  const old = ['1908-02-29T15:32:00Z', '1908-02-29T15:32:20Z'].map((at) => Temporal.Instant.from(at).epochMilliseconds);
  await engine.append(
    other,
    [TIME, ...old].map((at) => record('{"bytes":1,"host":"a"}', at)),
  );
  return [web, other];
}
