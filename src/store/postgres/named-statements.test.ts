// Statements that the server keeps for the writer: where it keeps them, and what changes under them.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { listening } from '#test/support/listening.ts';
import { databases } from '#test/support/service.ts';
import { NamedStatements } from './named-statements.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const TEXT = 'select name from companies where guid = $1';

describe('The name of a statement', () => {
  const named = () => {
    const statements = new NamedStatements();
    statements.start();
    return { statements, use: (text = TEXT) => statements.nameFor(text) };
  };

  it('is given with the third use, and used by others once the server has answered it', () => {
    const { statements, use } = named();
    expect([use(), use(), use(), use()]).toEqual([undefined, undefined, 's1', undefined]);
    statements.answered(TEXT, 's1');
    expect(use()).toBe('s1');
  });

  it('is another one after the server has refused the statement', () => {
    const { statements, use } = named();
    expect([use(), use(), use()].at(-1)).toBe('s1');
    statements.refused(TEXT, 's1', new Error('the transaction is aborted'));
    expect(use()).toBe('s2');
  });

  it('stays when the server has taken the statement and refused its row', () => {
    const { statements, use } = named();
    expect([use(), use(), use()].at(-1)).toBe('s1');
    statements.refused(TEXT, 's1', Object.assign(new Error('duplicate key'), { code: '23505' }));
    expect(use()).toBe('s1');
  });

  it('is given to a hundred statements at most, however many are refused', () => {
    const { statements, use } = named();
    for (let count = 0; count < 300; count += 1) statements.refused(TEXT, use(), new Error('aborted'));
    expect(use()).toBeUndefined();
  });

  it('is given to no statement that asks for all columns, which may change', () => {
    const { use } = named();
    expect(Array.from({ length: 5 }, () => use('select * from companies where guid = $1')).at(-1)).toBeUndefined();
  });

  it('is used no more when the server does not know it', () => {
    const { statements, use } = named();
    for (let count = 0; count < 3; count += 1) use();
    statements.answered(TEXT, 's1');
    statements.refused(
      TEXT,
      's1',
      Object.assign(new Error('prepared statement "s1" does not exist'), { code: '26000' }),
    );
    expect(use()).toBeUndefined();
  });
});

describe.skipIf(postgres?.skip)('Statements that are used often', () => {
  let database: string;
  const opened: Store[] = [];

  beforeEach(async () => {
    database = await createMetadataDatabase(`s_${newGuid().replaceAll('-', '')}`);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  async function open(location: string) {
    const store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    opened.push(store);
    return store;
  }

  const use = (store: Store) =>
    store.write(async (db: Db) => {
      await connectionOf(db).all('select name from companies where guid = ?', ['none']);
      return await connectionOf(db).all('select * from companies where guid = ?', ['none']);
    });
  const kept = (store: Store) =>
    store.write((db) =>
      connectionOf(db).all("select 1 from pg_prepared_statements where statement like '%companies%'"),
    );

  it('are kept by the server, and go on when a migration changes their tables', async () => {
    const store = await open(database);
    for (let count = 0; count < 8; count += 1) await use(store);
    expect(await kept(store)).toHaveLength(1);
    await store.write((db) => connectionOf(db).exec('alter table companies add column motto text'));
    expect(await use(store)).toEqual([]);
  });

  it('are not kept behind a pooler, which may give each transaction another connection', async () => {
    await using pooler = await poolerBefore(database);
    const store = await open(pooler.url);
    for (let count = 0; count < 8; count += 1) await use(store);
    expect(await kept(store)).toHaveLength(0);
    const read = (text: string) => store.reader.all(text, ['none'], { isPrepared: true });
    for (let count = 0; count < 8; count += 1) await read('select name from companies where guid = ?');
    expect(await read('select 1 from pg_prepared_statements where statement <> ?')).toEqual([]);
  });
});

/** Tells clients a number of its own in place of that of the server process, as poolers do. */
async function poolerBefore(database: string) {
  const { hostname, port } = new URL(database);
  const keyData = Buffer.from([0x4b, 0, 0, 0, 12]);
  const clients = new Set<Socket>();
  const server = createServer((near) => {
    clients.add(near);
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(keyData);
      if (at >= 0) chunk.writeUInt32BE(7, at + keyData.length);
      near.write(chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const url = new URL(database);
  url.host = new URL(await listening(server)).host;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}
