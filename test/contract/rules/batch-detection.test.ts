// Batch rules detect: from logs that were pushed to events, by the clock.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { onEachDatabase } from '#test/support/suites.ts';

onEachDatabase('A batch rule', (subject) => {
  const { call, clock } = subject;

  it('raises an event for what it finds when it is due', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    const model = await created(subject, '/api/core/logger-models', {
      name: 'm',
      logger_factory_name: 'http',
      parser_code: 'json',
    });
    const logger = await created(subject, '/api/core/loggers', {
      model_guid: model,
      name: 'l',
      table_name: 'web',
      enabled: 'true',
    });
    await call('POST', `/api/core/loggers/${logger}/logs`, {
      json: [
        { user: 'kim', status: 401 },
        { user: 'ann', status: 200 },
      ],
    });
    const rule = await created(subject, '/api/core/batch-rules', {
      priority: 'HIGH',
      name: 'failed logins',
      msg: 'login of $user failed.',
      schedule: '* * * * *',
      duration: '300',
      query: 'table web | search status == 401',
      suppress_key: '$user',
      event_suppress_interval: '3600',
      enabled: 'true',
    });
    const found = async () => (await call('GET', '/api/core/events')).json;
    await dueOnce(rule);
    await expect.poll(found).toMatchObject({ total_count: 1 });
    const [event] = (await found()).events;
    expect(event).toMatchObject({
      rule_type: 'batch',
      rule_guid: rule,
      rule_version: 1,
      msg: 'login of kim failed.',
      suppress_key: 'kim',
      count: 1,
      fields: { user: 'kim', status: 401 },
      first_time: '2024-03-01 00:00:00+0000',
    });
    // The next window has the first record, too, which counts once.
    await call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ user: 'kim', status: 401 }] });
    await dueOnce(rule);
    await expect.poll(found).toMatchObject({ total_count: 1, events: [{ guid: event.guid, count: 2 }] });
  });

  /** Lets the time pass until the rule has begun to run once more. */
  async function dueOnce(rule: string) {
    const lastRun = async () => (await call('GET', `/api/core/batch-rules/${rule}`)).json.rule.last_run_time;
    const before = await lastRun();
    const due = (await call('GET', `/api/core/batch-rules/${rule}`)).json.rule.next_run_time;
    clock.advance({ minutes: 1 });
    expect(due).not.toBeNull();
    await expect.poll(lastRun).not.toBe(before);
  }
});
