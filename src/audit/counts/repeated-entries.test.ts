// Counts of repeated queries beside the trail: saved, recovered after a crash, kept while the store fails, and bounded.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSigningKey } from '#audit/chain/keys.ts';
import { openWitness } from '#audit/chain/witness.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import { openStore, type Store } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { until } from '#test/support/until.ts';
import { hoursOf } from './hours.ts';
import { RepeatedEntries } from './repeated-entries.ts';
import { SharedCounts } from './shared-counts.ts';

const draftOf = (q: string) => ({
  user_name: 'kim',
  remote_ip: '127.0.0.1',
  module: 'query',
  method: 'run',
  params: { q, api_token: 'x' },
});

describe('Counts of repeated queries', () => {
  let folder: string;
  let store: Store;
  let trail: Trail;
  let witness: ReturnType<typeof openWitness>;
  let clock: ManualClock;
  let repeats: RepeatedEntries;
  let isOpen = true;
  const session = { id: 'session', isOpen: async () => isOpen };
  const run = (q: string) => ({ session, key: q });

  beforeEach(async () => {
    isOpen = true;
    folder = mkdtempSync(join(tmpdir(), 'vigil-repeats-'));
    for (const name of ['data', 'keys']) mkdirSync(join(folder, name), { mode: 0o700 });
    clock = new ManualClock('2024-03-01T00:00:00Z');
    store = await openStore(join(folder, 'data'), { groupCommitted() {}, storeFailed() {} });
    witness = openWitness(join(folder, 'keys', 'witness'));
    trail = await openTrail({
      store,
      cluster: await clusterOn(store),
      clock,
      signingKey: openSigningKey(join(folder, 'keys')),
      witness,
    });
    repeats = await start();
  });
  afterEach(async () => {
    await trail.close();
    witness.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** A process of the only node. */
  async function start(): Promise<RepeatedEntries> {
    const cluster = await clusterOn(store, { clock });
    const counts = await SharedCounts.open({ store, trail, cluster, clock });
    return new RepeatedEntries({ store, counts, clock, hours: hoursOf({ store, trail, counts, cluster, clock }) });
  }
  const saved = () => store.reader.all('select draft, count from counted_entries');
  const entries = async () =>
    (await store.reader.all('select msg_params from audit_entries where msg_params is not null order by id')).map(
      ({ msg_params }) => JSON.parse(String(msg_params)),
    );
  const ownEntries = async () => {
    const [row] = await store.reader.all('select count(*) as count from audit_entries where msg_params is null');
    return Number(row?.count);
  };
  /** Runs of a text; how many had an entry of their own. */
  async function runs(q: string, times: number): Promise<number> {
    const before = await ownEntries();
    for (let count = 0; count < times; count += 1) await repeats.record(run(q), draftOf(q));
    return (await ownEntries()) - before;
  }

  it('have the earliest from and the latest to of all counted runs, saved and unsaved ones', async () => {
    const hours = ['10-11', '08-09', '09-12', '10-10'].map((hour) => hour.split('-'));
    for (const [from, to] of [['00', '23'], ...hours]) {
      const range = { from: `2024-03-01 ${from}:00:00+0000`, to: `2024-03-01 ${to}:00:00+0000` };
      const draft = draftOf('a');
      await repeats.record(run('a'), { ...draft, params: { ...draft.params, ...range } });
      clock.advance({ seconds: 10 });
      await clock.settled();
    }
    await repeats.close();
    const rows = await store.reader.all('select params from audit_entries where msg_params is not null');
    expect(rows.map(({ params }) => JSON.parse(String(params)))).toMatchObject([
      { q: 'a', from: '2024-03-01 08:00:00+0000', to: '2024-03-01 12:00:00+0000' },
    ]);
  });

  it('are saved every ten seconds without secrets, and are entries of the start after a crash', async () => {
    expect(await runs('a', 4)).toBe(1);
    expect(await saved()).toEqual([]);
    clock.advance({ seconds: 10 });
    const [row] = await until(saved, (rows) => rows.length === 1);
    expect(Number(row?.count)).toBe(3);
    expect(JSON.parse(String(row?.draft)).params).toEqual({ q: 'a', api_token: '***' });
    await runs('a', 2);
    // The process is killed here: nothing of it is closed.
    repeats = await start();
    expect([await entries(), await saved()]).toEqual([[{ count: 3 }], []]);
    expect(await runs('a', 1)).toBe(1);
  });

  it('are one entry at the end of the session, and none is left', async () => {
    await runs('a', 3);
    await runs('b', 1);
    isOpen = false;
    clock.advance({ seconds: 10 });
    expect(await until(entries, (all) => all.length > 0)).toEqual([{ count: 2 }]);
    expect(await saved()).toEqual([]);
    // Its session is a new one.
    expect(
      await until(
        () => runs('b', 1),
        (written) => written === 1,
      ),
    ).toBe(1);
  });

  it('are kept while entries cannot be written, and added up', async () => {
    await runs('a', 3);
    const { write } = store;
    store.write = () => Promise.reject(new Error('no database'));
    clock.advance({ hours: 1 });
    await clock.settled();
    expect(await runs('a', 2)).toBe(1);
    store.write = write;
    await repeats.close();
    expect([await entries(), await saved()]).toEqual([[{ count: 3 }], []]);
  });

  it('are bounded: further queries, and long ones, have an entry for each run', async () => {
    for (let index = 0; index < 1000; index += 1) expect(await runs(`q${index}`, 2)).toBe(1);
    expect(await runs('one more', 3)).toBe(3);
    await repeats.close();
    repeats = await start();
    expect(await runs('x'.repeat(9000), 3)).toBe(3);
  });
});
