// Groups that ClickHouse makes itself: the answers of the embedded engine, and few bytes on the way, whatever the number of
// records. Without it every record would travel.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import type { StageRecorder } from '#logs/stage-recorder.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
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
    ['few of many', 'table web | search bytes == 17 | limit 3', 'limit 3'],
    ['by a text', 'table web | search contains(line, "99") and host == "B" | limit 5', 'limit 5'],
    ['the oldest', 'table order=asc web | search bytes == 17 | fields line | limit 3', '_id asc limit 3'],
    ['behind some', 'table web | search not(bytes < 900) | limit 4 2', 'limit 6'],
    ['with a computed field', 'table web | search isok | eval a = lower(host) | fields a | limit 2', 'limit 2'],
    ['of all', 'table web | limit 7', 'limit 7'],
    ['by the scan', 'table limit=2 offset=3 web', 'limit 5'],
    ['fewer than asked for', 'table web | search line == "GET /7" | limit 3', 'limit 3'],
    ['none', 'table web | search line == "gone" | limit 3', 'limit 3'],
  ])('are not needed for the first rows, which ClickHouse chooses: %s', async (_, text, end) => {
    const fetches = await fetchesOf(text);
    expect(fetches.map(({ statement }) => statement.endsWith(`${end} format Parquet`))).toEqual([true, true]);
    expect(fetches.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
  });

  it.each([
    ['the newest of each', 'table web | dedup host', 'limit 1 by'],
    ['the oldest of each', 'table order=asc web | dedup host', '_id asc limit 1 by'],
    ['two of each', 'table web | dedup count=2 host, isok | stats count by host', 'limit 2 by'],
    ['behind a condition', 'table web | search bytes > 500 and isnotnull(host) | dedup ratio', 'limit 1 by'],
    ['of several tables', 'table web, other | dedup _table, host', 'limit 1 by'],
    ['of a table', 'table web | dedup _table | fields line', 'limit 1'],
    ['keys alone', 'table web | fields isok, host | dedup isok', 'limit 1 by'],
    ['before other commands', 'table web | dedup host | eval a = 1 | sort line | limit 3', 'limit 1 by'],
    ['fractions', 'table web | dedup ratio | stats count', 'limit 1 by'],
  ])('are not needed for the first rows of keys, which ClickHouse chooses: %s', async (_, text, end) => {
    const fetches = await fetchesOf(text);
    expect(fetches.map(({ statement }) => statement.includes(`${end} `))).toEqual(fetches.map(() => true));
    expect(fetches.length).toBe(text.includes('other') && !text.includes('before other') ? 4 : 2);
    expect(fetches.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(2 * MAX_BYTES);
  });

  it.each([
    ['keys of several types', 'table web | dedup mixed | stats count'],
    ['keys that are computed', 'table web | eval h = lower(host) | dedup h | stats count'],
    ['another order', 'table web | sort line | dedup host'],
    ['a condition that ClickHouse sees otherwise', 'table web | search match(host, "a") | dedup host'],
    ['rows that are cut before', 'table limit=100 web | dedup host'],
  ])('do not change which rows a dedup keeps where ClickHouse cannot choose: %s', async (_, text) => {
    const fetches = await fetchesOf(text);
    expect(fetches.filter(({ statement }) => statement.includes(' by f'))).toEqual([]);
  });

  it.each([
    ['a part of a text', 'table web | search contains(line, "/5999")'],
    ['a text', 'table web | search line == "GET /5999" | fields host'],
    ['letters of both cases', 'table web | search contains(line, "GET /5999") | stats count'],
    ['Hangul', 'table web | search contains(memo, "서버 오류") | stats count by host'],
    ['a rare text', 'table web | search memo == "결제 서버 오류 발생" | limit 2'],
    ['a text of no record', 'table web | search contains(memo, "데이터베이스")'],
  ])('are read of few rows where filters of texts tell which: %s', async (_, text) => {
    await fetchesOf(text);
    const [stored] = homes;
    if (!stored) throw new Error('there is no ClickHouse');
    let read = 0;
    const recorder: StageRecorder = {
      plan: () => expect.unreachable(),
      begin: ({ statement }) => ({
        read(rows) {
          if (statement?.().includes('lower(ifNull(')) read += rows ?? Number.NaN;
        },
        moved() {},
        ended() {},
      }),
    };
    await queryOn(stored.home.engine, stored.tables, text, { recorder });
    // The parts of a shard may have been merged, into one of less than the rows of a filter.
    expect(read).toBeLessThanOrEqual(text.includes('데이터') ? 0 : RECORDS / 2);
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
    memo: n === 4321 ? '결제 서버 오류 발생' : '정상 처리 완료',
    mixed: n % 2 === 0 ? n : `t${n}`,
    ...(n % 5 === 0 ? { rare: [n] } : {}),
  };
}

async function filled({ engine, createTable }: EngineHome): Promise<readonly TableSpec[]> {
  const web = await createTable(WEB);
  const other = await createTable(OTHER);
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
