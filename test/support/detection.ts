// What tests of detection have in common: a table with logs, rules over it, and what they have raised.

import { expect } from 'vitest';
import { created } from './accounts.ts';
import type { Wire } from './service.ts';
import type { Subject } from './suites.ts';

export const BATCH_RULES = '/api/core/batch-rules';
export const EVENTS = '/api/core/events';
export const TICKETS = '/api/core/tickets';

type Fields = Readonly<Record<string, string>>;

export const RULE = { priority: 'HIGH', msg: 'login of $user failed.', schedule: '0 0 1 1 *', enabled: 'true' };

/** A rule that is due only by hand, unless the fields say otherwise. */
export const createRule = (subject: Pick<Subject, 'call'>, fields: Fields): Promise<string> =>
  created(subject, BATCH_RULES, { ...RULE, ...fields });

/** A table, and what pushes records to it. */
export async function createLog(
  subject: Subject,
  table: string,
): Promise<(records: readonly object[]) => Promise<void>> {
  await subject.call('POST', '/api/core/tables', { form: { table } });
  const model = await created(subject, '/api/core/logger-models', {
    name: table,
    logger_factory_name: 'http',
    parser_code: 'json',
  });
  const fields = { model_guid: model, name: table, table_name: table, enabled: 'true' };
  const logger = await created(subject, '/api/core/loggers', fields);
  return async (records) => {
    const { status } = await subject.call('POST', `/api/core/loggers/${logger}/logs`, { json: records });
    expect(status).toBe(200);
  };
}

/** Runs a rule by hand, once its last run is written down; gives the id of the query when that has ended. */
export async function runRule({ call }: Pick<Subject, 'call'>, guid: string): Promise<number> {
  let answer = await call('POST', `${BATCH_RULES}/${guid}/run`);
  await expect
    .poll(async () => {
      if (answer.status !== 200) answer = await call('POST', `${BATCH_RULES}/${guid}/run`);
      return answer.text;
    })
    .toContain('"id"');
  const { id } = answer.json;
  await expect.poll(async () => (await call('GET', `/api/core/queries/${id}`)).json.is_finished).toBe(true);
  return id;
}

/** Of a rule, oldest first. */
export async function eventsOf({ call }: Subject, rule: string): Promise<Wire[]> {
  return (await call('GET', `${EVENTS}?rule_guids=${rule}`)).json.events.toReversed();
}
