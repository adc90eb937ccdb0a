import { describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const SCHEMAS = '/api/core/log-schemas';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notJson = (name: string) => refused(400, 'invalid-param-type', `${name} should be json type`);
const FIELDS = '[{"name":"ip","type":"IP"}]';
const TYPES =
  "'DATE', 'STRING', 'IP', 'PORT', 'SHORT', 'INT', 'LONG', 'COUNTRY', 'FLOAT', 'DOUBLE', 'BOOL', 'MD5', 'SHA1', " +
  "'URL', 'SHA256', 'DOMAIN'";

describe('A log schema is refused', () => {
  const { call } = serviceFor();
  const wrongType = invalid(`fields.type value must be one of ${TYPES}.`);

  it.each([
    [{}, missing('name')],
    [{ name: 'n'.repeat(51) }, invalid("'name' must be shorter than or equal to 50 characters.")],
    [{ name: 'x', name_trans: 'x' }, notJson('name_trans')],
    [{ name: 'x', name_trans: '[]' }, notJson('name_trans')],
    [{ name: 'x', name_trans: '{"ko":1}' }, refused(400, 'invalid-param-type', 'name_trans.ko should be string type')],
    [
      { name: 'x', description: 'd'.repeat(256) },
      invalid("'description' must be shorter than or equal to 255 characters."),
    ],
    [{ name: 'x' }, missing('fields')],
    [{ name: 'x', fields: '[]' }, missing('fields')],
    [{ name: 'x', fields: 'ip' }, notJson('fields')],
    [{ name: 'x', fields: '{}' }, notJson('fields')],
    [{ name: 'x', fields: '["ip"]' }, notJson('fields')],
    [{ name: 'x', fields: '[{"name":"\\u0000","type":"IP"}]' }, notJson('fields')],
    [{ name: 'x', fields: '[{"type":"IP"}]' }, missing('fields.name')],
    [
      { name: 'x', fields: `[{"name":"${'f'.repeat(51)}","type":"IP"}]` },
      invalid("'fields.name' must be shorter than or equal to 50 characters."),
    ],
    [{ name: 'x', fields: '[{"name":"ip"}]' }, missing('fields.type')],
    [{ name: 'x', fields: '[{"name":"ip","type":"ip"}]' }, wrongType],
    [{ name: 'x', fields: '[{"name":"ip","type":"IP"},{"name":"p","type":"TEXT"}]' }, wrongType],
    [
      { name: 'x', fields: '[{"name":"ip","type":"IP","ordinal":1.5}]' },
      invalid("'fields.ordinal' parameter should be int type"),
    ],
    [
      { name: 'x', fields: '[{"name":"ip","type":"IP","ordinal":2147483648}]' },
      invalid("'fields.ordinal' must be less than or equal to 2147483647."),
    ],
    [
      { name: 'x', fields: '[{"name":"ip","type":"IP","display_name_trans":[]}]' },
      notJson('fields.display_name_trans'),
    ],
    [
      { name: 'x', fields: '[{"name":"ip","type":"IP"},{"name":"ip","type":"STRING"}]' },
      invalid("'fields' must not have the same name twice: ip"),
    ],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', SCHEMAS, { form: { code: 'c', ...form } }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${SCHEMAS}/none`, { form }))).toEqual(complaint);
  });

  it('without a code of 1 to 50 characters', async () => {
    expect(outcome(await call('POST', SCHEMAS))).toEqual(missing('code'));
    const long = await call('POST', SCHEMAS, { form: { code: 'c'.repeat(51) } });
    expect(outcome(long)).toEqual(invalid("'code' must be shorter than or equal to 50 characters."));
    expect(outcome(await call('DELETE', SCHEMAS))).toEqual(missing('codes'));
  });

  it('any change by a MEMBER, who may read', async () => {
    const { key } = await createAccount({ call }, 'MEMBER', { login: 'reader' });
    for (const [method, path] of [
      ['POST', SCHEMAS],
      ['PUT', `${SCHEMAS}/c`],
      ['DELETE', SCHEMAS],
    ] as const) {
      expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    }
    expect(outcome(await call('GET', SCHEMAS, { key }))).toEqual([200, { total_count: 0, schemas: [] }]);
    expect(outcome(await call('GET', `${SCHEMAS}/c`, { key }))).toEqual([200, { schema: null }]);
  });
});

onEachDatabase('A log schema', (subject) => {
  const { call, clock } = subject;
  const schema = async (code: string) => (await call('GET', `${SCHEMAS}/${encodeURIComponent(code)}`)).json.schema;
  const make = async (form: Record<string, string>) =>
    outcome(await call('POST', SCHEMAS, { form: { fields: FIELDS, ...form } }));
  const created_ = '2024-03-01 00:00:00+0000';

  it('is read back as it was written, without what nobody knows', async () => {
    const fields = [
      { name: 'src', display_name: '출발지', display_name_trans: { en: 'Source' }, type: 'IP', ordinal: 1 },
      { name: 'hash', type: 'SHA256' },
    ];
    const json = {
      code: 'fw/방화벽',
      name: 'Firewall',
      name_trans: { ko: '방화벽', zh: '防火墙', xx: 'dropped' },
      description: 'Logs',
      fields: fields.map((field) => ({ ...field, unknown: 1 })),
    };
    expect(outcome(await call('POST', SCHEMAS, { json }))).toEqual([200, { code: 'fw/방화벽' }]);
    expect(await schema('fw/방화벽')).toStrictEqual({
      code: 'fw/방화벽',
      name: 'Firewall',
      name_trans: { ko: '방화벽', zh: '防火墙' },
      description: 'Logs',
      fields,
      created: created_,
      updated: created_,
    });
  });

  it('is replaced by an update, which answers its code', async () => {
    await make({ code: 'web', name: 'Web', description: 'goes' });
    clock.advance({ minutes: 5 });
    const form = { name: 'Web 2', fields: '[{"name":"url","type":"URL"}]' };
    expect(outcome(await call('PUT', `${SCHEMAS}/web`, { form }))).toEqual([200, { code: 'web' }]);
    expect(await schema('web')).toStrictEqual({
      code: 'web',
      name: 'Web 2',
      fields: [{ name: 'url', type: 'URL' }],
      created: created_,
      updated: '2024-03-01 00:05:00+0000',
    });
  });

  it('has a code and a name of its own', async () => {
    expect(await make({ code: 'web', name: 'Web 2' })).toEqual(illegal('duplicated code: web'));
    expect(await make({ code: 'other', name: 'Web 2' })).toEqual(illegal('duplicated name: Web 2'));
    await make({ code: 'other', name: 'Other' });
    const change = async (code: string, name: string) =>
      outcome(await call('PUT', `${SCHEMAS}/${code}`, { form: { name, fields: FIELDS } }));
    expect(await change('other', 'Web 2')).toEqual(illegal('duplicated name: Web 2'));
    expect(await change('other', 'Other')).toEqual([200, { code: 'other' }]);
    expect(await change('none', 'Web 2')).toEqual(illegal('log schema not found: none'));
  });

  it('is created once, though twenty ask for its code at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => make({ code: 'rush', name: `Rush ${at}` })),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)[0]).toEqual(illegal('duplicated code: rush'));
  });

  it('is found in code, name and description, in the order of names', async () => {
    const codes = async (query: string) => {
      const { json } = await call('GET', `${SCHEMAS}?${query}`);
      return [json.total_count, json.schemas.map(({ code }: { code: string }) => code)];
    };
    expect(await codes('keywords=FW')).toEqual([1, ['fw/방화벽']]);
    expect(await codes('keywords=logs')).toEqual([1, ['fw/방화벽']]);
    expect(await codes('keywords=web+2')).toEqual([1, ['web']]);
    expect(await codes('limit=2')).toEqual([4, ['fw/방화벽', 'other']]);
  });

  it('tells in a dry run which tables and logger models refer to it, and removes nothing', async () => {
    await created(subject, '/api/core/tables', { table: 'accesses', schema_code: 'web' });
    const model = await created(subject, '/api/core/logger-models', {
      name: 'Model',
      logger_factory_name: 'http',
      parser_code: 'json',
      rules: '[{"name":"fw","log_schema_code":"fw/방화벽"},{"name":"web","log_schema_code":"web"}]',
    });
    const dry = await call('DELETE', SCHEMAS, { form: { codes: 'none, web,other', dry_run: 'true' } });
    expect(outcome(dry)).toEqual([
      200,
      {
        failures: [{ id: 'none', reason: 'log-schema-not-found' }],
        references: [
          { id: 'web', kind: 'logger-model', guid: model, name: 'Model', field: 'rules' },
          { id: 'web', kind: 'table', guid: 'accesses', name: 'accesses', field: 'schema_code' },
        ],
      },
    ]);
    expect(await schema('web')).not.toBeNull();
  });

  it('is removed though tables refer to it; they keep its code', async () => {
    const removed = await call('DELETE', SCHEMAS, { form: { codes: 'web,none,web' } });
    expect(outcome(removed)).toEqual([200, { failures: [{ id: 'none', reason: 'log-schema-not-found' }] }]);
    expect(await schema('web')).toBeNull();
    expect((await call('GET', '/api/core/tables/accesses')).json.table).toMatchObject({ schema_code: 'web' });
    expect((await call('GET', '/api/core/tables?schema_code=web')).json.total_count).toBe(1);
  });
});
