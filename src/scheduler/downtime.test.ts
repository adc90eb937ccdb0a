// What becomes of slots while nobody is there, or the clock is not to be trusted.

import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  createFollower,
  createSchedule,
  endedSlots,
  type Fields,
  recordOf,
  runningQuery,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
} from '#test/support/scheduled-queries.ts';
import { databases, type Service, startService, type Wire } from '#test/support/service.ts';

const BEGINNING = '2024-03-01T00:00:00Z';
const HOURLY = { enabled: 'true', cron_schedule: '0 * * * *' };
const SEEN = 'json "{}" | eval seen = string(now(), "HH:mm")';

const briefly = (slots: readonly Wire[]) =>
  slots.map(({ slot_time, outcome, reason, state }) => [slot_time.slice(11, 16), outcome, reason, state]);

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`While the service is down, on ${name}`, () => {
    let service: Service;
    let clock: ManualClock;
    afterEach(() => service[Symbol.asyncDispose]());

    async function begin(flags: Fields = {}): Promise<void> {
      clock = new ManualClock(BEGINNING);
      service = await startService({ database: name, clock, flags });
    }

    /** Lets the service be away for a while. */
    async function away(length: Temporal.DurationLike): Promise<void> {
      await service.stop();
      clock.leap(length);
      await service.restart();
    }

    it('slots are missed, and the newest of a query is run afterwards with its own clock', async () => {
      await begin();
      const guid = await createSchedule(service, { query: SEEN, ...HOURLY });
      await away({ hours: 3, minutes: 30 });
      const slots = await slotsWhen(service, guid, ([newest]) => newest?.state === 'succeeded');
      expect(briefly(slots)).toEqual([
        ['03:00', 'backfilled', null, 'succeeded'],
        ['02:00', 'missed', 'service-down', null],
        ['01:00', 'missed', 'service-down', null],
      ]);
      const rows = await service.call('GET', `/api/core/cursors/${slots[0].query_id}`);
      expect(rows.text.trim()).toBe('{"seen":"03:00"}');
      expect((await recordOf(service, guid)).next_run_time).toBe('2024-03-01 04:00:00+0000');
    });

    it('all are run afterwards, the oldest first, where that is the setting', async () => {
      await begin({ 'scheduler-catch-up': 'all' });
      const guid = await createSchedule(service, HOURLY);
      await away({ hours: 3, minutes: 30 });
      const slots = await slotsWhen(
        service,
        guid,
        (all) => all.filter(({ state }) => state === 'succeeded').length === 3,
      );
      expect(slots.map(({ outcome }) => outcome)).toEqual(['backfilled', 'backfilled', 'backfilled']);
      const ids = slots.map(({ query_id }) => query_id);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    });

    it('none is run afterwards, where that is the setting', async () => {
      await begin({ 'scheduler-catch-up': 'none' });
      const guid = await createSchedule(service, HOURLY);
      await away({ hours: 2, minutes: 30 });
      clock.leap({ minutes: 30 });
      const slots = await slotsWhen(service, guid, ([newest]) => newest?.state === 'succeeded');
      expect(briefly(slots)).toEqual([
        ['03:00', 'ran', null, 'succeeded'],
        ['02:00', 'missed', 'service-down', null],
        ['01:00', 'missed', 'service-down', null],
      ]);
    });

    it('a query that is not enabled, or was not yet there, has no slots', async () => {
      await begin();
      const disabled = await createSchedule(service, { ...HOURLY, enabled: 'false' });
      clock.leap({ minutes: 90 });
      const young = await createSchedule(service, HOURLY);
      await away({ hours: 1 });
      const slots = await slotsWhen(service, young, ([newest]) => newest?.state === 'succeeded');
      expect(briefly(slots)).toEqual([['02:00', 'backfilled', null, 'succeeded']]);
      expect(await slotsOf(service, disabled)).toEqual([]);
    });

    it('a run that was at work is told as failed, and whoever waits for that follows once', async () => {
      await begin();
      const guid = await createSchedule(service, { query: SLOW });
      const failed = await createFollower(service, guid, { preceding_action: 'failed' });
      const succeeded = await createFollower(service, guid, { preceding_action: 'succeeded' });
      await start(service, guid);
      await runningQuery(service, guid);
      await away({ hours: 1 });
      const [slot] = await slotsOf(service, guid);
      expect(slot).toMatchObject({ outcome: 'ran', reason: 'manual', state: 'failed', error: 'node-unavailable' });
      expect(await endedSlots(service, failed, 1)).toHaveLength(1);
      expect(await recordOf(service, guid)).toMatchObject({
        running_state: 'idle',
        result_state: 'failed',
        last_failure_reason: 'node-unavailable',
      });
      await away({ minutes: 1 });
      expect(await slotsOf(service, failed)).toHaveLength(1);
      expect(await slotsOf(service, succeeded)).toEqual([]);
    });
  });
}

