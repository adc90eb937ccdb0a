// Days that nothing is written into are read without a test of each record, and never show more than the test would.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { connectionOf } from '#store/kysely.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type StatementProxy, startStatementProxy } from '#test/support/statement-proxy.ts';

const DAY = 86_400_000;
const REST = { seconds: 10 };
const COUNT = 'table web | stats count';

/** A number of each of three days, the oldest one last. */
const RECORDS = [0, 1, 2].map((n) => record(JSON.stringify({ n }), TIME - n * DAY));

describe.skipIf(inject('clickhouse').reason)('Records beside which nothing is written', () => {
  let server: ClickhouseServer;
  let proxy: StatementProxy;
  let home: EngineHome;
  let table: TableSpec;
  beforeAll(async () => {
    server = await startClickhouse();
    proxy = await startStatementProxy(server.origin);
    home = await makeClickhouseHome({ servers: [{ ...server, origin: proxy.origin }] });
    table = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    for (const one of RECORDS) await home.engine.append(table, [one]);
  });
  afterAll(async () => {
    await home?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** The rows, and for each statement over records whether it tests their arrivals. */
  async function asked(text: string) {
    const before = proxy.sent.length;
    const { rows } = await queryOn(home.engine, [table], text);
    return { rows, tests: proxy.sent.slice(before).map((sent) => sent.text.includes('_arrived')) };
  }

  const append = (days: number) => home.engine.append(table, [record('{"n":9}', TIME - days * DAY)]);

  it('are tested a moment after they were written, and later not', async () => {
    expect(await asked(COUNT)).toEqual({ rows: [[3]], tests: [true] });
    home.clock.advance(REST);
    expect(await asked(COUNT)).toEqual({ rows: [[3]], tests: [false] });
    expect(await asked('table web | stats sum(n) as s')).toEqual({ rows: [[3]], tests: [false] });
    expect(await asked('table web | limit 1 | fields n')).toEqual({ rows: [[0]], tests: [false] });
    expect((await asked('table web | search n > 0 | limit 1')).tests).toEqual([false, false]);
    expect((await asked('table web | eval m = n + 1 | stats max(m) as m')).tests).toEqual([false]);
  });

  it('are tested where others of their days arrive while a statement reads them', async () => {
    for (const text of [COUNT, 'table web | stats sum(n) as s', 'table web | search n >= 0 | fields n | sort n']) {
      home.clock.advance(REST);
      const { rows } = await asked(text);
      proxy.hold(/ from t_\d+ where /);
      const before = proxy.sent.length;
      const asking = asked(text);
      await expect.poll(() => proxy.sent.length).toBeGreaterThan(before);
      await append(1);
      proxy.release();
      const again = await asking;
      expect(again.rows).toEqual(rows);
      expect([again.tests[0], again.tests.includes(true)]).toEqual([false, true]);
      expect((await asked(text)).rows).not.toEqual(rows);
    }
  });

  it('are not disturbed by those of another day', async () => {
    home.clock.advance(REST);
    await append(0);
    const old = 'table from=20261113 to=20261114 web | stats count';
    expect(await asked(old)).toEqual({ rows: [[1]], tests: [false] });
    expect((await asked(COUNT)).tests).toEqual([true]);
  });

  it('are tested while an upload is open, whose records stay hidden', async () => {
    const { rows: before } = await asked(COUNT);
    const staging = await home.engine.stage(table);
    await staging.add([record('{"n":100}', TIME - 2 * DAY)]);
    // Its records are on the server, and its row is in the catalog until the unit has ended.
    await staging.commit(async () => {
      home.clock.advance(REST);
      expect(await asked(COUNT)).toEqual({ rows: before, tests: [true] });
    });
    expect(await asked(COUNT)).toEqual({ rows: [[Number(before[0]?.[0]) + 1]], tests: [false] });
  });

  it('are tested where the catalog is older than the uploads on the server', async () => {
    const [[total] = []] = (await asked(COUNT)).rows;
    await home.store.write((db) => connectionOf(db).all('update clickhouse_tables set next_upload = 1'));
    await home.restart();
    await asked(COUNT);
    home.clock.advance(REST);
    expect(await asked(COUNT)).toEqual({ rows: [[Number(total) - 1]], tests: [true] });
  });
});
