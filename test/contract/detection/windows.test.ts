// Which records a batch rule reads: a window that ends at its slot time, both of its ends cut down.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLog, createRule, eventsOf } from '#test/support/detection.ts';
import type { Wire } from '#test/support/service.ts';
import { BEGINNING, onEachDatabase } from '#test/support/suites.ts';

const SECONDS = [0, 59, 60, 100, 179, 180, 200, 239] as const;

onEachDatabase('The window of a batch rule', (subject) => {
  const { call, clock } = subject;

  it('is duration seconds long, and its ends are cut down to datetrunc', async () => {
    const push = await createLog(subject, 'windowed');
    await push(SECONDS.map((n) => ({ _time: Date.parse(BEGINNING) + n * 1000, n })));
    const cases: readonly (readonly [Readonly<Record<string, string>>, readonly number[]])[] = [
      [{ duration: '120' }, [100, 179, 180, 200]],
      [{ duration: '120', datetrunc: '60' }, [60, 100, 179]],
      [{ duration: '20', datetrunc: '3600' }, []],
      [{}, SECONDS],
    ];
    // Due 220 seconds after the beginning.
    const due = '40 3 0 1 3 *';
    const rules: string[] = [];
    for (const [index, [fields]] of cases.entries()) {
      rules.push(await createRule(subject, { name: `${index}`, schedule: due, query: 'table windowed', ...fields }));
    }
    const [first = ''] = rules;
    expect((await call('GET', `/api/core/batch-rules/${first}`)).json.rule).toMatchObject({
      last_run_time: null,
      next_run_time: '2024-03-01 00:03:40+0000',
    });
    clock.advance({ seconds: 230 });
    for (const [index, [fields, expected]] of cases.entries()) {
      const rule = rules[index] ?? '';
      const lastRun = async () => (await call('GET', `/api/core/batch-rules/${rule}`)).json.rule.last_run_time;
      await expect.poll(lastRun).toBe('2024-03-01 00:03:50+0000');
      const found = async () =>
        (await eventsOf(subject, rule)).map((event: Wire) => event.fields.n).sort((a, b) => a - b);
      await expect.poll(found, { message: JSON.stringify(fields) }).toEqual(expected);
    }
  });

  it('is that of its dataset’s tables, too', async () => {
    const dataset = await created(subject, '/api/core/datasets', {
      name: 'd',
      query: 'table windowed',
      shared_users: '[]',
      shared_groups: '[]',
    });
    const fields = { name: 'dataset', schedule: '0 5 0 1 3 *', dataset_guid: dataset, duration: '100' };
    const rule = await createRule(subject, { ...fields, query: 'search n != 239' });
    clock.advance({ minutes: 2 });
    await expect.poll(async () => (await eventsOf(subject, rule)).map(({ fields }) => fields.n)).toEqual([200]);
  });
});

onEachDatabase(
  'The window of a batch rule in a zone of half hours',
  (subject) => {
    it('is cut to the hours and days of the zone of the service', async () => {
      const push = await createLog(subject, 'zoned');
      // The clock shows 05:30 of 1 March.
      const times = ['02-28T18:29', '02-28T18:31', '02-29T18:29', '02-29T18:31', '02-29T22:45', '02-29T23:45'];
      await push(times.map((time) => ({ _time: Date.parse(`2024-${time}:00Z`), time })));
      const due = { schedule: '40 33 5 1 3 *', query: 'table zoned | sort _time' };
      const days = await createRule(subject, { name: 'days', ...due, duration: '86400', datetrunc: '86400' });
      const hours = await createRule(subject, { name: 'hours', ...due, duration: '3600', datetrunc: '3600' });
      subject.clock.advance({ seconds: 230 });
      const found = async (rule: string) =>
        (await eventsOf(subject, rule)).map(({ fields }: Wire) => fields.time).sort();
      await expect.poll(() => found(days)).toEqual(['02-28T18:31', '02-29T18:29']);
      await expect.poll(() => found(hours)).toEqual(['02-29T22:45']);
    });
  },
  { flags: { 'time-zone': 'Asia/Kolkata' } },
);