describe('The clock of the machine', () => {
  let service: Service;
  let clock: ManualClock;
  afterEach(() => service[Symbol.asyncDispose]());

  async function begin(flags: Fields = {}): Promise<void> {
    clock = new ManualClock(BEGINNING);
    service = await startService({ clock, flags });
  }

  it('may leap ahead: what it passed over is missed, the newest of it caught up with, and the present one runs', async () => {
    await begin();
    const guid = await createSchedule(service, HOURLY);
    clock.leap({ hours: 3 });
    const slots = await slotsWhen(
      service,
      guid,
      (all) => all.filter(({ state }) => state === 'succeeded').length === 2,
    );
    expect(briefly(slots)).toEqual([
      ['03:00', 'ran', null, 'succeeded'],
      ['02:00', 'backfilled', null, 'succeeded'],
      ['01:00', 'missed', 'service-down', null],
    ]);
  });

  it('may go back: what had its slot has no other', async () => {
    await begin();
    const guid = await createSchedule(service, HOURLY);
    clock.leap({ hours: 1 });
    await endedSlots(service, guid, 1);
    clock.leap({ minutes: -30 });
    clock.leap({ minutes: 90 });
    const slots = await slotsWhen(service, guid, (all) => all[0]?.slot_time === '2024-03-01 02:00:00+0000');
    expect(slots.map(({ slot_time }) => slot_time)).toEqual(['2024-03-01 02:00:00+0000', '2024-03-01 01:00:00+0000']);
  });

  it('may go wrong by days for a moment: what had not come is due when it comes', async () => {
    await begin({ 'scheduler-catch-up': 'none' });
    const guid = await createSchedule(service, HOURLY);
    clock.leap({ hours: 50, minutes: 30 });
    await slotsWhen(service, guid, (all) => all.length === 50);
    clock.leap({ hours: -50 });
    // A clock of the machine that is set back leaves timers as they are; this one must be woken.
    await service.call('GET', '/readyz');
    expect(await slotsWhen(service, guid, (all) => all.length === 0)).toEqual([]);
    clock.leap({ minutes: 30 });
    expect(briefly(await endedSlots(service, guid, 1))).toEqual([['01:00', 'ran', null, 'succeeded']]);
  });

  it('says when slots are old enough to be forgotten', async () => {
    await begin({ 'scheduler-slots-kept': '2' });
    const guid = await createSchedule(service);
    await start(service, guid);
    await endedSlots(service, guid, 1);
    clock.leap({ hours: 47 });
    await service.call('GET', '/readyz');
    expect(await slotsOf(service, guid)).toHaveLength(1);
    clock.leap({ hours: 2 });
    expect(await slotsWhen(service, guid, (all) => all.length === 0)).toEqual([]);
    expect((await recordOf(service, guid)).result_state).toBe('succeeded');
  });

  it('is read in the zone of the service, through both of its changes and on a leap day', async () => {
    await begin({ 'time-zone': 'Europe/Berlin' });
    const nightly = await createSchedule(service, { enabled: 'true', cron_schedule: '30 2 * * *' });
    const leapDay = await createSchedule(service, { enabled: 'true', cron_schedule: '0 12 29 2 *' });
    const next = async (guid: string) => (await recordOf(service, guid)).next_run_time;
    expect(await next(nightly)).toBe('2024-03-01 02:30:00+0100');
    expect(await next(leapDay)).toBe('2028-02-29 12:00:00+0100');
    clock.leap({ hours: 24 * 30 });
    await slotsWhen(service, nightly, (all) => all.length === 30);
    // That night the clocks went from two to three.
    expect(await next(nightly)).toBe('2024-03-31 03:00:00+0200');
    clock.leap({ hours: 24 * 211 });
    const slots = await slotsWhen(service, nightly, (all) => all.length === 241);
    const october = slots.filter(({ slot_time }) => slot_time.startsWith('2024-10-27'));
    expect(october.map(({ slot_time }) => slot_time)).toEqual(['2024-10-27 02:30:00+0200']);
  });
});
