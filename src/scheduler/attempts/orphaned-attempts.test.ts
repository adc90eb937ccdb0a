// What a process that died leaves in the ledger, as it may be at any moment of its death, and what the next one makes of it.

import { afterEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import { openStore } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createFollower, createSchedule, type Fields, slotsOf, slotsWhen } from '#test/support/scheduled-queries.ts';
import { databases, type Service, startService, type Wire } from '#test/support/service.ts';

const BEGINNING = Temporal.Instant.from('2024-03-01T00:00:00Z');
const HOURLY = { enabled: 'true', cron_schedule: '0 * * * *' };
const HOUR = BEGINNING.add({ hours: 1 }).epochMilliseconds;
const DEAD = newGuid();

/** A slot of 01:00 that the dead process was to run. */
const leftSlot = (guid: string, fields: Partial<SlotRow> = {}): Omit<SlotRow, 'id'> => ({
  kind: 'scheduled-query',
  guid,
  slot_key: `at ${HOUR}`,
  slot_time: HOUR,
  clock_time: HOUR,
  origin: 'schedule',
  outcome: 'ran',
  reason: null,
  is_queued: 0,
  run_guid: newGuid(),
  query_id: null,
  node: 'vigil',
  lease: DEAD,
  started_at: null,
  finished_at: null,
  state: 'running',
  rows: null,
  error: null,
  constants: null,
  stop_asked: 0,
  window_from: null,
  window_to: null,
  covered_by: null,
  interruptions: 0,
  ...fields,
});

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`After the death of a process, on ${name}`, () => {
    let service: Service;
    let clock: ManualClock;
    afterEach(() => service[Symbol.asyncDispose]());

    async function begin(flags: Fields = {}): Promise<void> {
      clock = new ManualClock(BEGINNING.toString());
      service = await startService({ database: name, clock, flags });
    }

    /** The service finds `slots` at half past one, left by a process that was last seen at five past. */
    async function diesWith(slots: readonly Omit<SlotRow, 'id'>[]): Promise<void> {
      await service.stop();
      const { database, data } = service.config;
      const store = await openStore(database ?? data, { groupCommitted() {}, storeFailed() {} });
      await store.write(async (db) => {
        for (const slot of slots) await db.insertInto('schedule_slots').values(slot).execute();
        const seen = HOUR + 5 * 60_000;
        await db.insertInto('scheduler_leases').values({ lease: DEAD, node: 'vigil', renewed_at: seen }).execute();
        await db.updateTable('scheduler_mark').set({ alive_at: seen }).execute();
      });
      await store.close();
      clock.leap({ hours: 1, minutes: 30 });
      await service.restart();
    }

    const only = (slots: readonly Wire[]): Wire => {
      expect(slots).toHaveLength(1);
      return slots[0];
    };

    it('its run has failed, at the last moment at which it was seen', async () => {
      await begin();
      const guid = await createSchedule(service, HOURLY);
      await diesWith([leftSlot(guid, { started_at: HOUR, query_id: 7 })]);
      expect(only(await slotsOf(service, guid))).toMatchObject({
        outcome: 'ran',
        state: 'failed',
        error: 'node-unavailable',
        started: '2024-03-01 01:00:00+0000',
        finished: '2024-03-01 01:05:00+0000',
      });
    });

    it('a slot of the schedule that had not begun was missed, and is caught up with', async () => {
      await begin();
      const guid = await createSchedule(service, HOURLY);
      await diesWith([leftSlot(guid)]);
      const slots = await slotsWhen(service, guid, ([newest]) => newest?.state === 'succeeded');
      expect(only(slots)).toMatchObject({ outcome: 'backfilled', reason: null });
    });

    it('it stays missed where nothing is caught up with', async () => {
      await begin({ 'scheduler-catch-up': 'none' });
      const guid = await createSchedule(service, HOURLY);
      await diesWith([leftSlot(guid)]);
      expect(only(await slotsOf(service, guid))).toMatchObject({
        outcome: 'missed',
        reason: 'node-unavailable',
        run_guid: null,
        node: null,
        state: null,
      });
    });

    it('a step of a workflow that had not begun runs now, once, with what it was handed', async () => {
      await begin();
      const first = await createSchedule(service);
      const second = await createFollower(service, first, { query: 'json "{}" | eval seen = $("n")' });
      const constants = '{"n":7}';
      await diesWith([leftSlot(second, { origin: 'workflow', slot_key: 'after the first', constants })]);
      const slots = await slotsWhen(service, second, ([newest]) => newest?.state === 'succeeded');
      expect(only(slots)).toMatchObject({ outcome: 'ran', reason: null, constants: { n: 7 } });
    });

    it('a run by hand that had not begun runs now', async () => {
      await begin();
      const guid = await createSchedule(service);
      await diesWith([leftSlot(guid, { origin: 'manual', slot_key: 'by hand', reason: 'manual' })]);
      const slots = await slotsWhen(service, guid, ([newest]) => newest?.state === 'succeeded');
      expect(only(slots)).toMatchObject({ outcome: 'ran', reason: 'manual' });
    });

    it('a backfill that waited, or was about to begin, goes on', async () => {
      await begin();
      const guid = await createSchedule(service, { cron_schedule: '0 * * * *' });
      const waiting = { outcome: 'missed', reason: 'service-down', is_queued: 1 } as const;
      const earlier = { slot_key: 'at an earlier time', slot_time: HOUR - 3_600_000 };
      const untaken = { state: null, run_guid: null, lease: null, node: null };
      await diesWith([leftSlot(guid, waiting), leftSlot(guid, { ...waiting, ...earlier, ...untaken })]);
      const slots = await slotsWhen(service, guid, (all) => all.every(({ state }) => state === 'succeeded'));
      expect(slots.map(({ outcome }) => outcome)).toEqual(['backfilled', 'backfilled']);
    });

    it('the end of a run and the step that follows it are one: whoever waits for a failure follows', async () => {
      await begin();
      const first = await createSchedule(service);
      const second = await createFollower(service, first, { preceding_action: 'failed' });
      await diesWith([leftSlot(first, { started_at: HOUR, origin: 'manual', slot_key: 'by hand' })]);
      const slots = await slotsWhen(service, second, ([newest]) => newest?.state === 'succeeded');
      expect(only(slots)).toMatchObject({ slot_time: '2024-03-01 01:05:00+0000', outcome: 'ran' });
    });
  });
}
