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
    await call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ user: 'kim', status: 401 }, { user: 'ann', status: 200 }] });
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
    console.log((await call('GET', `/api/core/batch-rules/${rule}`)).json.rule);
    clock.advance({ minutes: 1 });
    await new Promise((r) => setTimeout(r, 3000));
    console.log((await call('GET', `/api/core/batch-rules/${rule}`)).json.rule, (await call('GET', '/api/core/queries')).json);
    await expect.poll(async () => (await call('GET', `/api/core/batch-rules/${rule}`)).json.rule.last_run_time, { timeout: 20_000 }).not.toBeNull();
  });
});
