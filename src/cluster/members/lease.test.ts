// The lease of the logs between stores on one PostgreSQL database, each with a data folder that the test makes up.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { connectionOf } from '#store/kysely.ts';
import { openStore, type Store } from '#store/store.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import {
  isLease,
  type LeaseClaim,
  LeaseLost,
  type LogsFolder,
  NAME_IN_USE,
  type ProcessLease,
  takeLease,
} from './lease.ts';
import { LEASE_TIMES } from './lease-times.ts';
import { hasSeveralNodes, type OwnNode, registeredNodes } from './membership.ts';

const named = (name: string): OwnNode => ({
  name,
  types: ['control'],
  address: `${name}:1`,
  version: '1',
  times: LEASE_TIMES,
});
const NODE = named('n1');
const SECOND = named('n2');
const postgres = databases.find(({ name }) => name === 'postgres');
const FOLDER: LogsFolder = { guid: newGuid(), inode: '1', host: 'one', path: '/data' };
const COPY: LogsFolder = { ...FOLDER, inode: '2', host: 'two', path: '/copy' };
const OTHER: LogsFolder = { guid: newGuid(), inode: '1', host: 'two', path: '/other' };

const take = (
  store: Store,
  folder: LogsFolder,
  node: OwnNode,
  { sharesLogs }: Pick<LeaseClaim, 'sharesLogs'> = { sharesLogs: false },
) => takeLease(store, node, { folder, sharesLogs });

