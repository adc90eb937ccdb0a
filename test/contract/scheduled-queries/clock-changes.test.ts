// Schedules of a service whose clocks change: New York, both ways, with the time that is written down for each slot.

import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createSchedule, endedSlots, recordOf, SCHEDULES, slotsOf } from '#test/support/scheduled-queries.ts';
import { type Service, startService } from '#test/support/service.ts';

const flags = { 'time-zone': 'America/New_York' };
const times = async (service: Service, guid: string) =>
  (await slotsOf(service, guid)).map(({ slot_time }) => slot_time.slice(5)).reverse();

function reach(clock: ManualClock, moment: string): void {
  clock.advance(clock.now().until(Temporal.Instant.from(moment)));
}

it('A fixed time in the hour that is skipped is due once, at the end of that hour', async () => {
  const clock = new ManualClock('2024-03-10T06:30:00Z');
  await using service = await startService({ clock, flags });
  const fixed = await createSchedule(service, { enabled: 'true', cron_schedule: '30 2 * * *' });
  const steps = await createSchedule(service, { enabled: 'true', cron_schedule: '*/20 2,4 * * *' });
  const hourly = await createSchedule(service, { enabled: 'true', cron_schedule: '30 * * * *' });
  expect((await recordOf(service, fixed)).next_run_time).toBe('2024-03-10 03:00:00-0400');
  reach(clock, '2024-03-10T07:00:00Z');
  for (const guid of [fixed, steps]) await endedSlots(service, guid, 1);
  expect((await recordOf(service, fixed)).next_run_time).toBe('2024-03-11 02:30:00-0400');
  expect((await recordOf(service, steps)).next_run_time).toBe('2024-03-10 04:00:00-0400');
  reach(clock, '2024-03-10T07:30:00Z');
  await endedSlots(service, hourly, 1);
  reach(clock, '2024-03-10T08:00:00Z');
  await endedSlots(service, steps, 2);
  expect(await times(service, fixed)).toEqual(['03-10 03:00:00-0400']);
  expect(await times(service, steps)).toEqual(['03-10 03:00:00-0400', '03-10 04:00:00-0400']);
  expect(await times(service, hourly)).toEqual(['03-10 03:30:00-0400']);
});

it('A fixed time in the hour that is repeated is due at its first pass, others at both', async () => {
  const clock = new ManualClock('2024-11-03T05:10:00Z');
  await using service = await startService({ clock, flags });
  const fixed = await createSchedule(service, { enabled: 'true', cron_schedule: '30 1,2 * * *' });
  const hourly = await createSchedule(service, { enabled: 'true', cron_schedule: '30 * * * *' });
  reach(clock, '2024-11-03T05:30:00Z');
  for (const guid of [fixed, hourly]) await endedSlots(service, guid, 1);
  expect((await recordOf(service, fixed)).next_run_time).toBe('2024-11-03 02:30:00-0500');
  reach(clock, '2024-11-03T06:30:00Z');
  await endedSlots(service, hourly, 2);
  reach(clock, '2024-11-03T07:30:00Z');
  for (const guid of [fixed, hourly]) await endedSlots(service, guid, guid === fixed ? 2 : 3);
  expect(await times(service, fixed)).toEqual(['11-03 01:30:00-0400', '11-03 02:30:00-0500']);
  expect(await times(service, hourly)).toEqual(['11-03 01:30:00-0400', '11-03 01:30:00-0500', '11-03 02:30:00-0500']);
});

it('A backfill over a change has the same times', async () => {
  const clock = new ManualClock('2024-03-12T00:00:00Z');
  await using service = await startService({ clock, flags });
  const guid = await createSchedule(service, { cron_schedule: '*/30 2 * * *' });
  const form = { from: '2024-03-09 00:00:00-0500', to: '2024-03-11 12:00:00-0400' };
  const { json } = await service.call('POST', `${SCHEDULES}/${guid}/backfill`, { form });
  expect(json).toEqual({ queued: 5, skipped: 0 });
  await endedSlots(service, guid, 5);
  expect(await times(service, guid)).toEqual([
    '03-09 02:00:00-0500',
    '03-09 02:30:00-0500',
    '03-10 03:00:00-0400',
    '03-11 02:00:00-0400',
    '03-11 02:30:00-0400',
  ]);
});
