// What is wrong with the fields of a scheduled query, and which complaint wins: on update, as the contract says, and on
// creation likewise.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchedule, NOWHERE, QUICK, recordOf, SCHEDULES } from '#test/support/scheduled-queries.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const GUID = 'abcdef00-0000-4000-8000-00000000000a';
const CRON = { name: 'nightly', query: QUICK, trigger_type: 'cron', cron_schedule: '0 3 * * *' };
const WORKFLOW = {
  name: 'after',
  query: QUICK,
  trigger_type: 'workflow',
  preceding_guid: NOWHERE,
  preceding_action: 'finished',
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrongType = (message: string) => refused(400, 'invalid-param-type', message);
const tooLong = (name: string, most: number) =>
  invalid(`'${name}' must be shorter than or equal to ${most} characters.`);
const ACTION = invalid("preceding_action value must be one of 'finished', 'succeeded', 'failed'.");
const TRIGGER = invalid("trigger_type value must be one of 'cron', 'workflow'.");
const NODES = invalid("node_types value must be one of 'control', 'data'.");

type Answer = readonly [number, unknown];
type Complaint = readonly [fields: Readonly<Record<string, unknown>>, Answer];

/** Beside or in place of the fields of CRON. */
const OF_CRON: readonly Complaint[] = [
  [{ name: '' }, missing('name')],
  [{ name: 'n'.repeat(256) }, tooLong('name', 255)],
  [{ name: '😀'.repeat(256) }, tooLong('name', 255)],
  [{ description: 'd'.repeat(2001) }, tooLong('description', 2000)],
  [{ description: '한'.repeat(2001) }, tooLong('description', 2000)],
  [{ enabled: 'yes' }, wrongType('enabled should be boolean type')],
  [{ enabled: 'TRUER' }, wrongType('enabled should be boolean type')],
  [{ enabled: '1' }, wrongType('enabled should be boolean type')],
  [{ query: '' }, missing('query')],
  [{ trigger_type: '' }, missing('trigger_type')],
  [{ trigger_type: '', type: 'cron' }, missing('trigger_type')],
  [{ trigger_type: 'CRON' }, TRIGGER],
  [{ trigger_type: 'timer', type: 'cron' }, TRIGGER],
  [{ cron_schedule: '' }, missing('cron_schedule')],
  [{ cron_schedule: 'daily' }, invalid('wrong cron expression format: daily')],
  [{ cron_schedule: '@daily' }, invalid('wrong cron expression format: @daily')],
  [{ cron_schedule: '61 * * * *' }, invalid('wrong cron expression format: 61 * * * *')],
  [{ cron_schedule: '* * * *' }, invalid('wrong cron expression format: * * * *')],
  [{ cron_schedule: '* * * * * * *' }, invalid('wrong cron expression format: * * * * * * *')],
  [{ node_types: 'disk' }, NODES],
  [{ node_types: 'control,Data' }, NODES],
  [{ output_parameter: 'maybe' }, wrongType('output_parameter should be boolean type')],
];

/** Beside or in place of the fields of WORKFLOW. */
const OF_WORKFLOW: readonly Complaint[] = [
  [{ preceding_action: '' }, missing('preceding_action')],
  [{ preceding_action: 'done' }, ACTION],
  [{ preceding_action: 'Finished' }, ACTION],
  [{ preceding_guid: '' }, missing('preceding_guid')],
  [{ preceding_guid: 'x' }, wrongType('preceding_guid should be guid type.')],
  [{ preceding_guid: `${NOWHERE}0` }, wrongType('preceding_guid should be guid type.')],
  [{ preceding_action: '', preceding_guid: '' }, missing('preceding_action')],
  [{ preceding_action: 'done', preceding_guid: '' }, ACTION],
  [{ preceding_action: 'done', preceding_guid: 'x' }, ACTION],
  [{ preceding_guid: '', node_types: 'x' }, missing('preceding_guid')],
  [{ preceding_guid: 'x', output_parameter: 'x' }, wrongType('preceding_guid should be guid type.')],
];

/** Two things are wrong; the complaint is about the earlier one. */
const IN_ORDER: readonly Complaint[] = [
  [{ name: '', description: 'd'.repeat(2001) }, missing('name')],
  [{ name: 'n'.repeat(256), query: '' }, tooLong('name', 255)],
  [{ description: 'd'.repeat(2001), enabled: 'x' }, tooLong('description', 2000)],
  [{ enabled: 'x', query: '' }, wrongType('enabled should be boolean type')],
  [{ query: '', trigger_type: '' }, missing('query')],
  [{ trigger_type: 'x', cron_schedule: '' }, TRIGGER],
  [{ cron_schedule: 'x', node_types: 'x' }, invalid('wrong cron expression format: x')],
  [{ node_types: 'x', output_parameter: 'x' }, NODES],
];

const complaints = [
  ...OF_CRON.map(([fields, answer]) => [{ ...CRON, ...fields }, answer] as const),
  ...OF_WORKFLOW.map(([fields, answer]) => [{ ...WORKFLOW, ...fields }, answer] as const),
  ...IN_ORDER.map(([fields, answer]) => [{ ...CRON, ...fields }, answer] as const),
].map(([fields, answer]) => [shortened(fields), fields, answer] as const);

/** JSON knows types that a form does not. */
const JSON_ONLY: readonly Complaint[] = [
  [{ name: null }, missing('name')],
  [{ name: 5 }, wrongType('name should be string type')],
  [{ query: ['a'] }, wrongType('query should be string type')],
  [{ enabled: 1 }, wrongType('enabled should be boolean type')],
  [{ trigger_type: 1 }, TRIGGER],
  [{ cron_schedule: null }, missing('cron_schedule')],
  [{ node_types: ['control', 'disk'] }, NODES],
  [{ node_types: [1] }, NODES],
  [{ output_parameter: 'maybe' }, wrongType('output_parameter should be boolean type')],
];

describe('A scheduled query is refused', () => {
  const subject = serviceFor();
  const { call } = subject;
  let guid = '';
  let before: unknown;
  beforeAll(async () => {
    guid = await createSchedule(subject, { guid: GUID, name: 'kept', description: 'as it was', enabled: 'true' });
    before = await recordOf(subject, guid);
  });
  afterAll(async () => {
    expect(await recordOf(subject, guid)).toEqual(before);
    expect((await call('GET', SCHEDULES)).json.total_count).toBe(1);
  });

  it.each(complaints)('on update with %s', async (_, form, answer) => {
    expect(outcome(await call('PUT', `${SCHEDULES}/${GUID}`, { form: form as Record<string, string> }))).toEqual(
      answer,
    );
    expect(outcome(await call('PUT', `${SCHEDULES}/${GUID}`, { json: form }))).toEqual(answer);
  });

  it.each(complaints)('on creation with %s', async (_, form, answer) => {
    expect(outcome(await call('POST', SCHEDULES, { form: form as Record<string, string> }))).toEqual(answer);
    expect(outcome(await call('POST', SCHEDULES, { json: form }))).toEqual(answer);
  });

  it.each(JSON_ONLY)('in JSON with %j', async (fields, answer) => {
    const json = { ...CRON, ...fields };
    expect(outcome(await call('PUT', `${SCHEDULES}/${GUID}`, { json }))).toEqual(answer);
    expect(outcome(await call('POST', SCHEDULES, { json }))).toEqual(answer);
  });

  it('without any field, for its name', async () => {
    expect(outcome(await call('PUT', `${SCHEDULES}/${GUID}`))).toEqual(missing('name'));
    expect(outcome(await call('POST', SCHEDULES))).toEqual(missing('name'));
  });

  it.each(Object.keys(CRON))('with %s given twice', async (name) => {
    const body = `${new URLSearchParams(CRON)}&${name}=${encodeURIComponent(CRON[name as keyof typeof CRON])}`;
    for (const [method, path] of [
      ['PUT', `${SCHEDULES}/${GUID}`],
      ['POST', SCHEDULES],
    ] as const) {
      const answer = await call(method, path, { body, headers: FORM });
      expect(outcome(answer)).toEqual(invalid(`'${name}' is given twice.`));
    }
  });

  it('for its guid before anything else', async () => {
    expect(outcome(await call('PUT', `${SCHEDULES}/x`))).toEqual(wrongType('guid should be guid type.'));
    expect(outcome(await call('POST', SCHEDULES, { form: { guid: 'x' } }))).toEqual(
      wrongType('guid should be guid type.'),
    );
  });

  it('when there is none to update, after its fields', async () => {
    const path = `${SCHEDULES}/${NOWHERE}`;
    expect(outcome(await call('PUT', path, { form: { ...CRON, name: '' } }))).toEqual(missing('name'));
    const answer = refused(500, 'illegal-state', `scheduled query not found: ${NOWHERE}`);
    expect(outcome(await call('PUT', path, { form: CRON }))).toEqual(answer);
    expect(outcome(await call('PUT', path, { form: { ...CRON, name: 'kept' } }))).toEqual(answer);
  });

  it('with a guid or a name in use', async () => {
    const answer = await call('POST', SCHEDULES, { form: { ...CRON, guid: GUID.toUpperCase() } });
    expect(outcome(answer)).toEqual(refused(500, 'illegal-state', `duplicated guid: ${GUID}`));
    expect(outcome(await call('POST', SCHEDULES, { form: { ...CRON, name: 'kept' } }))).toEqual(
      refused(500, 'illegal-state', 'duplicated name: kept'),
    );
  });
});

/** Rows of a table are named by what is wrong, not by thousands of letters. */
function shortened(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_, value) => (typeof value === 'string' ? value.slice(0, 60) : value));
}
