// What is said about parameters of rules that do not fit: each of them, for both kinds, on create and on update.

import { beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import {
  createRule,
  createSchema,
  type Fields,
  illegal,
  KINDS,
  type Kind,
  MINIMAL,
  NOWHERE,
  ruleOf,
  rulesOf,
} from '#test/support/rules.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

type Complaint = readonly [code: string, message: string];
const missing = (name: string): Complaint => ['null-argument', `${name} should be not null`];
const tooLong = (name: string, most: number): Complaint => [
  'invalid-argument',
  `'${name}' must be shorter than or equal to ${most} characters.`,
];
const notGuid = (name: string): Complaint => ['invalid-param-type', `${name} should be guid type.`];
const notFlag = (name: string): Complaint => ['invalid-param-type', `${name} should be boolean type`];
const notInt = (name: string): Complaint => ['invalid-argument', `'${name}' parameter should be int type`];
const atLeast = (name: string, least: number): Complaint => [
  'invalid-argument',
  `'${name}' must be greater than or equal to ${least}.`,
];
const atMost = (name: string, most: number): Complaint => [
  'invalid-argument',
  `'${name}' must be less than or equal to ${most}.`,
];
const notJson = (name: string): Complaint => ['invalid-param-type', `${name} should be json type`];
const oneOf = (name: string, values: string): Complaint => [
  'invalid-argument',
  `${name} value must be one of ${values}.`,
];

/** Letters of two UTF-16 units each: lengths count code points. */
const letters = (count: number) => '😀'.repeat(count);

type Row = readonly [field: string, given: string | undefined, ...Complaint];

/** Texts: too long by one. */
const texts = (rows: Readonly<Record<string, number>>): Row[] =>
  Object.entries(rows).map(([name, most]) => [name, letters(most + 1), ...tooLong(name, most)] as const);

const ranges = (rows: Readonly<Record<string, readonly [number, number]>>): Row[] =>
  Object.entries(rows).flatMap(([name, [least, most]]) => [
    [name, 'x', ...notInt(name)] as const,
    [name, '1.5', ...notInt(name)] as const,
    [name, String(least - 1), ...atLeast(name, least)] as const,
    [name, String(most + 1), ...atMost(name, most)] as const,
    [name, '99999999999999999999', ...atMost(name, most)] as const,
  ]);

const guidRows = (...names: string[]): Row[] => names.map((name) => [name, 'x', ...notGuid(name)] as const);
const flagRows = (...names: string[]): Row[] => names.map((name) => [name, 'yes', ...notFlag(name)] as const);
const required = (...names: string[]): Row[] =>
  names.flatMap((name) => [[name, undefined, ...missing(name)] as const, [name, '', ...missing(name)] as const]);

const PRIORITIES = "'LOW', 'MEDIUM', 'HIGH'";

const COMMON: readonly Row[] = [
  ...required('priority', 'name', 'msg'),
  ['priority', 'high', ...oneOf('priority', PRIORITIES)],
  ...texts({ name: 255, description: 2000, msg: 2000, address_field: 50, suppress_key: 2000 }),
  ...texts({ employee_key_field: 50, field_order: 2000, comment: 2000 }),
  ...flagRows('enabled', 'keep_alive'),
  ...guidRows('category_guid', 'address_group_guid', 'ticket_repo_guid', 'audit_category_guid', 'auditor_guid'),
  ...guidRows('alarm_group_guid', 'ticket_assignee_guids', 'ticket_assignee_guid', 'reviewer_guids', 'reviewer_guid'),
  ['reviewer_guids', `${NOWHERE},x`, ...notGuid('reviewer_guids')],
  ...ranges({ blacklist_expire_minute: [1, 5_256_000], ticket_threshold: [1, 1_000_000], audit_days: [1, 365] }),
  ...ranges({ ticket_suppress_interval: [0, 31_536_000], event_suppress_interval: [0, 31_536_000] }),
  ['ticket_issue_cond', 'SOMETIMES', ...oneOf('ticket_issue_cond', "'NEVER', 'ETIR_THRESHOLD', 'ALWAYS'")],
  ['ticket_issue_cond', 'ALWAYS', ...missing('ticket_repo_guid')],
  ['ticket_issue_cond', 'ETIR_THRESHOLD', ...missing('ticket_repo_guid')],
];

const OWN: Readonly<Record<Kind, readonly Row[]>> = {
  batch: [
    ...required('schedule', 'query'),
    ['schedule', 'daily', 'invalid-argument', 'wrong cron expression format: daily'],
    ...ranges({ duration: [1, 31_536_000] }),
    ['datetrunc', 'x', ...notInt('datetrunc')],
    ['datetrunc', '-1', ...oneOf('datetrunc', "'1', '60', '3600', '86400'")],
    ['datetrunc', '99999999999999999999', ...atMost('datetrunc', 2_147_483_647)],
    ['datetrunc', '2', ...oneOf('datetrunc', "'1', '60', '3600', '86400'")],
    ...guidRows('dataset_guid'),
    ...texts({ query: 65_535 }),
    ['query', 'tabel web', 'invalid-query', '(92000) there is no command tabel at 1:1'],
  ],
  stream: [
    ...required('schema_code', 'commands'),
    ...texts({ schema_code: 50 }),
    ['source_type', 'logger', ...oneOf('source_type', "'LOGGER', 'LOGGER_MODEL'")],
    ...guidRows('logger_guids', 'logger_model_guids'),
    ['commands', '[]', ...missing('commands')],
    ['commands', '[', ...notJson('commands')],
    ['commands', '{}', ...notJson('commands')],
    ['commands', '[1]', ...notJson('commands')],
    ['commands', '[{}]', ...missing('commands.template_id')],
    ['commands', '[{"template_id":"x"}]', ...notInt('commands.template_id')],
    ['commands', '[{"template_id":1}]', ...missing('commands.query')],
    ['commands', '[{"template_id":1,"query":""}]', ...missing('commands.query')],
    ['commands', '[{"template_id":2,"args":{"ip":"10.0.0.1"}}]', ...missing('commands.field_name')],
    ['commands', '[{"template_id":2,"field_name":"ip"}]', ...missing('commands.ip')],
    ['commands', '[{"template_id":2,"field_name":"ip","args":7}]', ...notJson('commands.args')],
    ['commands', '[{"template_id":1,"query":"search a == 1","invert":"x"}]', ...notFlag('commands.invert')],
    ['commands', '[{"template_id":1,"query":"search a == 1","ordinal":"x"}]', ...notInt('commands.ordinal')],
    [
      'commands',
      '[{"template_id":1,"query":"saerch a == 1"}]',
      'invalid-query',
      '(92000) there is no command saerch at 1:1',
    ],
  ],
};

/** A mistake in every parameter, in the order of declaration: mended one after the other, each is told in its turn. */
const MISTAKES: Readonly<Record<Kind, readonly Row[]>> = {
  batch: order('batch'),
  stream: order('stream'),
};

function order(kind: Kind): Row[] {
  const own: Readonly<Record<Kind, readonly string[]>> = {
    batch: ['schedule', 'duration', 'datetrunc', 'dataset_guid'],
    stream: ['schema_code', 'source_type', 'logger_guids', 'logger_model_guids', 'commands'],
  };
  const before = ['priority', 'name', 'description', 'msg', 'enabled', 'category_guid'];
  const behind = [
    ...['address_group_guid', 'address_field', 'blacklist_expire_minute', 'ticket_issue_cond', 'ticket_threshold'],
    ...['ticket_repo_guid', 'ticket_assignee_guids', 'ticket_suppress_interval', 'event_suppress_interval'],
    ...['suppress_key', 'keep_alive', 'audit_category_guid', 'reviewer_guids', 'auditor_guid', 'audit_days'],
    ...['employee_key_field', 'alarm_group_guid', 'field_order', 'comment'],
  ];
  const all = [...COMMON, ...OWN[kind]].filter(([, given]) => given !== undefined && given !== '');
  return [...before, ...own[kind], ...behind].map((field) => {
    const row = all.find(([name, given]) => name === field && given !== 'ALWAYS');
    if (!row) throw new Error(`there is no mistake for ${field}`);
    return row;
  });
}

describe.each(KINDS)('Parameters of a %s rule', (kind) => {
  const subject = serviceFor();
  const { call } = subject;
  let guid = '';
  beforeAll(async () => {
    await createSchema(subject, 'least');
    guid = await createRule(subject, kind);
  });

  const formOf = (fields: Readonly<Record<string, string | undefined>>): Fields => {
    const form = { ...MINIMAL[kind], name: newGuid(), ...fields };
    return Object.fromEntries(Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined));
  };

  it.each([...COMMON, ...OWN[kind]].map((row) => [row[0], shortened(row[1]), row] as const))(
    'are refused: %s = %s',
    async (_name, _given, [field, given, code, message]) => {
      const form = formOf({ [field]: given });
      const before = [await ruleOf(subject, kind, guid), (await call('GET', rulesOf(kind))).json.total_count];
      expect(outcome(await call('POST', rulesOf(kind), { form }))).toEqual(refused(400, code, message));
      expect(outcome(await call('PUT', `${rulesOf(kind)}/${guid}`, { form }))).toEqual(refused(400, code, message));
      const after = [await ruleOf(subject, kind, guid), (await call('GET', rulesOf(kind))).json.total_count];
      expect(after).toEqual(before);
    },
  );

  it('are complained about one after another in the order of declaration', async () => {
    const wrong = new Map(MISTAKES[kind].map(([field, given]) => [field, given]));
    const heard: unknown[] = [];
    while (wrong.size > 0) {
      const form = formOf(Object.fromEntries(wrong));
      heard.push(outcome(await call('POST', rulesOf(kind), { form })));
      const [first = ''] = wrong.keys();
      wrong.delete(first);
    }
    expect(heard).toEqual(MISTAKES[kind].map(([, , code, message]) => refused(400, code, message)));
  });

  it('are complained about before the rule that is missing', async () => {
    const path = `${rulesOf(kind)}/${NOWHERE}`;
    const wrong = { form: formOf({ comment: letters(2001) }) };
    expect(outcome(await call('PUT', path, wrong))).toEqual(refused(400, ...tooLong('comment', 2000)));
    expect(outcome(await call('PUT', `${rulesOf(kind)}/x`, wrong))).toEqual(refused(400, ...notGuid('guid')));
    const valid = { form: formOf({ category_guid: NOWHERE }) };
    expect(outcome(await call('PUT', path, valid))).toEqual(illegal(`${kind} rule not found: ${NOWHERE}`));
  });

  it('take a guid on create alone, behind the priority', async () => {
    expect(outcome(await call('POST', rulesOf(kind), { form: formOf({ priority: 'x', guid: 'x' }) }))).toEqual(
      refused(400, ...oneOf('priority', PRIORITIES)),
    );
    expect(outcome(await call('POST', rulesOf(kind), { form: formOf({ guid: 'x', name: undefined }) }))).toEqual(
      refused(400, ...notGuid('guid')),
    );
    expect(outcome(await call('PUT', `${rulesOf(kind)}/${guid}`, { form: formOf({ guid: NOWHERE }) }))).toEqual([
      200,
      {},
    ]);
    expect(await ruleOf(subject, kind, NOWHERE)).toBeNull();
  });

  it('are taken up to their limits', async () => {
    const fields = {
      name: letters(255),
      description: letters(2000),
      msg: letters(2000),
      address_field: letters(50),
      suppress_key: letters(2000),
      employee_key_field: letters(50),
      field_order: letters(2000),
      blacklist_expire_minute: '5256000',
      ticket_threshold: '1000000',
      audit_days: '365',
      ticket_suppress_interval: '31536000',
      event_suppress_interval: '31536000',
      comment: letters(2000),
      ...(kind === 'batch' ? { duration: '31536000', datetrunc: '86400' } : {}),
    };
    const answer = await call('POST', rulesOf(kind), { form: formOf(fields) });
    expect(answer.status).toBe(200);
    const { comment: _, ...kept } = fields;
    const rule = await ruleOf(subject, kind, answer.json.guid);
    expect(Object.fromEntries(Object.keys(kept).map((name) => [name, String(rule[name])]))).toEqual(kept);
  });

  it('count as absent where they are empty or null', async () => {
    const optional = [...new Set([...COMMON, ...OWN[kind]].map(([name]) => name))].filter(
      (name) => !Object.hasOwn(MINIMAL[kind], name) && name !== 'name',
    );
    const made = async (value: '' | null) => {
      const none = Object.fromEntries(optional.map((name) => [name, value]));
      const body = value === '' ? { form: formOf({ ...none, name: newGuid() } as Fields) } : { json: formOf({}) };
      const json = value === null ? { json: { ...none, ...body.json } } : {};
      const answer = await call('POST', rulesOf(kind), { ...body, ...json });
      const { guid: _guid, name: _name, ...rule } = await ruleOf(subject, kind, answer.json.guid);
      return rule;
    };
    const { guid: _guid, name: _name, ...least } = await ruleOf(subject, kind, await createRule(subject, kind));
    expect(await made('')).toEqual(least);
    expect(await made(null)).toEqual(least);
  });

  it('may be JSON values, given once', async () => {
    const json = { ...MINIMAL[kind], name: newGuid(), enabled: false, audit_days: 3, mitre_techniques: ['T1110'] };
    const commands = kind === 'stream' ? { commands: [{ template_id: 1, query: 'search a == 1' }] } : {};
    const answer = await call('POST', rulesOf(kind), { json: { ...json, ...commands } });
    expect(answer.status).toBe(200);
    expect(await ruleOf(subject, kind, answer.json.guid)).toMatchObject({ audit_days: 3, enabled: false });
    const twice = `${new URLSearchParams(formOf({}))}&name=again`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(outcome(await call('POST', rulesOf(kind), { body: twice, headers }))).toEqual(
      refused(400, 'invalid-argument', "'name' is given twice."),
    );
  });
});

