// Conditions of stream rules and the templates that they are made from.

import { beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { created } from '#test/support/accounts.ts';
import {
  createRule,
  createSchema,
  MINIMAL,
  NOWHERE,
  restored,
  ruleOf,
  rulesOf,
  updateRule,
  versionOf,
} from '#test/support/rules.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const TEMPLATES = '/api/core/stream-rule-command-templates';
const FIELD_TYPES = ['DATE', 'IP', 'PORT', 'STRING', 'SHORT', 'INT', 'LONG', 'MD5', 'URL'];
const SUBTYPES = ['ip', 'subnet', 'date', 'country', 'port_group'];

describe('Conditions', () => {
  const subject = serviceFor();
  const { call } = subject;
  beforeAll(() => createSchema(subject, 'least'));

  it('have templates, each with its form', async () => {
    const { templates } = (await call('GET', TEMPLATES)).json;
    expect(new Set(templates.map(({ id }: Wire) => id)).size).toBe(templates.length);
    for (const one of templates) {
      expect(Object.keys(one).sort()).toEqual(
        ['config_specs', 'description', 'field_type', 'id', 'name', 'query', 'query2'].sort(),
      );
      if (one.id !== 1) expect(FIELD_TYPES).toContain(one.field_type);
      for (const { name, type, subtype } of one.config_specs) {
        expect(['string', 'number', 'array']).toContain(type);
        expect([...SUBTYPES, null]).toContain(subtype);
        expect([one.query, one.query2].every((text) => text.includes(`$${name}$`))).toBe(true);
      }
      expect((await call('GET', `${TEMPLATES}/${one.id}`)).json).toEqual({ template: one });
    }
    const fixed = templates.slice(0, 3).map(({ id, query, query2 }: Wire) => [id, query, query2]);
    expect(fixed.slice(1)).toEqual([
      [2, 'search $field$ == ip($ip$)', 'search $field$ != ip($ip$)'],
      [3, 'matchnet field=$field$ guid=$subnet$', 'matchnet field=$field$ guid=$subnet$ invert=t'],
    ]);
    expect(fixed[0]?.[0]).toBe(1);
  });

  it('have templates by number', async () => {
    expect(outcome(await call('GET', `${TEMPLATES}/4711`))).toEqual([200, { template: null }]);
    expect(outcome(await call('GET', `${TEMPLATES}/-1`))).toEqual([200, { template: null }]);
    expect(outcome(await call('GET', `${TEMPLATES}/x`))).toEqual(
      refused(400, 'invalid-argument', "'id' parameter should be int type"),
    );
    expect(outcome(await call('GET', `${TEMPLATES}/`))).toEqual(refused(400, 'null-argument', 'id should be not null'));
  });

  it('become sound text whatever is filled into a template, plain and inverted', async () => {
    const { templates } = (await call('GET', TEMPLATES)).json;
    const group = await created(subject, '/api/core/address-groups', { name: 'g' });
    const nasty = `x" | import t | # '\\ * $field$ $("p") [ 한`;
    const filledIn = ({ name, type, subtype }: Wire): unknown => {
      if (subtype === 'subnet') return group;
      if (subtype === 'ip') return '10.0.0.1';
      if (name === 'pattern') return 'a"b\\\\ *';
      if (name === 'ports') return [22, '443'];
      return type === 'array' ? [nasty, 'b'] : type === 'number' ? 7 : nasty;
    };
    for (const { id, config_specs } of templates.filter((one: Wire) => one.id !== 1)) {
      for (const field_name of ['ip', 'odd "name" | $x$', '한글', 'a-b']) {
        const args = Object.fromEntries(config_specs.map((spec: Wire) => [spec.name, filledIn(spec)]));
        const commands = [false, true].map((invert) => ({ template_id: id, field_name, args, invert }));
        const json = { ...MINIMAL.stream, name: newGuid(), commands };
        const answer = await call('POST', rulesOf('stream'), { json });
        expect([id, field_name, answer.status, answer.json.error_msg]).toEqual([id, field_name, 200, undefined]);
        const kept = (await ruleOf(subject, 'stream', answer.json.guid)).commands;
        expect(kept).toMatchObject(commands);
        expect(kept[0].query).not.toBe(kept[1].query);
      }
    }
  });

  it('hold what is filled in as a literal: text that looks like commands stays text', async () => {
    const commands = [{ template_id: 5, field_name: 'user', args: { text: '") | import t | search (a == "' } }];
    const json = { ...MINIMAL.stream, name: newGuid(), commands };
    const { guid } = (await call('POST', rulesOf('stream'), { json })).json;
    const [{ query }] = (await ruleOf(subject, 'stream', guid)).commands;
    const check = (await call('POST', '/api/core/queries/check', { json: { q: `json "{user:1}" | ${query}` } })).json;
    expect(check.mistakes).toEqual([]);
    expect(check.normalized.split(' | import')).toHaveLength(2);
    const run = `json "{'user':'a\\") | import t | search (a == \\"b'}" | ${query}`;
    const rows = await call('GET', `/api/core/query?format=json&q=${encodeURIComponent(run)}`);
    expect(rows.text).toContain('import t');
  });

  const MD5 = 'D41D8CD98F00B204E9800998ECF8427E';
  const OTHER_MD5 = '0cc175b9c0f1b6a831c399e269772661';

  it.each([
    [2, { ip: '10.0.0.1' }, ['10.0.0.1'], ['10.0.0.2', '10.0.0.10', 5]],
    [4, { values: ['a*', 'b', 7] }, ['a*', 'b', 7, '7'], ['ab', 'B', '']],
    [5, { text: 'e*c' }, ['/e*c/passwd', 'e*c'], ['/E*C', 'etc']],
    [6, { pattern: '^a+\\d$' }, ['aa5'], ['aa', 'baa5']],
    [7, { ports: [80, '443'] }, [80, '80', 443, '443'], [81, 'http', 8080]],
    [8, { number: '9007199254740993' }, ['9007199254740993', '9007199254740994'], ['9007199254740992', 5]],
    [8, { number: ' +5.5 ' }, [6, '5.5'], [5, '5']],
    [9, { text: '/Etc/*' }, ['x/eTC/*y'], ['/etc/passwd']],
    [10, { hashes: [MD5, OTHER_MD5] }, [MD5, MD5.toLowerCase(), OTHER_MD5.toUpperCase()], ['0cc1', 5]],
  ])(
    'of template %i with %j let pass what it says, and inverted the rest',
    async (template_id, args, fitting, rest) => {
      const commands = [false, true].map((invert) => ({ template_id, field_name: 'f', args, invert }));
      const json = { ...MINIMAL.stream, name: newGuid(), commands };
      const { guid } = (await call('POST', rulesOf('stream'), { json })).json;
      const passing = (await ruleOf(subject, 'stream', guid)).commands.map(async ({ query }: Wire) => {
        const records = JSON.stringify([...fitting, ...rest].map((f) => ({ f })));
        const q = encodeURIComponent(`json ${JSON.stringify(records)} | ${query} | fields f`);
        const { rows } = (await call('GET', `/api/core/query?format=json-single&q=${q}`)).json;
        return rows.map(({ f }: Wire) => f);
      });
      expect(await Promise.all(passing)).toEqual([fitting, rest]);
    },
  );

  it.each(['x', '', '0x10', 'Infinity', '1e', [5], true])('know that %j is no number', async (number) => {
    const commands = [{ template_id: 8, field_name: 'n', args: { number } }];
    const answer = await call('POST', rulesOf('stream'), { json: { ...MINIMAL.stream, name: newGuid(), commands } });
    expect(outcome(answer)).toEqual(
      number === ''
        ? refused(400, 'null-argument', 'commands.number should be not null')
        : refused(400, 'invalid-argument', "'commands.number' should be a number."),
    );
  });

  it('are kept in the order of their ordinals', async () => {
    const commands = [3, -1, 2].map((ordinal) => ({ template_id: 1, query: `search a == ${ordinal}`, ordinal }));
    const json = { ...MINIMAL.stream, name: newGuid(), commands };
    const { guid } = (await call('POST', rulesOf('stream'), { json })).json;
    const kept = (await ruleOf(subject, 'stream', guid)).commands;
    expect(kept.map(({ query }: Wire) => query)).toEqual(['search a == -1', 'search a == 2', 'search a == 3']);
  });

  it.each([
    ['a command that makes rows', 'table web'],
    ['a command that takes all rows', 'stats count'],
    ['a sink', 'import web'],
    ['nothing', '  '],
  ])('are not %s', async (_what, query) => {
    const json = { ...MINIMAL.stream, name: newGuid(), commands: [{ template_id: 1, query }] };
    expect(await call('POST', rulesOf('stream'), { json })).toMatchObject({ status: 400 });
  });
});

onEachDatabase('A condition on an address group', (subject) => {
  const { call } = subject;
  beforeAll(() => createSchema(subject, 'least'));
  const conditionsOn = (...groups: string[]) =>
    JSON.stringify(groups.map((subnet) => ({ template_id: 3, field_name: 'ip', args: { subnet } })));

  it('refers to it: a removal names the rule, a restore the group by the name that it had', async () => {
    const first = await created(subject, '/api/core/address-groups', { name: 'first' });
    const second = await created(subject, '/api/core/address-groups', { name: 'second' });
    const fields = { name: 'r', commands: conditionsOn(first, second), address_group_guid: second };
    const guid = await createRule(subject, 'stream', fields);
    const dry = await call('DELETE', '/api/core/address-groups', { form: { guids: first, dry_run: 'true' } });
    expect(dry.json.references).toEqual([{ id: first, kind: 'stream-rule', guid, name: 'r', field: 'commands' }]);
    await updateRule(subject, 'stream', guid, { name: 'r' });
    await call('DELETE', '/api/core/address-groups', { form: { guids: `${first},${second}` } });
    const { error_msg, failures } = (await restored(subject, 'stream', guid, 1)).json;
    expect(error_msg).toBe('validation-falied');
    expect(failures.toSorted((a: Wire, b: Wire) => (a.value < b.value ? -1 : 1))).toEqual([
      { field: 'address_group', value: 'first', reason: 'not-found' },
      { field: 'address_group', value: 'second', reason: 'not-found' },
    ]);
    expect((await versionOf(subject, 'stream', guid, 1)).rule.commands).toHaveLength(2);
  });

  it('is refused where the group is not there', async () => {
    const form = { ...MINIMAL.stream, name: newGuid(), commands: conditionsOn(NOWHERE) };
    const answer = await call('POST', rulesOf('stream'), { form });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'invalid-query']);
    expect(answer.json.error_msg).toMatch(/^\(\d{5}\) .* at 1:\d+$/);
  });
});
