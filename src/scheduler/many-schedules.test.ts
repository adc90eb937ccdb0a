// Many schedules at once, and long lists of them.

import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import {
  createRunning,
  createSchedule,
  SCHEDULES,
  slotsOf,
  slotsWhen,
  toNextHour,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const MANY = 300;

describe('Many schedules', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  const guids = Array.from({ length: MANY }, () => newGuid());
  const hourly = { enabled: 'true', cron_schedule: '0 * * * *' };

  /** The value of a counter of slots. */
  async function counted(outcome: string): Promise<number> {
    const { text } = await call('GET', '/metrics');
    const labels = `kind="scheduled-query",outcome="${outcome}",state="succeeded"`;
    return Number(new RegExp(`vigil_slots_total\\{${labels}\\} (\\d+)`).exec(text)?.[1]);
  }

  async function allEnded(): Promise<Wire[][]> {
    const all: Wire[][] = [];
    for (const guid of guids) {
      all.push(await slotsWhen(subject, guid, ([newest]) => newest?.state === 'succeeded'));
    }
    return all;
  }

  it('that are due in the same moment have a slot each, and all run', async () => {
    for (const guid of guids) await createSchedule(subject, { guid, ...hourly });
    expect((await call('GET', '/metrics')).text).toContain(`vigil_schedules_enabled ${MANY}`);
    toNextHour(clock);
    const slots = await allEnded();
    expect(slots.every((each) => each.length === 1 && each[0].outcome === 'ran')).toBe(true);
    expect(new Set(slots.map(([slot]) => slot.query_id)).size).toBe(MANY);
    expect(await counted('ran')).toBe(MANY);
    expect((await call('GET', '/readyz')).json.checks.scheduler).toBe('ok');
  });

  it('leave the rows of their newest runs, and a status of all', async () => {
    const slots = await Promise.all(guids.map((guid) => slotsOf(subject, guid)));
    const ids = slots.map(([slot]) => slot.query_id).toSorted((left, right) => left - right);
    const rows = async (id: number) => (await call('GET', `/api/core/cursors/${id}`)).text.trim();
    expect(await rows(ids[0])).toBe('');
    expect(await rows(ids.at(-1))).toBe('{"a":1}');
    expect((await call('GET', `/api/core/queries/${ids[0]}`)).json).toMatchObject({ is_finished: true, rows: 1 });
  });

  it('are named in one list, with what is not there and what is named twice', async () => {
    const unknown = Array.from({ length: 10_000 - 2 * MANY - 1 }, () => newGuid());
    const running = await createRunning(subject);
    const all = [...unknown, ...guids, ...guids, running.guid].join(',');
    const stopped = await call('POST', `${SCHEDULES}/stop`, { form: { guids: all } });
    expect([stopped.json.succeeded, stopped.json.failures.length]).toEqual([1, unknown.length]);
    expect(stopped.json.failures.map(({ id }: Wire) => id)).toEqual(unknown);
    const removed = await call('DELETE', SCHEDULES, { form: { guids: all } });
    expect([removed.json.succeeded, removed.json.failures.length]).toEqual([MANY + 1, unknown.length]);
    expect((await call('GET', SCHEDULES)).json.total_count).toBe(0);
    expect((await call('GET', '/metrics')).text).toContain('vigil_schedules_enabled 0');
  });
});
