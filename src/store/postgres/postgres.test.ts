// Databases of PostgreSQL that cannot hold the metadata, and statements that a newer version makes stale.

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore } from '#store/store.ts';
import { createDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('A database of PostgreSQL', () => {
  it('with another encoding than UTF-8 is refused, and nothing is made in it', async () => {
    const url = new URL(await createDatabase(`p_${newGuid().replaceAll('-', '')}`));
    const name = `${url.pathname.slice(1)}_ascii`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
    await client.end();
    url.pathname = `/${name}`;
    await expect(openStore(url.href, { groupCommitted() {}, storeFailed() {} })).rejects.toMatchObject({
      code: 'database-unfit',
      values: { encoding: 'SQL_ASCII' },
    });
    const after = new pg.Client({ connectionString: url.href });
    await after.connect();
    const { rows } = await after.query(`select tablename from pg_tables where schemaname = 'public'`);
    await after.end();
    expect(rows).toEqual([]);
  });
});

describe.skipIf(postgres?.skip)('A prepared statement', () => {
  it('gives its rows on every connection, also after a column has got another type', async () => {
    const url = await createDatabase(`p_${newGuid().replaceAll('-', '')}`);
    const store = await openStore(url, { groupCommitted() {}, storeFailed() {} });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create table kept (id int, value int); insert into kept values (1, 7)');
    const read = async () =>
      (await store.reader.all('select value from kept where id = ?', [1], { isPrepared: true }))[0]?.value;
    const readAtOnce = () => Promise.all(Array.from({ length: 20 }, read));
    const isPlanned = () =>
      store.reader.all("select 1 from pg_prepared_statements where statement like '%from kept where%'");
    expect(await readAtOnce()).toEqual(Array(20).fill(7));
    expect(await isPlanned()).toHaveLength(1);
    await client.query('alter table kept alter column value type text');
    expect(await readAtOnce()).toEqual(Array(20).fill('7'));
    expect(await readAtOnce()).toEqual(Array(20).fill('7'));
    await client.end();
    await store.close();
  });
});
