// What several nodes count together is one entry: three stores on one PostgreSQL database, each with a trail of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { until } from '#test/support/suites.ts';
import { CountedEntries } from './counted-entries.ts';
import { openSigningKey } from './keys.ts';
import { RepeatedEntries } from './repeated-entries.ts';
import { SharedCounts } from './shared-counts.ts';
import { openTrail } from './trail.ts';
import { openWitness } from './witness.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const draft = (text: string) => ({
  user_name: '-',
  remote_ip: '192.0.2.1',
  module: 'query',
  method: 'run',
  params: { q: text },
});
const NAMES = ['n1', 'n2', 'n3'] as const;

describe.skipIf(postgres?.skip)('What three nodes count', () => {
  let folder: string;
  let database: string;
  let clock: ManualClock;
  let dead: Set<string>;
  let nodes: Awaited<ReturnType<typeof open>>[];
  const session = { id: 'session', isOpen: async () => true };
  const run = { session, key: 'q' };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-counts-'));
    database = await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`);
    clock = new ManualClock('2024-03-01T00:00:00Z');
    dead = new Set();
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
    const trail = await openTrail({ store, clock, signingKey: openSigningKey(folder), witness });
    const others = NAMES.filter((other) => other !== name);
    const living = async () =>
      others.filter((other) => !dead.has(other)).map((other) => ({ name: other, types: [], startedAt: clock.now() }));
    const counts = new SharedCounts({ store, trail, nodes: { own: { name, types: [] }, living } });
    await counts.recover();
    const counted = { store, counts, clock };
    const repeats = new RepeatedEntries({ ...counted, trail });
    return { name, store, repeats, minutes: new CountedEntries({ ...counted, kind: 'attempts' }) };
  }
  const rows = async (sql: string) => (await nodes[0]?.store.reader.all(sql)) ?? [];
  /** Text and number of each entry. */
  const entries = async () =>
    (await rows('select params, msg_params from audit_entries order by id')).map(({ params, msg_params }) => [
      JSON.parse(String(params)).q,
      msg_params === null ? undefined : JSON.parse(String(msg_params)).count,
    ]);
  const waiting = async () =>
    (await rows('select draft from repeated_queries')).map(({ draft: content }) => JSON.parse(String(content)).nodes);
  const record = (at: number, text: string) => nodes[at]?.repeats.record(run, draft(text));

  it('in a minute is one entry at its end, with the whole number', async () => {
    for (const [at, count] of [3, 2, 4].entries()) {
      for (let attempt = 0; attempt < count; attempt += 1) nodes[at]?.minutes.add('address', draft(`of ${at}`));
      await until(waiting, ([names]) => names?.length === at + 1);
      clock.advance({ seconds: 10 });
    }
    clock.advance({ seconds: 29 });
    expect(await entries()).toEqual([]);
    // The minute of the node that began it is that of all.
    clock.advance({ seconds: 1 });
    const all = await until(entries, ({ length }) => length > 0);
    expect(all).toEqual([['of 0', 9]]);
    expect(await waiting()).toEqual([]);
  });

  it('in an hour is one entry at its end, behind that of the first run, with the last text', async () => {
    for (const [number, at] of [0, 1, 2, 0, 1].entries()) await record(at, `run ${number}`);
    expect(await entries()).toEqual([['run 0', undefined]]);
    clock.advance({ minutes: 61 });
    expect(await until(entries, ({ length }) => length > 1)).toEqual([
      ['run 0', undefined],
      [expect.stringMatching(/run [34]/), 4],
    ]);
    expect(await until(waiting, ({ length }) => length === 0)).toEqual([]);
    await record(2, 'run 5');
    expect(await entries()).toHaveLength(3);
  });

  it('is one entry when all stop, and that of one which stops stays with the others', async () => {
    for (const at of [0, 1, 2, 0]) await record(at, 'run');
    await nodes[0]?.repeats.close();
    expect([await entries(), await waiting()]).toEqual([[['run', undefined]], [['n2', 'n3']]]);
    await Promise.all([nodes[1]?.repeats.close(), nodes[2]?.repeats.close()]);
    expect([await entries(), await waiting()]).toEqual([
      [
        ['run', undefined],
        ['run', 3],
      ],
      [],
    ]);
  });

  it('is not waited for where a node has died, and a start leaves the counts of the living alone', async () => {
    for (const at of [0, 1, 2, 2]) await record(at, 'run');
    dead.add('n3');
    const again = await open('n1');
    nodes.push(again);
    expect([await entries(), await waiting()]).toEqual([[['run', undefined]], [['n2']]]);
    await nodes[1]?.repeats.close();
    // What the dead one had not saved is lost.
    expect([await entries(), await waiting()]).toEqual([
      [
        ['run', undefined],
        ['run', 2],
      ],
      [],
    ]);
  });
});
