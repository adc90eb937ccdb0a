// Servers that die, hang and come back: what was acknowledged is there once, what was refused is not there, and a query has all
// rows or an error that names the server.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';

const { reason } = inject('clickhouse');
// The servers are killed here.
const skip = reason || process.env.VIGIL_TEST_CLICKHOUSE;

describe.skipIf(skip)('Two shards of ClickHouse', () => {
  let servers: readonly [ClickhouseServer, ClickhouseServer];
  beforeAll(async () => {
    servers = [await startClickhouse(), await startClickhouse()];
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  const newTable = (home: EngineHome) => home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
  const numbersIn = async (home: EngineHome, table: TableSpec) =>
    (await home.read(table))
      .flatMap(({ n }) => n ?? [])
      .map(Number)
      .sort((one, other) => one - other);
  const portOf = ({ origin }: ClickhouseServer) => new URL(origin).host;

  it('hold parts of every table; without one of them queries fail, and records go to the other', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    const append = (n: number) => home.engine.append(table, [record(`{"n":${n}}`), record(`{"n":${n + 1}}`)]);
    for (let n = 0; n < 8; n += 2) await append(n);
    const perShard = await Promise.all(
      servers.map((server) =>
        server.ask(`select sum(rows) from system.parts where active and table = 't_${table.id}'`),
      ),
    );
    expect(perShard).toEqual([[['4']], [['4']]]);
    await servers[1].kill();
    const named = `log store is not reachable: ${portOf(servers[1])}`;
    await expect(home.read(table)).rejects.toThrow(named);
    await expect(home.count(table, {})).rejects.toThrow(named);
    await expect(home.engine.check()).rejects.toThrow(named);
    for (let n = 8; n < 12; n += 2) await append(n);
    await servers[1].start();
    expect(await numbersIn(home, table)).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect((await home.engine.stats([table.id])).get(table.id)).toMatchObject({
      rows: 12,
      minTime: TIME,
      maxTime: TIME,
    });
  });

  it('give an error for each of twenty queries that were running when one of them was killed', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    await home.engine.append(table, [record('{"s":"a"}')]);
    await home.engine.append(table, [record('{"s":"b"}')]);
    // It takes statements and answers none of them, so all are under way when it dies.
    servers[1].hang();
    let begun = 0;
    const asked = Array.from({ length: 20 }, () =>
      queryOn(home.engine, [table], 'table web | sort s', {
        begun: async () => {
          begun += 1;
        },
      }),
    );
    const outcomes = Promise.allSettled(asked);
    await expect.poll(() => begun).toBe(20);
    await servers[1].kill();
    const named = `log store is not reachable: ${portOf(servers[1])}`;
    expect(
      (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'rows')),
    ).toEqual(Array.from({ length: 20 }, () => named));
    await servers[1].start();
  });

  it('give a query all rows of its beginning, though their days are removed; beyond an hour it gets an error', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    // The count of all rows is asked for when the one that is wanted was read.
    const queried = (between: () => Promise<void>) =>
      queryOn(home.engine, [table], 'table web', { page: { offset: 0n, limit: 1n }, between });
    const remove = async () => {
      await home.engine.removeDays(table, '2026-11-15', '2026-11-15');
      expect(await home.count(table, {})).toBe(0);
      await home.tick({ minutes: 6 });
    };
    const rows = async () => {
      const statement = 'select sum(rows) from system.parts where active';
      const sums = await Promise.all(servers.map((server) => server.ask(statement)));
      return sums
        .flat(2)
        .map(Number)
        .reduce((total, sum) => total + sum);
    };
    const before = await rows();
    const stored = async () => (await rows()) - before;
    await home.engine.append(table, [record('{"n":0}'), record('{"n":1}', TIME - 1)]);
    const { pushes } = await queried(remove);
    expect(pushes.map(Number)).toEqual([2]);
    expect(await stored()).toBe(2);
    await home.tick({ minutes: 6 });
    expect(await stored()).toBe(0);
    await home.engine.append(table, [record('{"n":2}'), record('{"n":3}', TIME - 1)]);
    const late = queried(async () => {
      await remove();
      await home.tick({ minutes: 61 });
    });
    await expect(late).rejects.toThrow('records were removed meanwhile: web');
    expect(await stored()).toBe(0);
  });

  it('give every query its own rows, though the files of one after the other have the same path and size', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    for (let n = 10; n < 22; n += 1) {
      await home.engine.append(table, [record(`{"n":${n}}`)]);
      expect(await numbersIn(home, table)).toEqual([n]);
      await home.engine.removeDays(table, '2026-11-01', '2026-11-30');
    }
  });

  it('have nothing to report of a delete that the end of the service cuts off; the next start makes up for it', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    const staging = await home.engine.stage(table);
    for (let day = 0; day < 40; day += 1) await staging.add([record('{"n":1}', TIME - day * DAY)]);
    servers[0].hang();
    await home.engine.close();
    servers[0].resume();
    expect(home.failures).toEqual([]);
    expect(await home.leftovers()).toEqual([`upload 1 of ${table.id}`]);
    await home.restart();
    await home.tick({ seconds: 10 });
    expect(await home.leftovers()).toEqual([]);
    expect(await numbersIn(home, table)).toEqual([]);
  });

  it('keep what was acknowledged once, and nothing that was refused, however often they are killed', async () => {
    await using home = await makeClickhouseHome({ servers });
    const table = await newTable(home);
    // Columns are there: a change of them needs all shards.
    await home.engine.append(table, [record('{"n":-1}')]);
    const kept = new Set([-1]);
    const refused = new Set<number>();
    const sort = (n: number, stored: Promise<unknown>) =>
      stored.then(
        () => void kept.add(n),
        () => void refused.add(n),
      );
    let isOver = false;
    const pushing = async (from: number) => {
      for (let n = from; !isOver; n += 1) await sort(n, home.engine.append(table, [record(`{"n":${n}}`)]));
    };
    const uploading = async (from: number) => {
      for (let n = from; !isOver; n += 1) await sort(n, upload(home, table, n));
    };
    const work = [pushing(0), pushing(100_000), uploading(200_000)];
    for (const round of [0, 1, 2, 3]) {
      const before = kept.size;
      await expect.poll(() => kept.size).toBeGreaterThan(before + 3);
      const server = servers[round % 2] ?? servers[0];
      await server.kill();
      await server.start();
    }
    isOver = true;
    await Promise.all(work);
    expect(await numbersIn(home, table)).toEqual([...kept].sort((one, other) => one - other));
    expect(refused.intersection(kept)).toEqual(new Set());
    await home.restart();
    await home.tick({ seconds: 10 });
    expect(await numbersIn(home, table)).toEqual([...kept].sort((one, other) => one - other));
    expect(await home.leftovers()).toEqual([]);
  });
});

/** Of two days, so that one of its inserts may succeed and the other fail; the number is that of the first. */
async function upload({ engine }: EngineHome, table: TableSpec, n: number): Promise<void> {
  const staging = await engine.stage(table);
  try {
    await staging.add([record(`{"n":${n}}`), record('{"other":true}', TIME - DAY)]);
    await staging.commit(async () => {});
  } finally {
    await staging.discard();
  }
}
