// The end of what is counted: a part that cannot be written keeps no other from being written.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSigningKey } from '#audit/chain/keys.ts';
import { openWitness } from '#audit/chain/witness.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { openStore, type Store } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { openRates } from './rates.ts';

const CONFIG = { 'failed-auth-limit': 60, 'key-rate': 0, 'key-burst': 100 };
const draft = { user_name: 'kim', remote_ip: '192.0.2.1', module: 'query', method: 'run' };

describe('The end of counts', () => {
  let folder: string;
  let store: Store;
  let cluster: Cluster;
  let trail: Trail;
  let witness: ReturnType<typeof openWitness>;
  const clock = new ManualClock('2024-03-01T00:00:00Z');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-rates-'));
    for (const name of ['data', 'keys']) mkdirSync(join(folder, name), { mode: 0o700 });
    store = await openStore(join(folder, 'data'), { groupCommitted() {}, storeFailed() {} });
    cluster = await clusterOn(store, { clock });
    witness = openWitness(join(folder, 'keys', 'witness'));
    trail = await openTrail({ store, cluster, clock, signingKey: openSigningKey(join(folder, 'keys')), witness });
  });
  afterEach(async () => {
    await trail.close();
    witness.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('writes what can be written, and says what could not', async () => {
    const rates = await openRates(CONFIG, { store, trail, cluster });
    const run = { session: { id: 'session', isOpen: async () => true }, key: 'q' };
    for (const _ of [1, 2, 3]) await rates.repeats.record(run, draft);
    rates.attempts.refuse('192.0.2.1');
    rates.refusals.add('kim', { ...draft, method: 'read' });
    const { join: inGroup } = store;
    store.join = () => {
      store.join = inGroup;
      return Promise.reject(new Error('no database'));
    };
    await expect(rates.close()).rejects.toThrow('no database');
    const rows = await store.reader.all('select method, msg_params from audit_entries where msg_params is not null');
    const counts = rows.map(({ method, msg_params }) => [method, JSON.parse(String(msg_params)).count]);
    expect(new Map(counts as [string, number][])).toEqual(
      new Map([
        ['read', 1],
        ['run', 2],
      ]),
    );
  });
});
