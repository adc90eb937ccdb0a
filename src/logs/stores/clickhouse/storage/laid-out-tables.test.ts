// Names of tables and fields in the comments of columns, for those who see the servers alone, and filters of texts.

import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record } from '#test/support/engine-conformance/samples.ts';
import { startStatementProxy } from '#test/support/statement-proxy.ts';

/** Such as a sender may write, to end the comment or the statement. */
const NAMES = ['plain', "it's", 'back\\', "', f9 String); --", '이름 😀', 'line\nbreak\u0001\u0085', '{id:String}'];
const LONG = 'x'.repeat(401);

describe.skipIf(inject('clickhouse').reason)('The columns of tables on ClickHouse', () => {
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

  it('have comments that name the table and its fields, whatever a sender calls them, also where an earlier version gave none', async () => {
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

  it('are used as they are where a server has lost the text that it has made the table of', async () => {
    const folder = join(inject('folder'), `clickhouse-${newGuid()}`);
    await using own = await startClickhouse({ home: { python: inject('clickhouse').python, folder } });
    await using home = await makeClickhouseHome({ servers: [own] });
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    await home.engine.append(spec, [record('{"line":"GET /index"}')]);
    // As after a change of columns on a full disk.
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith(`/t_${spec.id}.sql`),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const name of texts) truncateSync(join(folder, name));
    await home.restart();
    await home.engine.append(spec, [record('{"line":"GET /other"}')]);
    expect((await home.read(spec)).map(({ line }) => line)).toEqual(['GET /index', 'GET /other']);
  });

  it('have filters of their texts, also in a table that an earlier version made', async () => {
    await using home = await makeClickhouseHome({ servers: [server] });
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    const table = `t_${spec.id}`;
    await home.engine.append(spec, [record('{"n":1,"line":"GET /index"}')]);
    await home.engine.append(spec, [record('{"n":2,"line":"GET /other","memo":"서버 오류 발생"}')]);
    const [[database] = []] = await server.ask(`select database from system.tables where name = '${table}'`);
    const filters = async () => {
      const statement = `select name from system.data_skipping_indices where database = '${database}' and type = 'ngrambf_v1'`;
      return (await server.ask(`${statement} order by name`)).flat();
    };
    expect(await filters()).toEqual(['grams_f2', 'grams_f3']);
    const [[bytes] = []] = await server.ask(
      `select sum(secondary_indices_compressed_bytes) from system.parts where database = '${database}' and active`,
    );
    expect(Number(bytes)).toBeGreaterThan(0);
    const { indexBytes = 0 } = (await home.engine.stats([spec.id])).get(spec.id) ?? {};
    expect(indexBytes).toBeGreaterThanOrEqual(Number(bytes));
    for (const name of await filters())
      await server.ask(`alter table ${database}.${table} drop index ${name} settings mutations_sync = 2`);
    expect(await filters()).toEqual([]);
    await home.restart();
    await home.engine.append(spec, [record('{"n":3,"line":"POST /index","memo":"정상"}')]);
    expect(await filters()).toEqual(['grams_f2', 'grams_f3']);
    expect((await home.read(spec)).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('have no filters where the account may not add them, and all else', async () => {
    await using proxy = await startStatementProxy(server.origin);
    proxy.deny(/\badd index\b/);
    await using home = await makeClickhouseHome({ servers: [{ ...server, origin: proxy.origin }] });
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    await home.engine.append(spec, [record('{"line":"GET /index"}')]);
    await home.engine.append(spec, [record('{"line":"GET /other","memo":"later"}')]);
    const denied = proxy.sent.filter(({ text }) => text.includes('add index'));
    expect(denied.length).toBeGreaterThan(0);
    expect((await home.read(spec)).map(({ memo }) => memo)).toEqual([undefined, 'later']);
    expect(home.failures).toEqual([]);
  });
});
