// The slots of one attempt of a continuous job, and those of a process that has died.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { recover } from '#scheduler/attempts/recovery.ts';
import type { JobKind, JobWindows } from '#scheduler/job-kind.ts';
import { takeFitting } from '#scheduler/nodes/fitting-nodes.ts';
import { renewLease } from '#scheduler/nodes/leases.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { type Claimant, claimDue } from './claims.ts';
import { beginCovering, firstAttempt } from './line.ts';
import type { OpenSlot } from './slot.ts';
import { listSlots } from './slot-list.ts';

const MINUTE = 60_000;

const waiting = (minute: number, fields = {}) => ({
  id: minute,
  slot_time: minute * MINUTE,
  clock_time: minute * MINUTE,
  window_from: null,
  window_to: null,
  interruptions: 0,
  ...fields,
});

/** Windows of `minutes` that end at the time of the slot. */
const lasting = (minutes: number, areMergeable = true): JobWindows => ({
  at: (clockTime) => ({ from: clockTime - minutes * MINUTE, to: clockTime }),
  areMergeable,
});

describe('The next run of a line', () => {
  it.each([
    ['windows that touch', lasting(1), [1, 2, 3], 3],
    ['windows with a gap between them', lasting(1), [1, 3, 4], 1],
    ['windows of which some repeat one', lasting(10), [1, 2, 9], 3],
    ['texts that depend on the time', lasting(1, false), [1, 2, 3], 1],
    ['more than an hour', lasting(1), Array.from({ length: 100 }, (_, index) => index + 1), 61],
    ['nothing', lasting(1), [], 0],
  ])('covers of %s as many slots as it may', (_, windows, minutes, count) => {
    const { slots } = firstAttempt(
      minutes.map((minute) => waiting(minute)),
      windows,
    );
    expect(slots.map(({ id }) => id)).toEqual(minutes.slice(0, count));
  });

  it('has the union of the windows, of those too that an earlier run was to cover', () => {
    const cut = waiting(5, { window_from: 0, window_to: 5 * MINUTE });
    expect(firstAttempt([cut, waiting(6)], lasting(1)).window).toEqual({ from: 0, to: 6 * MINUTE });
    expect(firstAttempt([cut], lasting(1)).window).toEqual({ from: 0, to: 5 * MINUTE });
  });

  it('is of a slot alone during whose run a process has died', () => {
    expect(firstAttempt([waiting(1, { interruptions: 1 }), waiting(2)], lasting(1)).slots).toHaveLength(1);
    expect(firstAttempt([waiting(1), waiting(2, { interruptions: 1 })], lasting(1)).slots).toHaveLength(1);
  });
});

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A line whose process has died, on ${name}`, () => {
    let folder: string;
    let store: Store;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-line-'));
      const location =
        name === 'postgres' ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) : folder;
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });

    const kind: JobKind = {
      name: 'batch-rule',
      isContinuous: true,
      scheduled: async () => [],
      eligibility: async () => new Map([['job', { name: 'job', isEnabled: true, since: 0, nodeTypes: undefined }]]),
      request: async () => ({ windows: lasting(1) }) as Awaited<ReturnType<JobKind['request']>>,
      collect: async () => undefined,
      ended: async () => [],
    };
    const failures = { ended: async () => undefined, written: () => undefined };
    const claimant = (): Claimant => ({
      node: 'n',
      lease: newGuid(),
      nodeTypes: ['data'],
      peers: { living: async () => [] },
    });
    const due = (minute: number, isMissed: boolean) => ({ guid: 'job', at: minute * MINUTE, since: 0, isMissed });

    /** Takes the line for a new process. */
    async function taken(): Promise<{ slot: OpenSlot; me: Claimant }> {
      const me = claimant();
      await store.write((db) => renewLease(db, me, 10 * MINUTE));
      const slot = await store.write((db) => takeFitting(db, kind, 'job', me));
      if (!slot || slot === 'busy') throw new Error('nothing to take');
      return { slot, me };
    }

    const begin = ({ slot, me }: { slot: OpenSlot; me: Claimant }) =>
      store.write((db) =>
        beginCovering(db, kind, slot, { queryId: null, now: 10 * MINUTE, lease: me.lease, window: slot.window }),
      );

    const recoverAll = () =>
      recover({ store, isExclusive: true, kinds: new Map([[kind.name, kind]]), claimant: claimant(), failures });

    async function ledger() {
      const job = { kind: kind.name, guid: 'job' };
      const wanted = { offset: 0, limit: 100, job, from: undefined, before: undefined, outcome: undefined };
      const { rows } = await store.read((db) => listSlots(db, wanted));
      return rows.map(({ slot_time, state, is_queued }) => [slot_time / MINUTE, state, is_queued]).toReversed();
    }

    it('is whole again, whether or not its run had begun, and has failed after ten such runs', async () => {
      const slots = [1, 2, 3].map((minute) => due(minute, true));
      await store.write((db) => claimDue(db, kind, slots, claimant()));
      expect((await taken()).slot).toMatchObject({ slotTime: 3 * MINUTE, window: { from: 0, to: 3 * MINUTE } });
      await recoverAll();
      expect(await ledger()).toEqual([
        [1, null, 2],
        [2, null, 2],
        [3, null, 2],
      ]);
      for (let round = 1; round <= 10; round += 1) {
        const run = await taken();
        expect(run.slot).toMatchObject({ slotTime: 3 * MINUTE, window: { from: 0, to: 3 * MINUTE } });
        expect(await begin(run)).toBe('begun');
        await recoverAll();
        const state = round < 10 ? null : 'failed';
        expect(await ledger()).toEqual([
          [1, state, 0],
          [2, state, 0],
          [3, state, round < 10 ? 2 : 0],
        ]);
      }
    });
  });
}
