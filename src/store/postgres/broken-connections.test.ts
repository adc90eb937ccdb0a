import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Db } from '#store/kysely.ts';
import { openStore, type Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { type PostgresProxy, startPostgresProxy } from '#test/support/postgres-proxy.ts';
import { databases } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from './postgres-limits.ts';

const STEPS: Readonly<Record<string, RegExp>> = {
  'the begin': /^begin;/,
  'the savepoint': /^savepoint/,
  'a statement': /^insert into "companies"/,
  'the release of a unit': /^release/,
  'what is sealed with a group': /^insert into installation/,
  'the commit': /commit$/,
};
/** Silence is waited for, but not for long. */
const SHORT: PostgresLimits = {
  ...POSTGRES_LIMITS,
  connectMs: 2000,
  briefMs: 1000,
  readMs: 1000,
  statementMs: 1000,
  lockMs: 2000,
  answerMs: 500,
  idleMs: 2000,
  heartbeatMs: 200,
  backOffMs: 200,
  commitTimeoutMs: 1500,
};
/** Those that somebody notices at once, and those that only time tells. */
const SEEN = {
  faults: ['unsent', 'unanswered', 'forgotten'],
  steps: Object.keys(STEPS),
  limits: POSTGRES_LIMITS,
} as const;
const UNSEEN = {
  faults: ['silent', 'mute'],
  steps: ['the begin', 'a statement', 'the commit'],
  limits: SHORT,
} as const;
const WRITERS_LOCK = 0x56494749;
const silent = { groupCommitted() {}, storeFailed() {} };
const postgres = databases.find(({ name }) => name === 'postgres');

const insert = (name: string) => async (db: Db) => {
  const times = { created_at: 1, updated_at: 1 };
  const company = { guid: newGuid(), name, description: null, search: name, ...times };
  await db.insertInto('companies').values(company).execute();
  return name;
};

describe.skipIf(postgres?.skip)('A connection to PostgreSQL that breaks', () => {
  let url: string;
  let proxy: PostgresProxy;
  let store: Store;
  let direct: pg.Client;
  let told: string[];

  beforeAll(async () => {
    url = await createMetadataDatabase(`b_${newGuid().replaceAll('-', '')}`);
    direct = new pg.Client({ connectionString: url });
    await direct.connect();
  });
  afterAll(() => direct.end());
  beforeEach(async () => {
    proxy = await startPostgresProxy(url);
    await open(SHORT);
    await direct.query('delete from companies');
    await store.write(insert('before'));
    told = [];
  });
  afterEach(async () => {
    await store.close();
    await proxy[Symbol.asyncDispose]();
  });

  async function open(limits: PostgresLimits): Promise<void> {
    store = await openStore(proxy.url, silent, limits);
    store.onGroup({
      seal: (writer) => writer.insertMany('installation', ['key', 'value'], [[newGuid(), 'group']]),
      committed: () => void told.push('committed'),
      rolledBack: () => void told.push('undone'),
    });
  }

  const names = async () =>
    (await direct.query('select name from companies order by name')).rows.map((row) => row.name);
  const locks = async () =>
    (
      await direct.query(
        `select count(*)::integer as held from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and d.datname = current_database()`,
      )
    ).rows[0].held;

  for (const { faults, steps, limits } of [SEEN, UNSEEN]) {
    for (const [step, fault] of steps.flatMap((step) => faults.map((fault) => [step, fault] as const))) {
      it(`at ${step} (${fault}) leaves all acknowledged rows, and no others`, async () => {
        await store.close();
        await open(limits);
        await store.write(insert('first'));
        told = [];
        const broken = proxy.breakAt(STEPS[step] ?? /^$/, fault);
        // The second unit of a group releases the first one.
        const units = ['during', 'beside'].map((name) => store.write(insert(name)));
        const [, ...outcomes] = await Promise.allSettled([broken, ...units]);
        const there = await names();
        const isThere = there.includes('during');
        expect(there.includes('beside')).toBe(isThere);
        for (const outcome of outcomes) {
          expect(outcome.status).toBe(isThere ? 'fulfilled' : 'rejected');
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnreachable);
        }
        expect(told).toEqual([isThere ? 'committed' : 'undone']);
        // Nothing stands in the way of what comes next, and of the stop.
        const next = () => store.write(insert('after')).catch(String);
        expect(await until(next, (name) => name === 'after')).toBe('after');
        await store.close();
        expect(await until(locks, (held) => held === 0)).toBe(0);
      });
    }
  }

  it('while its commit is unanswered is resolved before the caller is answered', async () => {
    const sealed = proxy.breakAt(/commit$/, 'unanswered').then(() => proxy.admit(false));
    const writing = store.write(insert('doubtful'));
    await sealed;
    const asked = store.inTime(writing);
    await expect(asked).rejects.toBeInstanceOf(StoreUnreachable);
    await expect(store.write(insert('meanwhile'))).rejects.toBeInstanceOf(StoreUnreachable);
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnreachable);
    expect(told).toEqual([]);
    proxy.admit(true);
    expect(await writing).toBe('doubtful');
    expect(told).toEqual(['committed']);
    expect(await names()).toEqual(['before', 'doubtful']);
  });

  it('while its commit is unanswered does not keep the store from closing', async () => {
    const sealed = proxy.breakAt(/commit$/, 'unanswered').then(() => proxy.admit(false));
    const writing = store.write(insert('doubtful'));
    const settled = expect(writing).rejects.toBeInstanceOf(StoreUnreachable);
    await sealed;
    await store.close();
    await settled;
    expect(told).toEqual([]);
  });

  it('affects no other connection, even if it reports its end twice', async () => {
    for (let round = 0; round < 20; round += 1) {
      const broken = proxy.breakAt(/^savepoint/, 'unanswered');
      const first = store.write(insert(`first ${round}`)).catch(() => 'failed');
      await broken;
      const second = store.write(insert(`second ${round}`));
      expect([await first, await second]).toEqual(['failed', `second ${round}`]);
    }
    expect((await names()).filter((name) => name.startsWith('second'))).toHaveLength(20);
  });

  it('lets nothing of a transaction out of it', async () => {
    let kept: Db | undefined;
    await store.write(async (db) => {
      kept = db;
    });
    await expect(kept && insert('late')(kept)).rejects.toThrow('the transaction of this unit is over');
    expect(await names()).toEqual(['before']);
  });

  it('keeps no other writer from writing, who waits longer than its transaction may stand still', async () => {
    await using otherSide = await startPostgresProxy(proxy.url);
    // As much longer as by the limits of a service.
    const lockMs = SHORT.idleMs + POSTGRES_LIMITS.lockMs - POSTGRES_LIMITS.idleMs;
    const other = await openStore(otherSide.url, silent, { ...SHORT, lockMs });
    const broken = proxy.breakAt(/^savepoint/, 'mute');
    const stuck = store.write(insert('stuck')).catch(() => 'failed');
    await broken;
    // The server has the transaction of the first still open, and hears nothing of it.
    expect(await other.write(insert('other'))).toBe('other');
    expect(await stuck).toBe('failed');
    await other.close();
    expect(await names()).toEqual(['before', 'other']);
  });

  it('in the wait for another writer does neither write twice nor wait for good', async () => {
    await direct.query(`begin; select pg_advisory_xact_lock(${WRITERS_LOCK})`);
    const waiting = proxy.passing(/pg_advisory_xact_lock/);
    const writing = store.write(insert('waited'));
    await waiting;
    const again = proxy.passing(/pg_advisory_xact_lock/);
    proxy.breakAll();
    await again;
    await direct.query('commit');
    expect(await writing).toBe('waited');
    expect(await names()).toEqual(['before', 'waited']);
  });

  it('is not needed to end a wait: waiting for another writer has a timeout', async () => {
    await direct.query(`begin; select pg_advisory_xact_lock(${WRITERS_LOCK})`);
    await expect(store.write(insert('waited'))).rejects.toBeInstanceOf(StoreUnreachable);
    await direct.query('commit');
    expect(await store.write(insert('next'))).toBe('next');
    expect(await names()).toEqual(['before', 'next']);
  });

  it('does not end a unit that computes for longer than a transaction may be idle', async () => {
    await store.write(async (db) => {
      await insert('long')(db);
      await new Promise((resolve) => setTimeout(resolve, 1.5 * SHORT.idleMs));
      await insert('computed')(db);
    });
    expect(await names()).toEqual(['before', 'computed', 'long']);
  });

  it('is found by the check of the writer, though reading goes on', async () => {
    await store.check();
    const broken = proxy.breakAt(/^begin;/, 'silent');
    const checking = expect(store.check()).rejects.toBeInstanceOf(StoreUnreachable);
    await broken;
    expect(await store.reader.all('select 1 as one')).toEqual([{ one: 1 }]);
    proxy.admit(false);
    await checking;
    proxy.admit(true);
    await until(
      () => store.check().then(() => 'ok', String),
      (outcome) => outcome === 'ok',
    );
  });

  it('fails a read in time, and the next read opens another', async () => {
    const broken = proxy.breakAt(/^select name/, 'mute');
    const reading = expect(store.reader.all('select name from companies')).rejects.toBeInstanceOf(StoreUnreachable);
    await broken;
    await reading;
    expect(await store.reader.all('select name from companies')).toEqual([{ name: 'before' }]);
  });

  it('does not hold up closing a store whose server is silent', async () => {
    const broken = [proxy.breakAt(/^select 1 as hung/, 'silent'), proxy.breakAt(/^savepoint/, 'silent')];
    const reading = store.reader.all('select 1 as hung').catch(() => 'failed');
    const writing = store.write(insert('hung')).catch(() => 'failed');
    await Promise.all(broken);
    await store.close();
    expect(await Promise.all([reading, writing])).toEqual(['failed', 'failed']);
    store = await openStore(proxy.url, silent, SHORT);
    expect(await names()).toEqual(['before']);
  });
});