describe.skipIf(postgres?.skip)('The lease of the logs', () => {
  let one: Store;
  let two: Store;
  beforeEach(async () => {
    const database = await createDatabase(`t_${newGuid().replaceAll('-', '')}`);
    const open = () => openStore(database, { groupCommitted() {}, storeFailed() {} });
    [one, two] = [await open(), await open()];
    await one.write((db) => db.insertInto('installation').values({ key: 'guid', value: newGuid() }).execute());
  });
  afterEach(async () => {
    await one.close();
    await two.close();
  });

  async function taken(
    store: Store,
    folder: LogsFolder,
    node = NODE,
    options: Pick<LeaseClaim, 'sharesLogs'> = { sharesLogs: false },
  ): Promise<ProcessLease> {
    const lease = await take(store, folder, node, options);
    if (!isLease(lease)) throw new Error(`refused: ${JSON.stringify(lease)}`);
    return lease;
  }
  const age = (seconds: number) =>
    Promise.all([
      two.reader.all(`update logs_keeper set renewed_at = renewed_at - ${seconds * 1000}`),
      two.reader.all(`update nodes set last_seen = last_seen - ${seconds * 1000}`),
    ]);
  const SHARED = { sharesLogs: true };
  const renewedAt = async () => Number((await two.reader.all('select renewed_at from logs_keeper'))[0]?.renewed_at);

  it('is taken over at once by the folder that it names, even under another host name', async () => {
    await taken(one, FOLDER);
    await taken(two, { ...FOLDER, host: 'renamed', path: '/mounted' });
    expect(await two.reader.all('select host, path from logs_keeper')).toEqual([{ host: 'renamed', path: '/mounted' }]);
  });

  it('is taken by a copy of the folder when it has ended, after 60 seconds of the database', async () => {
    await taken(one, FOLDER);
    await age(55);
    expect(await take(two, COPY, NODE)).toEqual({ node: 'n1' });
    await age(6);
    await taken(two, COPY);
  });

  it('is never taken by another folder, which would hide the logs', async () => {
    await taken(one, FOLDER);
    await age(3600);
    expect(await take(two, OTHER, SECOND)).toEqual({ node: 'n1' });
  });

  it('is taken by another folder where it has ended and nothing was installed', async () => {
    await taken(one, FOLDER);
    await one.write((db) => db.deleteFrom('installation').execute());
    expect(isLease(await take(two, OTHER, SECOND))).toBe(false);
    await age(61);
    await taken(two, OTHER);
  });

  it('is renewed every ten seconds, by the clock of the database', async () => {
    const clock = new ManualClock('2001-01-01T00:00:00Z');
    (await taken(one, FOLDER)).keep(clock);
    await age(50);
    const before = await renewedAt();
    clock.advance({ seconds: 10 });
    await expect.poll(renewedAt).toBeGreaterThanOrEqual(before + 50_000);
  });

  it('that was released in order is taken by a copy at once', async () => {
    await (await taken(one, FOLDER)).release({ forget: false });
    await taken(two, COPY);
  });

  it('goes with the name of the node, which is listed by the clock of the database', async () => {
    const lease = await taken(one, FOLDER);
    await lease.showKey('key');
    const states = async () => (await registeredNodes(two, SECOND).list()).map(({ name, state }) => ({ name, state }));
    const [node] = await registeredNodes(one, NODE).list();
    expect(node).toMatchObject({ name: 'n1', types: ['control'], state: 'alive', address: 'n1:1', version: '1' });
    expect(node).toMatchObject({ keepsLogs: true, isSelf: true, publicKey: 'key' });
    await age(59);
    expect(await states()).toEqual([{ name: 'n1', state: 'alive' }]);
    await age(2);
    expect(await states()).toEqual([{ name: 'n1', state: 'gone' }]);
    await taken(two, COPY, SECOND);
    expect(await states()).toEqual([
      { name: 'n1', state: 'gone' },
      { name: 'n2', state: 'alive' },
    ]);
  });

  it('is refused under the name of a living node, and then nothing is taken', async () => {
    await taken(one, FOLDER);
    await two.reader.all('delete from logs_keeper');
    expect(await take(two, OTHER, NODE)).toBe(NAME_IN_USE);
    expect(await two.reader.all('select 1 from logs_keeper')).toEqual([]);
    await age(61);
    await taken(two, OTHER);
  });

  it('under another name of the same folder ends the former name at once', async () => {
    await taken(one, FOLDER);
    await taken(two, FOLDER, SECOND);
    const nodes = await registeredNodes(two, SECOND).list();
    expect(nodes.map(({ name, state, keepsLogs }) => [name, state, keepsLogs])).toEqual([
      ['n1', 'gone', false],
      ['n2', 'alive', true],
    ]);
    expect(await two.read(hasSeveralNodes)).toBe(false);
  });

  it('is claimed by a process that shares its logs, and keeps others out from then on', async () => {
    const lease = await taken(one, FOLDER, NODE, SHARED);
    expect(lease.isExclusive).toBe(false);
    const undone = one.write(async (unit) => {
      expect(await lease.claim(unit)).toBe(true);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(lease.isExclusive).toBe(false);
    // Two of one group.
    const claims = [1, 2].map(() => one.write((unit) => lease.claim(unit)));
    expect(await Promise.all(claims)).toEqual([true, true]);
    expect(lease.isExclusive).toBe(true);
    expect(await take(two, OTHER, SECOND, SHARED)).toEqual({ node: 'n1' });
    expect(await one.write((unit) => lease.claim(unit))).toBe(true);
    await lease.release({ forget: false });
    expect(await two.reader.all('select lease from logs_keeper')).toEqual([{ lease: null }]);
  });

  it('is not claimed where another process shares the logs, until that has ended', async () => {
    const lease = await taken(one, FOLDER, NODE, SHARED);
    const other = await taken(two, OTHER, SECOND, SHARED);
    expect(await one.read(hasSeveralNodes)).toBe(true);
    const claim = () => one.write((unit) => lease.claim(unit));
    expect(await claim()).toBe(false);
    expect(lease.isExclusive).toBe(false);
    await other.release({ forget: false });
    expect(await claim()).toBe(true);
  });

  it('stays that of a process with a table on its way, and of one with a table in two places', async () => {
    const now = Date.now();
    await one.write(async (unit) => {
      const connection = connectionOf(unit);
      await connection.exec(
        `insert into log_tables (id, name, layout, compression, retention, columns, last_id, journal_from, sealed_rows,
           sealed_bytes, search, created_at, updated_at) values (1, 't', 'row', 'none', 0, '', 0, 0, 0, 0, 't', ${now}, ${now})`,
      );
      await connection.exec(
        "insert into clickhouse_tables (table_id, columns, next_id, next_upload) values (1, '', 1, 1)",
      );
      await connection.exec(
        `insert into table_moves (table_id, writes_to, is_split, guid, from_place, to_place, state, days_done, days_left, rows,
           user_name, started_at) values (1, 'clickhouse', 0, 'g', 'clickhouse', 'embedded', 'finished', 0, 0, 0, 'u', ${now})`,
      );
    });
    const isExclusiveWith = async (location: string, isSplit: number, state: string) => {
      await two.reader.all(
        `update table_moves set writes_to = '${location}', is_split = ${isSplit}, state = '${state}'`,
      );
      const lease = await taken(one, FOLDER, NODE, SHARED);
      const { isExclusive } = lease;
      await lease.release({ forget: false });
      return isExclusive;
    };
    expect(await isExclusiveWith('clickhouse', 0, 'finished')).toBe(false);
    expect(await isExclusiveWith('clickhouse', 0, 'running')).toBe(true);
    expect(await isExclusiveWith('clickhouse', 1, 'cancelled')).toBe(true);
    expect(await isExclusiveWith('embedded', 1, 'failed')).toBe(true);
    expect(await isExclusiveWith('embedded', 0, 'finished')).toBe(true);
    expect(await isExclusiveWith('clickhouse', 0, 'failed')).toBe(false);
  });

  it('lets nothing be committed by the process that has lost it', async () => {
    const first = await taken(one, FOLDER);
    await taken(two, FOLDER);
    const insert = (store: Store, key: string) =>
      store.write((db) => db.insertInto('installation').values({ key, value: '' }).execute());
    await expect(insert(one, 'late')).rejects.toThrow(LeaseLost);
    await first.lost;
    await insert(two, 'right');
    expect(await two.reader.all("select key from installation where key <> 'guid'")).toEqual([{ key: 'right' }]);
  });
});
