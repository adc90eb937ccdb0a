// Slots that a node leaves to another one, and a change of their job before the other has recorded them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LEASE_TIMES } from '#cluster/members/lease-times.ts';
import { newGuid } from '#kernel/guid.ts';
import type { JobEligibility, JobKind } from '#scheduler/job-kind.ts';
import { renewLease } from '#scheduler/nodes/leases.ts';
import { ScheduleIndex } from '#scheduler/schedule-index.ts';
import { openStore, type Store } from '#store/store.ts';
import type { Claimant } from './claims.ts';
import { DueSlots } from './due-slots.ts';

const JOB = { kind: 'test', guid: 'job' };
/** When this node opened; the other one has been there from the beginning. */
const OPENED_AT = 5500;

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-left-'));
  store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

it('Slots that are left to another node have their rows when the schedule ends before it has recorded them', async () => {
  const job: JobEligibility = { name: 'job', isEnabled: true, since: 0, nodeTypes: undefined };
  const kind: JobKind = {
    name: JOB.kind,
    scheduled: async () => [],
    eligibility: async () => new Map([[JOB.guid, job]]),
    request: async () => undefined,
    collect: async () => undefined,
    ended: async () => [],
  };
  const other = { name: 'other', types: [], startedAt: Temporal.Instant.fromEpochMilliseconds(0) };
  const peers = { living: async () => [other] };
  const claimant: Claimant = { node: 'own', lease: newGuid(), nodeTypes: [], peers };
  const schedules = new ScheduleIndex('UTC');
  schedules.put({ ...JOB, cron: '* * * * * *', since: 0 }, 0);
  const common = { store, schedules, claimant, catchUp: 'none', leaseTimes: LEASE_TIMES } as const;
  const due = new DueSlots({ ...common, kinds: new Map([[kind.name, kind]]), openedAt: OPENED_AT });
  await store.write((db) => renewLease(db, { node: 'other', lease: newGuid() }, OPENED_AT));
  const times = async () => {
    const rows = await store.read((db) => db.selectFrom('schedule_slots').select('slot_time').execute());
    return rows.map(({ slot_time }) => slot_time).sort((one, next) => one - next);
  };

  const { claimed } = await due.write(schedules.due(OPENED_AT, 10), OPENED_AT);
  expect([claimed[0]?.outcomes, await times()]).toEqual([[], []]);
  const owed = await store.write((db) => due.claimOverdue(db, kind, JOB.guid, 6100));
  expect(await times()).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
  expect(owed.open.map(({ slotTime }) => slotTime)).toEqual([6000]);
});
