// Databases of PostgreSQL that cannot hold the metadata.

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { openStore } from './store.ts';

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
