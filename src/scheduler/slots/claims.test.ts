// The decisions about slots that fall due, on a kind of job of the test's own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NodeType } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import { recover } from '#scheduler/attempts/recovery.ts';
import type { JobEligibility, JobKind } from '#scheduler/job-kind.ts';
import { renewLease } from '#scheduler/nodes/leases.ts';
import type { Peers } from '#scheduler/nodes/peers.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { type Claimant, claimDue } from './claims.ts';
import { begin, finish } from './ledger.ts';
import { listSlots } from './slot-list.ts';

/** Jobs that are what the test says they are. */
function kindOf(name: string, jobs: ReadonlyMap<string, JobEligibility>): JobKind {
  return {
    name,
    scheduled: async () => [],
    eligibility: async () => jobs,
    request: async () => undefined,
    collect: async () => undefined,
    ended: async () => [],
  };
}

const FIT: JobEligibility = { name: 'job', isEnabled: true, since: 0, nodeTypes: undefined };
const due = (guid: string, at: number, isMissed = false) => ({ guid, at, since: 0, isMissed, isGivenUp: true });
const ALONE: Peers = { living: async () => [] };
const claimant = (...nodeTypes: NodeType[]): Claimant => ({ node: 'test', lease: newGuid(), nodeTypes, peers: ALONE });

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Slots that fall due, on ${name}`, () => {
    let folder: string;
    let store: Store;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-claims-'));
      const location =
        name === 'postgres' ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) : folder;
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });

    const paging = { offset: 0, limit: 100 };
    const ledger = async (kind: string, guid: string) => {
      const wanted = { ...paging, job: { kind, guid }, from: undefined, before: undefined, outcome: undefined };
      const { rows } = await store.read((db) => listSlots(db, wanted));
      return rows.map(({ slot_time, outcome, reason }) => [slot_time, outcome, reason]).toReversed();
    };

    it('are claimed by one of several, however often and by whomever they are claimed', async () => {
      const kind = kindOf('test', new Map([['job', FIT]]));
      const tries = Array.from({ length: 20 }, () =>
        store.write((db) => claimDue(db, kind, [due('job', 1000)], claimant('data'))),
      );
      const claimed = await Promise.all(tries);
      expect(claimed.flatMap(({ open }) => open)).toHaveLength(1);
      expect(await ledger('test', 'job')).toEqual([[1000, 'ran', null]]);
    });

    it('are those of their kind alone', async () => {
      const jobs = new Map([['job', FIT]]);
      for (const one of ['test', 'other']) {
        const { open } = await store.write((db) =>
          claimDue(db, kindOf(one, jobs), [due('job', 1000)], claimant('data')),
        );
        expect(open).toHaveLength(1);
      }
      expect(await ledger('other', 'job')).toEqual([[1000, 'ran', null]]);
    });

    it('are skipped while the one before has not ended, and run again after it', async () => {
      const kind = kindOf('test', new Map([['job', FIT]]));
      const me = claimant('data');
      const first = await store.write((db) => claimDue(db, kind, [due('job', 1000), due('job', 2000)], me));
      expect(first.outcomes.map(({ outcome, state }) => [outcome, state])).toEqual([
        ['ran', 'running'],
        ['skipped', null],
      ]);
      const [slot] = first.open;
      if (!slot) throw new Error('nothing was claimed');
      const end = { state: 'succeeded', finishedAt: 2500, rows: 1, error: null } as const;
      expect(await store.write((db) => finish(db, slot, end))).toBe(true);
      expect(await store.write((db) => finish(db, slot, end))).toBe(false);
      await store.write((db) => claimDue(db, kind, [due('job', 3000)], me));
      expect(await ledger('test', 'job')).toEqual([
        [1000, 'ran', null],
        [2000, 'skipped', 'still-running'],
        [3000, 'ran', null],
      ]);
    });

    it('are told apart by why they do not run', async () => {
      const jobs = new Map<string, JobEligibility>([
        ['late', FIT],
        ['disabled', { ...FIT, isEnabled: false }],
        ['elsewhere', { ...FIT, nodeTypes: ['data'] }],
        ['rescheduled', { ...FIT, since: 1 }],
        ['here', { ...FIT, nodeTypes: ['data', 'control'] }],
      ]);
      const kind = kindOf('test', jobs);
      const others = ['disabled', 'elsewhere', 'rescheduled', 'here', 'gone'].map((guid) => due(guid, 1));
      const all = [due('late', 1, true), ...others];
      const { open } = await store.write((db) => claimDue(db, kind, all, claimant('control')));
      expect(open.map(({ guid }) => guid)).toEqual(['here']);
      expect(await ledger('test', 'late')).toEqual([[1, 'missed', 'service-down']]);
      expect(await ledger('test', 'disabled')).toEqual([[1, 'skipped', 'disabled']]);
      expect(await ledger('test', 'elsewhere')).toEqual([[1, 'missed', 'node-unavailable']]);
      expect(await ledger('test', 'gone')).toEqual([]);
      expect(await ledger('test', 'rescheduled')).toEqual([]);
    });

    it('are begun by the process that holds them, and by no other', async () => {
      const kind = kindOf('test', new Map([['job', FIT]]));
      const me = claimant('data');
      const other = claimant('data');
      const { open } = await store.write((db) => claimDue(db, kind, [due('job', 1000)], me));
      const slot = open[0];
      if (!slot) throw new Error('nothing was claimed');
      const begunBy = ({ lease }: Claimant) =>
        store.write((db) => begin(db, kind, slot, { queryId: null, now: 2000, lease }));
      expect(await begunBy(other)).toBe('gone');
      expect(await begunBy(me)).toBe('begun');
    });

    it('stay with a process that is back by the time its slots would be taken', async () => {
      const kind = kindOf('test', new Map([['job', FIT]]));
      const holder = claimant('data');
      await store.write(async (db) => {
        await renewLease(db, holder, 1000);
        await claimDue(db, kind, [due('job', 1000)], holder);
      });
      let looks = 0;
      const back = [{ name: holder.node, types: [], startedAt: Temporal.Instant.fromEpochMilliseconds(0) }];
      // It is back after the two looks that decide whether a unit begins.
      const peers: Peers = { living: async () => (++looks <= 2 ? [] : back) };
      const failures = { ended: async () => undefined, written: () => undefined };
      const deps = { store, isExclusive: false, kinds: new Map([['test', kind]]), failures };
      const found = await recover({ ...deps, claimant: { ...claimant('data'), peers } });
      expect(found).toMatchObject({ open: [], missed: [], outcomes: [] });
      expect(await ledger('test', 'job')).toEqual([[1000, 'ran', null]]);
      expect(await store.read((db) => db.selectFrom('scheduler_leases').select('lease').execute())).toEqual([
        { lease: holder.lease },
      ]);
    });
  });
}
