// The lease of the logs between stores on one PostgreSQL database, each with a data folder that the test makes up.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { isLease, LeaseLost, type LogsFolder, type LogsLease, takeLogsLease } from './logs-lease.ts';
import { openStore, type Store } from './store.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const FOLDER: LogsFolder = { guid: newGuid(), inode: '1', host: 'one', path: '/data' };
const COPY: LogsFolder = { ...FOLDER, inode: '2', host: 'two', path: '/copy' };
const OTHER: LogsFolder = { guid: newGuid(), inode: '1', host: 'two', path: '/other' };

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

  async function taken(store: Store, folder: LogsFolder): Promise<LogsLease> {
    const lease = await takeLogsLease(store, folder);
    if (!isLease(lease)) throw new Error(`refused: ${lease.host}`);
    return lease;
  }
  const age = (seconds: number) =>
    two.reader.all(`update logs_keeper set renewed_at = renewed_at - ${seconds * 1000} returning renewed_at`);
  const renewedAt = async () => Number((await two.reader.all('select renewed_at from logs_keeper'))[0]?.renewed_at);

  it('is taken over at once by the folder that it names, even under another host name', async () => {
    await taken(one, FOLDER);
    await taken(two, { ...FOLDER, host: 'renamed', path: '/mounted' });
    expect(await two.reader.all('select host, path from logs_keeper')).toEqual([{ host: 'renamed', path: '/mounted' }]);
  });

  it('is taken by a copy of the folder when it has ended, after 60 seconds of the database', async () => {
    await taken(one, FOLDER);
    await age(55);
    expect(await takeLogsLease(two, COPY)).toMatchObject({ host: 'one', path: '/data' });
    await age(6);
    await taken(two, COPY);
  });

  it('is never taken by another folder, which would hide the logs', async () => {
    await taken(one, FOLDER);
    await age(3600);
    expect(await takeLogsLease(two, OTHER)).toMatchObject({ host: 'one', path: '/data' });
  });

  it('is taken by another folder where it has ended and nothing was installed', async () => {
    await taken(one, FOLDER);
    await one.write((db) => db.deleteFrom('installation').execute());
    expect(isLease(await takeLogsLease(two, OTHER))).toBe(false);
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
