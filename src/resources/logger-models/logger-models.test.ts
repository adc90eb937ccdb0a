import { describe, expect, it } from 'vitest';
import { created, createTeam } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const MODELS = '/api/core/logger-models';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const MODEL = { name: 'web', logger_factory_name: 'http', parser_code: 'json' };

describe('A logger model is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, refused(400, 'null-argument', 'name should be not null')],
    [{ ...MODEL, name: 'n'.repeat(51) }, invalid("'name' must be less than or equal to 50 characters.")],
    [
      { ...MODEL, description: 'd'.repeat(2001) },
      invalid("'description' must be less than or equal to 2000 characters."),
    ],
    [{ name: 'x' }, refused(400, 'null-argument', 'logger_factory_name should be not null')],
    [
      { ...MODEL, logger_factory_name: 'pigeon' },
      invalid("logger_factory_name value must be one of 'http', 'syslog-udp', 'syslog-tcp', 'file'."),
    ],
    [{ ...MODEL, parser_code: '' }, refused(400, 'null-argument', 'parser_code should be not null')],
    [{ ...MODEL, parser_configs: '[]' }, refused(400, 'invalid-param-type', 'parser_configs should be json type')],
    [{ ...MODEL, rules: '{}' }, refused(400, 'invalid-param-type', 'rules should be json type')],
    [{ ...MODEL, rules: '[1]' }, refused(400, 'invalid-param-type', 'rules should be json type')],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', MODELS, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${MODELS}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it('for writing by a MEMBER, who may read', async () => {
    const { member } = await createTeam({ call }, 'team');
    const { key } = member;
    expect(outcome(await call('POST', MODELS, { key, form: MODEL }))).toEqual(NO_PERMISSION);
    expect(outcome(await call('DELETE', MODELS, { key }))).toEqual(NO_PERMISSION);
    expect(outcome(await call('GET', MODELS, { key }))).toEqual([200, { total_count: 0, logger_models: [] }]);
  });
});

onEachDatabase('A logger model', (subject) => {
  const { call, clock } = subject;
  const model = async (guid: string) => (await call('GET', `${MODELS}/${guid}`)).json.logger_model;

  it('is read back as it was written, its rules and configuration as given', async () => {
    const rules = [{ name: 'r', log_schema_code: 'x', more: { a: [1, null] } }];
    const json = { guid: GUID, ...MODEL, description: '설명', parser_configs: { b: 1, a: [] }, rules };
    expect(outcome(await call('POST', MODELS, { json }))).toEqual([200, { guid: GUID }]);
    expect(await model(GUID)).toStrictEqual({
      guid: GUID,
      name: 'web',
      description: '설명',
      logger_factory_name: 'http',
      logger_factory_display_name: 'HTTP push',
      parser_code: 'json',
      parser_name: 'JSON',
      parser_configs: { b: 1, a: [] },
      rules,
      rule_count: 1,
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    });
  });

  it('is replaced by an update: what is absent goes', async () => {
    clock.advance({ minutes: 5 });
    const form = { name: 'web 2', logger_factory_name: 'file', parser_code: 'text' };
    expect(outcome(await call('PUT', `${MODELS}/${GUID}`, { form }))).toEqual([200, {}]);
    expect(await model(GUID)).toStrictEqual({
      guid: GUID,
      name: 'web 2',
      logger_factory_name: 'file',
      logger_factory_display_name: 'File',
      parser_code: 'text',
      parser_name: 'Text',
      rules: [],
      rule_count: 0,
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:05:00+0000',
    });
  });

  it('has a name, a guid and a parser that exists', async () => {
    const other = await created(subject, MODELS, { ...MODEL, name: 'other' });
    const post = async (form: object) => outcome(await call('POST', MODELS, { form: { ...MODEL, ...form } }));
    expect(await post({ name: 'other' })).toEqual(illegal('duplicated logger model: other'));
    expect(await post({ name: 'x', guid: other })).toEqual(illegal(`duplicated guid: ${other}`));
    expect(await post({ name: 'x', parser_code: 'csv' })).toEqual(illegal('parser not found: csv'));
    const put = async (guid: string, form: object) =>
      outcome(await call('PUT', `${MODELS}/${guid}`, { form: { ...MODEL, ...form } }));
    expect(await put(GUID, { name: 'other' })).toEqual(illegal('duplicated logger model: other'));
    expect(await put(GUID, { name: 'y', parser_code: 'csv' })).toEqual(illegal('parser not found: csv'));
    expect(await put(NOWHERE, { name: 'other' })).toEqual(illegal(`logger model not found: ${NOWHERE}`));
    expect(await model(NOWHERE)).toBeNull();
  });

  it('is found by name and description', async () => {
    const names = async (query: string) =>
      (await call('GET', `${MODELS}?${query}`)).json.logger_models.map(({ name }: { name: string }) => name);
    await created(subject, MODELS, { ...MODEL, name: 'described', description: 'From the OTHER side' });
    expect(await names('keywords=other')).toEqual(['described', 'other']);
    expect(await names('offset=2')).toEqual(['web 2']);
  });

  it('is removed though loggers refer to it; a dry run names them', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    const used = await created(subject, MODELS, { ...MODEL, name: 'used' });
    const form = { name: 'its logger', model_guid: used, table_name: 'web' };
    const logger = await created(subject, '/api/core/loggers', form);
    const remove = async (more: object) =>
      (await call('DELETE', MODELS, { form: { guids: `${NOWHERE},${used}`, ...more } })).json;
    const failures = [{ id: NOWHERE, reason: 'logger-model-not-found' }];
    const reference = { id: used, kind: 'logger', guid: logger, name: 'its logger', field: 'model_guid' };
    expect(await remove({ dry_run: 'true' })).toEqual({ failures, references: [reference] });
    expect(await model(used)).not.toBeNull();
    expect(await remove({})).toEqual({ failures });
    expect(await model(used)).toBeNull();
    const left = (await call('GET', `/api/core/loggers/${logger}`)).json.logger;
    expect(left).toMatchObject({ model_guid: used, model_name: null, logger_factory_name: null });
  });
});

describe('The parsers', () => {
  const { call } = serviceFor();

  it('are those that exist, found by code, name and description', async () => {
    const { json } = await call('GET', '/api/core/parsers');
    expect(json.total_count).toBe(2);
    expect(json.parsers[0]).toEqual({
      code: 'json',
      name: 'JSON',
      description: 'Each line is one JSON object.',
      factory_name: 'json',
      builtin: true,
    });
    const codes = async (query: string) =>
      (await call('GET', `/api/core/parsers?${query}`)).json.parsers.map(({ code }: { code: string }) => code);
    expect(await codes('keywords=TEXT')).toEqual(['text']);
    expect(await codes('offset=1')).toEqual(['text']);
    expect(await codes('limit=0')).toEqual([]);
  });
});
