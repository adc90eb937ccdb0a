import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotifyBus } from '#cluster/bus.ts';
import { PostgresListener } from '#cluster/postgres-listener.ts';
import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { Db } from '#store/kysely.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type PostgresProxy, startPostgresProxy } from '#test/support/postgres-proxy.ts';
import { databases } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import type { ChangeKind } from './changes.ts';
import { ChangeFeed, SUM_OF_CHANGES } from './feed.ts';

const silent = { groupCommitted() {}, storeFailed() {} };
const postgres = databases.find(({ name }) => name === 'postgres');

const addGroup = (guid: string) => async (db: Db) => {
  const row = { guid, name: guid, description: null, search: '', version: 0, created_at: 1, updated_at: 1 };
  await db.insertInto('address_groups').values(row).execute();
};

/** A server that comes back with older numbers. */
async function losing(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    setNumbers: async (number: number) => void (await client.query('update changes set number = $1', [number])),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Fails if it never does. */
const holds = (isSo: () => boolean) => until(isSo, Boolean);

/** A process with its feed and what it was told. */
class Process implements AsyncDisposable {
  readonly store: Store;
  readonly feed: ChangeFeed;
  readonly told: ChangeKind[] = [];
  readonly listener: PostgresListener;

  constructor(store: Store, feed: ChangeFeed, url: string) {
    this.store = store;
    this.feed = feed;
    for (const kind of ['accounts', 'address-groups', 'loggers'] as const) {
      feed.follow([kind], async () => void this.told.push(kind));
    }
    const bus = new NotifyBus((notices) => this.listener.notify(notices));
    bus.on('changes', () => feed.look());
    this.listener = new PostgresListener({
      url,
      channels: bus.channels,
      clock: systemClock,
      received: (channel, payload) => bus.received(channel, payload),
      connected: () => feed.look(),
    });
  }

  static async open(url: string, listened = url): Promise<Process> {
    const store = await openStore(url, silent);
    const feed = await ChangeFeed.open({ store, clock: systemClock, failed() {} });
    return new Process(store, feed, listened);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.feed.close();
    await this.listener.close();
    await this.store.close();
  }
}

describe.skipIf(postgres?.skip)('Changes on a shared database', () => {
  let url: string;
  let proxy: PostgresProxy;
  let here: Process | undefined;
  let there: Process | undefined;

  const opened = async () => {
    here = await Process.open(url);
    there = await Process.open(url, proxy.url);
    return { here, there };
  };

  beforeEach(async () => {
    url = await createMetadataDatabase(`changes_${newGuid().replaceAll('-', '')}`);
    proxy = await startPostgresProxy(url);
  });

  afterEach(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    here = undefined;
    there = undefined;
    await proxy[Symbol.asyncDispose]();
  });

  it('are told to other processes with the commit, and not to the one that makes them', async () => {
    const { here, there } = await opened();
    there.listener.start();
    await holds(() => there.listener.isListening);
    await here.store.write(addGroup(newGuid()));
    await holds(() => there.told.length > 0);
    expect(there.told).toEqual(['address-groups']);
    here.feed.start();
    await here.feed.close();
    expect(here.told).toEqual([]);
  });

  it('are found without a listener once a second', async () => {
    const { here, there } = await opened();
    there.feed.start();
    await here.store.write(addGroup(newGuid()));
    await holds(() => there.told.length > 0);
    expect(there.told).toEqual(['address-groups']);
  });

  it('are found after the connection of the listener broke', async () => {
    const { here, there } = await opened();
    there.listener.start();
    await holds(() => there.listener.isListening);
    proxy.breakAll();
    await holds(() => !there.listener.isListening);
    await here.store.write(addGroup(newGuid()));
    await holds(() => there.told.length > 0);
    expect(there.told).toEqual(['address-groups']);
  });

  it('are looked for ten times a second at most, however often they are told, and none is missed', async () => {
    const pauses = new ManualClock('2024-03-01T00:00:00Z');
    vi.spyOn(systemClock, 'sleep').mockImplementation((length, end) => pauses.sleep(length, end));
    const { here, there } = await opened();
    const look = vi.spyOn(there.feed, 'look');
    const counted: number[] = [];
    there.feed.follow(['address-groups'], async () => {
      counted.push((await there.store.reader.all('select 1 from address_groups')).length);
    });
    there.listener.start();
    await holds(() => look.mock.calls.length === 1 && pauses.sleepersFor({ milliseconds: 100 }) === 1);
    for (let number = 0; number < 40; number += 1) await here.store.write(addGroup(newGuid()));
    await holds(() => look.mock.calls.length === 41);
    pauses.advance({ milliseconds: 99 });
    await there.store.reader.all('select 1');
    expect(counted).toEqual([]);
    pauses.advance({ milliseconds: 1 });
    await holds(() => counted.length > 0);
    expect(counted).toEqual([40]);
  });

  it('are found among changes of the process itself', async () => {
    const { here, there } = await opened();
    await there.store.write(addGroup(newGuid()));
    await here.store.write(addGroup(newGuid()));
    await there.store.write(addGroup(newGuid()));
    there.feed.start();
    await holds(() => there.told.length > 0);
    expect(there.told).toEqual(['address-groups']);
  });

  it('are followed again where following has failed', async () => {
    const { here, there } = await opened();
    let calls = 0;
    there.feed.follow(['address-groups'], async () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
    });
    there.feed.start();
    await here.store.write(addGroup(newGuid()));
    await holds(() => calls === 2);
  });

  it('are followed, without a notice and before its next second, for a request that was told of them', async () => {
    const { here, there } = await opened();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    const feed = await ChangeFeed.open({ store: there.store, clock, failed() {} });
    const told: string[] = [];
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    const groups = feed.follow(['address-groups'], async () => {
      await isRead;
      told.push('address-groups');
    });
    const others = feed.follow(['loggers'], async () => void told.push('loggers'));
    await groups.caughtUp();
    await here.store.write(addGroup(newGuid()));
    const [row] = await there.store.reader.all(`select ${SUM_OF_CHANGES} as sum`);
    feed.seen(Number(row?.sum));
    await others.caughtUp();
    expect(told).toEqual([]);
    const caughtUp = groups.caughtUp();
    read();
    await caughtUp;
    expect(told).toEqual(['address-groups']);
    await feed.close();
  });

  it('that cannot be followed hold up a request for a second at most', async () => {
    const { here, there } = await opened();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    const feed = await ChangeFeed.open({ store: there.store, clock, failed() {} });
    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    const stuck = feed.follow(['address-groups'], () => never);
    const failing = feed.follow(['address-groups'], async () => {
      throw new Error('not yet');
    });
    await here.store.write(addGroup(newGuid()));
    feed.seen(1);
    await failing.caughtUp();
    const waiting = stuck.caughtUp();
    clock.advance({ seconds: 1 });
    await waiting;
    end();
    await feed.close();
  });

  it('of accounts hold up no request: only kinds that are waited for are in its sum', async () => {
    const { here } = await opened();
    const sum = async () => {
      const [row] = await here.store.reader.all(`select ${SUM_OF_CHANGES} as sum`);
      return Number(row?.sum);
    };
    await here.store.write((db) => db.updateTable('users').set({ name: 'other' }).execute());
    expect(await here.store.reader.all('select kind from changes')).toEqual([{ kind: 'accounts' }]);
    expect(await sum()).toBe(0);
    await here.store.write(addGroup(newGuid()));
    expect(await sum()).toBe(1);
  });

  it('that a failover has lost are read again and hold up no request', async () => {
    const { here, there } = await opened();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    await using lost = await losing(url);
    const feed = await ChangeFeed.open({ store: there.store, clock, failed() {} });
    let told = 0;
    const groups = feed.follow(['address-groups'], async () => {
      told += 1;
    });
    await here.store.write(addGroup(newGuid()));
    await here.store.write(addGroup(newGuid()));
    feed.seen(2);
    await groups.caughtUp();
    const before = told;
    await lost.setNumbers(1);
    feed.look();
    await holds(() => told > before);
    // The clock stands still: whoever waits, waits for ever.
    await groups.caughtUp();
    await feed.close();
  });

  it('with a number that this process has given to a lost one are those of others', async () => {
    const { here, there } = await opened();
    await using lost = await losing(url);
    await there.store.write(addGroup(newGuid()));
    await lost.setNumbers(0);
    there.feed.look();
    await holds(() => there.told.includes('address-groups'));
    const before = there.told.length;
    await here.store.write(addGroup(newGuid()));
    there.feed.look();
    await holds(() => there.told.slice(before).includes('address-groups'));
  });

  it('that a part fails to follow hold up nobody until it succeeds', async () => {
    const { here, there } = await opened();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    const feed = await ChangeFeed.open({ store: there.store, clock, failed() {} });
    const groups = feed.follow(['address-groups'], async () => {
      throw new Error('not yet');
    });
    await here.store.write(addGroup(newGuid()));
    feed.seen(1);
    await groups.caughtUp();
    await groups.caughtUp();
    await feed.close();
  });

  it('are none where only columns are written that nobody keeps', async () => {
    const { here } = await opened();
    await here.store.write((db) => db.updateTable('api_keys').set({ last_used: 1 }).execute());
    await here.store.write((db) => db.updateTable('loggers').set({ log_count: 1, last_log_at: 1 }).execute());
    expect(await here.store.reader.all('select kind from changes')).toEqual([]);
    await here.store.write((db) => db.updateTable('api_keys').set({ last_used: 2, session: 2 }).execute());
    expect(await here.store.reader.all('select kind from changes')).toEqual([{ kind: 'accounts' }]);
    await here.store.write((db) => db.updateTable('schedule_slots').set({ state: 'succeeded' }).execute());
    expect(await here.store.reader.all('select kind from changes')).toEqual([{ kind: 'accounts' }]);
    await here.store.write((db) =>
      db.updateTable('schedule_slots').set({ state: 'cancelled', stop_asked: 0 }).execute(),
    );
    const kinds = await here.store.reader.all('select kind from changes order by kind');
    expect(kinds).toEqual([{ kind: 'accounts' }, { kind: 'stop-requests' }]);
  });

  it('are none of a unit that was refused, beside one that was not', async () => {
    const { here } = await opened();
    const refused = here.store.write(async (db) => {
      await addGroup(newGuid())(db);
      throw new Error('refused');
    });
    const use = { last_used: 2, session: 2 };
    const kept = here.store.write((db) => db.updateTable('api_keys').set(use).execute());
    await expect(refused).rejects.toThrow('refused');
    await kept;
    expect(await here.store.reader.all('select kind from changes')).toEqual([{ kind: 'accounts' }]);
  });
});
