// What a run tells of its stages, on both engines: where, and how much was read and moved.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import type { StageRecorder } from '#logs/stage-recorder.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

/** Some records of a day, of several days. */
const STEP = 12_345_678;

const WEB = { name: 'web', layout: 'columnar', compression: 'snappy' } as const;

describe.skipIf(inject('clickhouse').reason)('The stages of a run', () => {
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

  /** Of each stage the engine, its commands, whether it has a statement, rows read and moved. */
  async function stagesOf(text: string) {
    return await Promise.all(
      homes.map(async ({ home, table }) => {
        const told: {
          engine: string;
          commands: string;
          statement: string;
          read: number | null;
          bytesRead: number | null;
          moved: number;
          bytes: number;
        }[] = [];
        const recorder: StageRecorder = {
          plan: () => expect.unreachable(),
          begin({ engine, planNodes: nodes, statement }) {
            const commands = nodes
              .map(({ command }) => command)
              .sort()
              .join(' ');
            const stage = {
              engine,
              commands,
              statement: statement?.() ?? '',
              read: null as number | null,
              bytesRead: null as number | null,
              moved: 0,
              bytes: 0,
            };
            told.push(stage);
            return {
              read(rows, bytes) {
                stage.read = (stage.read ?? 0) + (rows ?? Number.NaN);
                stage.bytesRead = (stage.bytesRead ?? 0) + (bytes ?? Number.NaN);
              },
              moved(rows, bytes) {
                stage.moved += rows;
                stage.bytes += bytes;
              },
              ended() {},
            };
          },
        };
        await queryOn(home.engine, [table], text, { recorder });
        return told;
      }),
    );
  }

  it('tells rows that ClickHouse has read and sent, and what is left to the node', async () => {
    const [stored = []] = await stagesOf('table web | search 이름 == "가나" | stats median(n) as s by line');
    // The last one counts the records for the status of the query.
    expect(stored.map(({ engine }) => engine)).toEqual(['clickhouse', 'node', 'clickhouse']);
    const [fetch, rest] = stored;
    expect(fetch).toMatchObject({ commands: 'table', read: 42, moved: 14 });
    expect(fetch?.bytes).toBeGreaterThan(100);
    expect(fetch?.statement).toMatch(/^select _time, .* from t_\d+ where /);
    expect(fetch?.statement).not.toContain('가나');
    expect(rest).toMatchObject({ commands: 'search stats', read: 14, moved: 0 });
    expect(rest?.statement).toContain('from "web"');
    expect(rest?.statement).not.toContain('가나');
  });

  it('tells groups that ClickHouse has made, and what the node makes of them', async () => {
    const [stored = []] = await stagesOf('table web | search 이름 == "가나" | stats sum(n) as s');
    const [groups, count, rest, ...others] = stored;
    expect(others).toEqual([]);
    expect(count).toMatchObject({ engine: 'clickhouse', commands: 'table', moved: 1 });
    expect(groups).toMatchObject({ engine: 'clickhouse', commands: 'search stats table', read: 42, moved: 1 });
    expect(groups?.statement).toContain('count() as weight');
    expect(groups?.statement).not.toContain('가나');
    expect(rest).toMatchObject({ engine: 'node', commands: 'stats' });
    expect(rest?.statement).toContain('from "web"');
    expect(rest?.statement).not.toContain('read_parquet');
  });

  it('tells rows that ClickHouse has chosen, and no others', async () => {
    const [stored = []] = await stagesOf('table web | search n > 3 | limit 5');
    // The last one counts the records for the status of the query.
    expect(stored.map(({ engine, moved }) => [engine, moved])).toEqual([
      ['clickhouse', 5],
      ['clickhouse', 1],
      ['node', 0],
    ]);
    const [firsts = []] = await stagesOf('table web | dedup 이름');
    expect(firsts[0]).toMatchObject({ engine: 'clickhouse', commands: 'table', moved: 3 });
  });

  it.each([
    ['stats dc(line) as a, dc(이름) as b, dc(n) as c, count, max(n) as m', 1],
    ['search n > 3 and n < 9 | stats estdc(이름) as a, sum(n) as s', 1],
    ['search n > 1000 | stats dc(line) as a', 1],
    // A value of each group travels where there are several, and each value where the values are not of one form.
    ['stats dc(line) as a by 이름', 42],
    ['stats dc(line) as a, values(이름) as b', 42],
  ])('tells distinct values that the only server has counted: %s', async (commands, most) => {
    const text = `table web | ${commands}`;
    const [stored, embedded] = await Promise.all(
      homes.map(({ home, table }) =>
        queryOn(home.engine, [table], text).then(({ rows, pushes }) => ({ rows, pushes })),
      ),
    );
    expect(stored).toEqual(embedded);
    const [[groups] = []] = await stagesOf(text);
    expect(groups?.statement.includes('uniqExact')).toBe(most === 1);
    expect(groups?.moved).toBeLessThanOrEqual(most);
  });

  it('asks once for all rows behind a condition', async () => {
    const [stored = []] = await stagesOf('table web | search contains(line, "9")');
    expect(stored.map(({ engine, moved }) => [engine, moved])).toEqual([
      ['clickhouse', 1],
      ['clickhouse', 4],
      ['node', 0],
    ]);
  });

  it('tells rows that the embedded engine looks at, and rows that it hands over', async () => {
    const [, embedded = []] = await stagesOf('table web | search 이름 == "가나" | stats count as c by line');
    expect(embedded).toMatchObject([{ engine: 'embedded', commands: 'search stats table', read: 42, moved: 14 }]);
  });

  it('tells a count of ClickHouse, and one of the catalog', async () => {
    const [stored = [], embedded = []] = await stagesOf('table web | stats count');
    expect(stored).toMatchObject([
      { engine: 'clickhouse', commands: 'table', moved: 1 },
      { engine: 'node', commands: 'stats', statement: '', moved: 0 },
    ]);
    expect(embedded).toMatchObject([{ engine: 'embedded', statement: '', read: 0, moved: 1 }]);
  });
});

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
