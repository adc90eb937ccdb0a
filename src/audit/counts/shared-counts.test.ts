// What several nodes count together is one entry: three stores on one PostgreSQL database, each with a trail of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSigningKey } from '#audit/chain/keys.ts';
import { openWitness } from '#audit/chain/witness.ts';
import { openTrail } from '#audit/trail.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { openStore } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { CountedEntries } from './counted-entries.ts';
import { hoursOf } from './hours.ts';
import { minutesOf } from './minutes.ts';
import { RepeatedEntries } from './repeated-entries.ts';
import { SharedCounts } from './shared-counts.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const draft = (text: string) => ({
  user_name: '-',
  remote_ip: '192.0.2.1',
  module: 'query',
  method: 'run',
  params: { q: text },
});
const NAMES = ['n1', 'n2', 'n3'] as const;
/** All nodes have added by then, and one has looked. */
const MARGIN_SECONDS = 20;

describe.skipIf(postgres?.skip)('What three nodes count', () => {
  let folder: string;
  let database: string;
  let clock: ManualClock;
  /** Processes of which nothing is heard. */
  let dead: Set<string>;
  /** Nodes whose lease is over. */
  let gone: Set<string>;
  let nodes: Awaited<ReturnType<typeof open>>[];
  const session = { id: 'session', isOpen: async () => true };
  const run = { session, key: 'q' };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-counts-'));
    database = await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`);
    clock = new ManualClock('2024-03-01T00:00:00Z');
    dead = new Set();
    gone = new Set();
    nodes = [];
    for (const name of NAMES) nodes.push(await open(name));
  });
  afterEach(async () => {
    for (const { store } of nodes) await store.close();
    rmSync(folder, { recursive: true });
  });

  /** A process of a node. */
  async function open(name: string) {
    const store = await openStore(database, { groupCommitted() {}, storeFailed() {} });
    const witness = openWitness(join(folder, name));
    const trail = await openTrail({
      store,
      cluster: await clusterOn(store),
      clock,
      signingKey: openSigningKey(folder),
      witness,
    });
    const living = async () =>
      NAMES.filter((other) => other !== name && !gone.has(other)).map((other) => ({
        name: other,
        types: [],
        startedAt: clock.now(),
      }));
    const own = clockOf(name);
    const shared = await clusterOn(store, { name, clock });
    const cluster = Object.assign(shared, { nodes: { ...shared.nodes, living } });
    const counts = await SharedCounts.open({ store, trail, cluster, clock: own });
    const counted = { store, trail, counts, cluster, clock: own };
    const repeats = new RepeatedEntries({ ...counted, hours: hoursOf(counted) });
    const minutes = new CountedEntries({ minutes: minutesOf({ ...counted, kind: 'attempts' }), clock: own });
    const stop = async () => {
      await Promise.all([repeats.close(), minutes.close()]);
      await counts.close();
      gone.add(name);
    };
    return { store, repeats, minutes, stop };
  }
  /** Nothing falls due in a dead process. */
  const clockOf = (name: string): Clock => ({
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    sleep: (...args) => clock.sleep(...args),
    every: (period, work) => clock.every(period, () => (dead.has(name) ? undefined : work())),
  });
  const rows = async (sql: string) => (await nodes[0]?.store.reader.all(sql)) ?? [];
  /** Text and number of each entry. */
  const entries = async () =>
    (await rows('select params, msg_params from audit_entries order by id')).map(({ params, msg_params }) => [
      JSON.parse(String(params)).q,
      msg_params === null ? undefined : JSON.parse(String(msg_params)).count,
    ]);
  const counts = async () => (await entries()).map(([, count]) => count);
  const waiting = () => rows('select id from counted_entries');
  const record = (at: number, text = 'run') => nodes[at]?.repeats.record(run, draft(text));
  /** Resolves when the node has joined the minute of the others. */
  const attempt = async (at: number) => {
    nodes[at]?.minutes.add('address', draft(`of ${at}`));
    await nodes[at]?.store.write(async () => undefined);
  };
  /** In steps, because the time between an end and its entry is longer than any of them. */
  const pass = async (seconds: number, step = 5) => {
    for (let passed = 0; passed < seconds; passed += step) {
      clock.advance({ seconds: Math.min(step, seconds - passed) });
      await clock.settled();
    }
  };

  it('in a minute is one entry at its end, with the whole number and the first text', async () => {
    for (const [at, count] of [3, 2, 4].entries()) {
      for (let number = 0; number < count; number += 1) await attempt(at);
      await pass(10);
    }
    // The minute of the node that began it is that of all.
    await pass(44);
    expect(await entries()).toEqual([]);
    await pass(1);
    await pass(MARGIN_SECONDS);
    expect([await entries(), await waiting()]).toEqual([[['of 0', 9]], []]);
  });

  it('in each of several minutes is one entry', async () => {
    // Each node meets the next minute with an attempt, before it looks for minutes that are over.
    clock.advance({ milliseconds: 500 });
    for (let second = 0; second < 180; second += 1) {
      await Promise.all([0, 1, 2].map(attempt));
      await pass(1);
    }
    await pass(MARGIN_SECONDS);
    expect([await counts(), await waiting()]).toEqual([[180, 180, 180], []]);
  });

  it('has the earliest from and the latest to over all nodes', async () => {
    for (const [at, hour] of [
      [0, 5],
      [0, 9],
      [1, 3],
      [2, 8],
    ] as const) {
      const range = { from: `2024-03-01 0${hour}:00:00+0000`, to: `2024-03-01 1${hour}:00:00+0000` };
      await nodes[at]?.repeats.record(run, { ...draft('run'), params: { q: 'run', ...range } });
    }
    await pass(3600);
    await pass(MARGIN_SECONDS);
    const stored = await rows('select params from audit_entries where msg_params is not null');
    expect(stored.map(({ params }) => JSON.parse(String(params)))).toEqual([
      { q: 'run', from: '2024-03-01 03:00:00+0000', to: '2024-03-01 19:00:00+0000' },
    ]);
  });

  it('in each of several hours is one entry at its end, behind that of the first run', async () => {
    /** Each node runs the query once in each step; returns the number of runs. */
    const runFor = async (seconds: number, step: number) => {
      for (let passed = 0; passed < seconds; passed += step) {
        for (const at of [0, 1, 2]) await record(at);
        await pass(step, step);
      }
      return 3 * (seconds / step);
    };
    // Every second around the end of an hour, else rarely.
    const first = (await runFor(3540, 60)) + (await runFor(60, 1)) - 1;
    expect(await counts()).toEqual([undefined]);
    const begun = await runFor(MARGIN_SECONDS, 1);
    expect(await counts()).toEqual([undefined, first]);
    const second = begun + (await runFor(3540, 60)) + (await runFor(40, 1));
    await pass(MARGIN_SECONDS);
    expect(await counts()).toEqual([undefined, first, second]);
    // An hour without a run.
    await pass(3600, 60);
    expect([await counts(), await waiting()]).toEqual([[undefined, first, second], []]);
    await record(1);
    expect((await counts()).at(-1)).toBe(undefined);
  });

  it('in an hour has the last text; a node that has not counted in it knows that a run is no first one', async () => {
    await record(0, 'run 0');
    await pass(1800, 60);
    await record(1, 'run 1');
    expect(await entries()).toEqual([['run 0', undefined]]);
    await pass(1800, 60);
    await record(2, 'run 2');
    await pass(60);
    expect(await entries()).toEqual([
      ['run 0', undefined],
      ['run 1', 1],
    ]);
    await pass(1800, 60);
    await record(0, 'run 3');
    await pass(1800, 60);
    expect(await entries()).toEqual([
      ['run 0', undefined],
      ['run 1', 1],
      ['run 3', 2],
    ]);
  });

  it('is written by the others where a node has died within its lease, with what it had added', async () => {
    for (const at of [0, 1, 2, 2]) await record(at);
    for (const at of [0, 1, 2]) await attempt(at);
    await pass(10);
    await record(2);
    await attempt(2);
    dead.add('n3');
    await pass(50);
    await pass(MARGIN_SECONDS);
    // What it held of the minute is lost.
    expect(await entries()).toEqual([
      ['run', undefined],
      ['of 0', 2],
    ]);
    await pass(3540, 60);
    await pass(MARGIN_SECONDS);
    expect([(await entries()).at(-1), await waiting()]).toEqual([['run', 3], []]);
  });

  it('is written where all nodes but one have died, and that one had counted nothing', async () => {
    await record(2);
    await record(2);
    await attempt(2);
    await pass(10);
    for (const name of ['n2', 'n3']) dead.add(name);
    await pass(50);
    await pass(MARGIN_SECONDS);
    await pass(3540, 60);
    await pass(MARGIN_SECONDS);
    expect([await counts(), await waiting()]).toEqual([[undefined, 1], []]);
  });

  it('stays one entry where a node stops, and is written at once where the last one stops', async () => {
    for (const at of [0, 1, 2, 0]) await record(at);
    for (const at of [0, 1]) await attempt(at);
    await nodes[0]?.stop();
    expect(await counts()).toEqual([undefined]);
    await pass(60);
    await pass(MARGIN_SECONDS);
    expect(await counts()).toEqual([undefined, 2]);
    await record(1);
    await nodes[1]?.stop();
    expect(await counts()).toEqual([undefined, 2]);
    await nodes[2]?.stop();
    expect([await counts(), await waiting()]).toEqual([[undefined, 2, 4], []]);
  });

  it('is one entry soon after the end of the session', async () => {
    let isOpen = true;
    const ending = { session: { id: 'ending', isOpen: async () => isOpen }, key: 'q' };
    for (const at of [0, 1, 2, 0, 1]) await nodes[at]?.repeats.record(ending, draft('run'));
    isOpen = false;
    await pass(10);
    await pass(MARGIN_SECONDS);
    expect([await counts(), await waiting()]).toEqual([[undefined, 4], []]);
  });

  it('has an entry of its own where it comes too late, and none is lost', async () => {
    for (const at of [0, 1]) await attempt(at);
    dead.add('n2');
    await pass(60);
    await pass(MARGIN_SECONDS);
    expect(await counts()).toEqual([1]);
    dead.delete('n2');
    await pass(MARGIN_SECONDS);
    expect([await counts(), await waiting()]).toEqual([[1, 1], []]);
  });

  it('is left alone by a node that starts, unless no other lives', async () => {
    for (const at of [0, 1, 2]) await record(at);
    nodes.push(await open('n3'));
    expect(await counts()).toEqual([undefined]);
    for (const name of NAMES) gone.add(name);
    nodes.push(await open('n3'));
    expect([await counts(), await waiting()]).toEqual([[undefined, 2], []]);
  });

  it('and a version before has left, however much, is written beside living nodes', async () => {
    const old = Array.from({ length: 450 }, () => ({ guid: newGuid(), draft: JSON.stringify(draft('old')), count: 5 }));
    await nodes[1]?.store.write((db) => db.insertInto('repeated_queries').values(old).execute());
    await pass(5);
    expect([(await counts()).filter((count) => count === 5).length, await waiting()]).toEqual([450, []]);
  });

  it('is counted where a node of a version before counts, as long as it lives, and is one entry', async () => {
    const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
    await rows(
      `insert into nodes (name, types, version, is_standby, lease, lease_ms, started_at, last_seen)
       values ('old', 'data', '0', 0, 'old', 600000, ${now}, ${now})`,
    );
    await attempt(0);
    expect(await waiting()).toEqual([]);
    // As the version before does: its row is known by the beginning of its key.
    await rows('update repeated_queries set count = count + 5');
    await attempt(1);
    await pass(60 + MARGIN_SECONDS);
    expect([await counts(), await rows('select guid from repeated_queries')]).toEqual([[7], []]);
    await rows("delete from nodes where name = 'old'");
    await attempt(2);
    expect([(await waiting()).length, await rows('select guid from repeated_queries')]).toEqual([1, []]);
  });
});
