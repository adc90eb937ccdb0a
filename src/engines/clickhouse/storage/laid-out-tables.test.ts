// Names of tables and fields in the comments of columns, for those who see the servers alone.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record } from '#test/support/engine-conformance/samples.ts';

/** Such as a sender may write, to end the comment or the statement. */
const NAMES = ['plain', "it's", 'back\\', "', f9 String); --", '이름 😀', 'line\nbreak\u0001\u0085', '{id:String}'];
const LONG = 'x'.repeat(401);

describe.skipIf(inject('clickhouse').reason)('The comments of columns on ClickHouse', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const commentsOf = async (table: string) => {
    const statement = `select toJSONString((name, comment)) from system.columns
      where table = '${table}' and comment != '' order by position format TSVRaw`;
    return (await server.ask(statement)).map(([line = '']) => JSON.parse(line));
  };

  it('name the table and its fields, whatever a sender calls them, also where an earlier version gave none', async () => {
    await using home = await makeClickhouseHome({ servers: [server, server] });
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    const table = `t_${spec.id}`;
    const sent = Object.fromEntries([...NAMES, LONG].map((name, at) => [name, at]));
    await home.engine.append(spec, [record('{"plain":0}')]);
    await home.engine.append(spec, [record(JSON.stringify(sent))]);
    const own = ['_id', '{"table":"web","layout":"columnar"}'];
    const named = [own, ...NAMES.map((name, at) => [`f${at + 1}`, name])];
    const both = (pairs: readonly unknown[]) => expect.arrayContaining([...pairs, ...pairs]);
    expect(await commentsOf(table)).toEqual(both(named));
    expect((await home.read(spec)).map(({ [LONG]: long, plain }) => [plain, long])).toEqual(
      expect.arrayContaining([[0, 7]]),
    );

    const databases = await server.ask(`select database from system.tables where name = '${table}'`);
    for (const [database] of databases) {
      await server.ask(`alter table ${database}.${table} comment column _id '', comment column f1 ''`);
    }
    expect(await commentsOf(table)).not.toContainEqual(own);
    await home.restart();
    expect(await commentsOf(table)).toEqual(both(named));
  });
});