describe('Conditions of a stream rule', () => {
  const subject = serviceFor();
  const { call } = subject;
  const path = rulesOf('stream');
  beforeAll(() => createSchema(subject, 'least'));
  const formOf = (fields: Fields): Fields => ({ ...MINIMAL.stream, name: newGuid(), ...fields });

  it('are complained about in their turn', async () => {
    const form = formOf({ commands: '[{"template_id":1}]', address_field: letters(51) });
    expect(outcome(await call('POST', path, { form }))).toEqual(refused(400, ...missing('commands.query')));
  });

  it('name templates, which are looked for when the rest is known to be right', async () => {
    const taken = await createRule(subject, 'stream', { name: 'taken' });
    const form = formOf({ commands: '[{"template_id":77}]' });
    expect(outcome(await call('POST', path, { form }))).toEqual(illegal('command template not found: 77'));
    expect(outcome(await call('PUT', `${path}/${taken}`, { form }))).toEqual(illegal('command template not found: 77'));
    expect(outcome(await call('PUT', `${path}/${NOWHERE}`, { form }))).toEqual(
      illegal(`stream rule not found: ${NOWHERE}`),
    );
    expect(outcome(await call('POST', path, { form: { ...form, name: 'taken' } }))).toEqual(
      illegal('duplicated name: taken'),
    );
    expect(outcome(await call('POST', path, { form: { ...form, address_field: letters(51) } }))).toEqual(
      refused(400, ...tooLong('address_field', 50)),
    );
    const both = { ...form, commands: '[{"template_id":77},{"template_id":1,"query":"saerch a"}]' };
    expect((await call('POST', path, { form: both })).json.error_code).toBe('invalid-query');
  });
});

const shortened = (text: string | undefined) =>
  text && text.length > 60 ? `${text.length} units` : JSON.stringify(text);
