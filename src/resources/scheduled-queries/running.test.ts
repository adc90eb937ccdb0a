// Scheduled queries that fall due, run, and are run by hand.

import { expect, it } from 'vitest';
import {
  begun,
  ENDLESS,
  recordOf,
  run,
  SCHEDULED,
  schedule,
  slotsOf,
  slotsWhen,
  stop,
} from '#test/support/schedules.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

onEachDatabase('A scheduled query', (subject) => {
  it('runs at its slot, and has a record of it', async () => {
    const guid = await schedule(subject, { query: 'json "[{n: 1}, {n: 2}]"' });
    expect((await recordOf(subject, guid)).next_run_time).toBe('2024-03-01 00:01:00+0000');
    subject.clock.advance({ minutes: 1 });
    const [slot, ...further] = await slotsWhen(subject, guid, 1);
    expect(further).toEqual([]);
    expect(slot).toMatchObject({
      slot_time: '2024-03-01 00:01:00+0000',
      outcome: 'ran',
      reason: null,
      node: 'vigil',
      state: 'succeeded',
      rows: 2,
      error: null,
      constants: null,
      started: '2024-03-01 00:01:00+0000',
      finished: '2024-03-01 00:01:00+0000',
    });
    expect(await recordOf(subject, guid)).toMatchObject({
      running_state: 'idle',
      result_state: 'succeeded',
      elapsed_time: 0,
      last_run_time: '2024-03-01 00:01:00+0000',
      next_run_time: '2024-03-01 00:02:00+0000',
      owner: 'master',
    });
    const status = await subject.call('GET', `/api/core/queries/${slot.query_id}`);
    expect(status.json).toMatchObject({
      source: 'scheduled-query',
      is_scheduled_query: true,
      login_name: 'master',
      remote_ip: '127.0.0.1',
      background: true,
    });
    await subject.call('DELETE', SCHEDULED, { form: { guids: guid } });
  });

  it('is run by hand', async () => {
    const guid = await schedule(subject, { enabled: false });
    expect(outcome(await run(subject, guid))).toEqual([200, { succeeded: 1, failures: [] }]);
    const [slot] = await slotsWhen(subject, guid, 1);
    expect(slot).toMatchObject({ outcome: 'ran', reason: 'manual', state: 'succeeded' });
  });

  it('is stopped', async () => {
    const guid = await schedule(subject, { query: ENDLESS });
    await run(subject, guid);
    await begun(subject, guid);
    expect(outcome(await stop(subject, guid))).toEqual([200, { succeeded: 1, failures: [] }]);
    expect((await slotsOf(subject, guid))[0]).toMatchObject({ state: 'cancelled' });
  });
});
