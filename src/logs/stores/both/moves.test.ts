// Moves of tables over both engines: what is under way when they begin.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Location, TableSpec } from '#logs/log-store.ts';
import { connectionOf } from '#store/kysely.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { DAY, NOW, record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { findMove, insertMove } from './move-catalog.ts';

const nothing = async () => {};

/** Gives how the move has ended, once it has. */
async function begin({ engine, store }: EngineHome, spec: TableSpec, to: Location) {
  const move = { tableId: spec.id, guid: newGuid(), to, userName: 'tester', startedAt: TIME };
  await store.write((unit) => insertMove(unit, move));
  engine.moves?.begin(spec);
  const found = async () => await store.read((db) => findMove(db, spec.id));
  return {
    found,
    async ended() {
      await expect.poll(async () => (await found())?.state).not.toBe('running');
      expect(await found()).toMatchObject({ state: 'finished', error: null });
    },
    async isUnderWay() {
      await expect.poll(async () => (await found())?.writes_to).toBe(to);
      expect(await found()).toMatchObject({ state: 'running' });
    },
  };
}

describe.skipIf(inject('clickhouse').reason)('A move', () => {
  /** One for each shard. */
  let servers: readonly ClickhouseServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([startClickhouse(), startClickhouse()]);
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  const numbersIn = async (home: EngineHome, spec: TableSpec) =>
    (await home.read(spec)).map(({ n }) => Number(n)).sort((one, other) => one - other);

  async function withTable() {
    const home = await makeClickhouseHome({ servers });
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    return { home, spec };
  }

  it('loses and doubles nothing of uploads that were open when it began, in both directions', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    const { engine } = home;
    let next = 0;
    const some = () => Array.from({ length: 4 }, (_, n) => record(`{"n":${next++},"k${next}":true}`, TIME - n * DAY));
    await engine.append(spec, some());
    for (const to of ['embedded', 'clickhouse', 'embedded'] as const) {
      const staging = await engine.stage(spec);
      await staging.add(some());
      const move = await begin(home, spec, to);
      await move.isUnderWay();
      await engine.append(spec, some());
      await staging.add(some());
      expect(await numbersIn(home, spec)).toHaveLength(next - 8);
      expect(await engine.locationOf(spec)).toBe('both');
      await staging.commit(nothing);
      await move.ended();
      expect(await numbersIn(home, spec)).toEqual(Array.from({ length: next }, (_, n) => n));
      const ids = (await home.read(spec)).map(({ _id }) => Number(_id));
      expect(new Set(ids).size).toBe(next);
    }
    await home.restart();
    expect(await numbersIn(home, spec)).toEqual(Array.from({ length: next }, (_, n) => n));
    expect(home.failures).toEqual([]);
  });

  it('takes along the values of fields of several types, and reads them while it is under way', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    const values = [200, 'x', '500', true, 2.5, false];
    const batch = (days: number) => values.map((v, n) => record(JSON.stringify({ n, v }), TIME - days * DAY + n));
    const valuesIn = async () => (await home.read(spec)).map(({ v }) => v);
    await home.engine.append(spec, [...batch(2), ...batch(1)]);
    const move = await begin(home, spec, 'embedded');
    await move.isUnderWay();
    await home.engine.append(spec, batch(0));
    expect(await valuesIn()).toEqual([...values, ...values, ...values]);
    await move.ended();
    expect(await valuesIn()).toEqual([...values, ...values, ...values]);
    const back = await begin(home, spec, 'clickhouse');
    await back.ended();
    expect(await valuesIn()).toEqual([...values, ...values, ...values]);
    expect(home.failures).toEqual([]);
  });

  it('takes along how far sources were read', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    let position = 0;
    for (const to of ['embedded', 'clickhouse', 'embedded'] as const) {
      position += 10;
      await home.engine.append(spec, [record('{"n":1}')], [{ source: 'file', position }]);
      await (await begin(home, spec, to)).ended();
      expect(await home.engine.sourceOffsets(spec)).toEqual(new Map([['file', position]]));
    }
    await home.restart();
    expect(await home.engine.sourceOffsets(spec)).toEqual(new Map([['file', position]]));
    expect(home.failures).toEqual([]);
  });

  it('copies a day again that was removed meanwhile', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    await home.engine.append(spec, [record('{"n":1}')]);
    // As another process would: the unit that switches the day the first time finds a removal in front of it.
    await home.store.write((unit) =>
      connectionOf(unit).exec(
        `create table copies (moved integer);
         create trigger copied after update of days_left on table_moves
         when new.state = 'running' and new.days_done = old.days_done begin insert into copies values (1); end;
         create trigger removed after insert on log_segments when (select count(*) from copies) = 1 begin
         insert into clickhouse_removals (table_id, day, arrived, is_pending, carried_out, since)
         select ${spec.id}, ${NOW.slice(0, 10).replaceAll('-', '')}, 1, 0, 0, 0; end;`,
      ),
    );
    await (await begin(home, spec, 'embedded')).ended();
    expect(await home.store.reader.all('select count(*) as times from copies')).toEqual([{ times: 2 }]);
    expect(await numbersIn(home, spec)).toEqual([1]);
    expect(home.failures).toEqual([]);
  });

  it('does not switch a day to records that were given up, and says that it is no defect', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    await home.engine.append(spec, [record('{"n":1}')]);
    await (await begin(home, spec, 'embedded')).ended();
    // As another node does with the uploads of one that it has not seen for long.
    await home.store.write((unit) =>
      connectionOf(unit).exec(
        `create trigger given_up after insert on clickhouse_uploads begin
         update clickhouse_uploads set is_abandoned = 1; end;`,
      ),
    );
    const { found } = await begin(home, spec, 'clickhouse');
    await expect.poll(async () => (await found())?.state).not.toBe('running');
    expect(await found()).toMatchObject({ state: 'failed', days_done: 0, error: 'database is not reachable' });
    expect(await numbersIn(home, spec)).toEqual([1]);
    expect(home.failures).toEqual([]);
  });

  it('leaves a run that began before with all of its records, and drops what is left behind it', async () => {
    const { home, spec } = await withTable();
    await using _home = home;
    const { engine } = home;
    await engine.append(
      spec,
      Array.from({ length: 300 }, (_, n) => record(`{"n":${n}}`, TIME - (n % 3) * DAY - n)),
    );
    for (const to of ['embedded', 'clickhouse'] as const) {
      const text = 'table web | join n [ table web | eval m = n ] | stats count, dc(_id) as ids, sum(m) as total';
      const { rows } = await queryOn(engine, [spec], text, {
        begun: async () => await (await begin(home, spec, to)).ended(),
      });
      expect(rows.map((row) => row.map(Number))).toEqual([[300, 300, 44_850]]);
      expect(await engine.locationOf(spec)).toBe(to);
    }
    await (await begin(home, spec, 'embedded')).ended();
    const left = () => home.store.reader.all('select table_id from clickhouse_tables');
    await expect.poll(left).toEqual([]);
    expect(await numbersIn(home, spec)).toHaveLength(300);
    expect(home.failures).toEqual([]);
  });
});
