import { describe, expect, it } from 'vitest';
import { created, createTeam } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const MODELS = '/api/core/logger-models';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const OTHER = 'dddddddd-0000-4000-8000-00000000000d';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const MODEL = { name: 'web', logger_factory_name: 'http', parser_code: 'json' };

const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notText = (name: string) => refused(400, 'invalid-param-type', `${name} should be string type`);
const notRegex = (detail: string) =>
  invalid(`'parser_configs.pattern' should be a regular expression with named groups: ${detail}`);
const RULE = { name: 'r', log_schema_code: 'web' };

const wrongConfigs: readonly (readonly [string, object, readonly [number, unknown]])[] = [
  ['csv', {}, missing('parser_configs.columns')],
  ['csv', { columns: [] }, missing('parser_configs.columns')],
  ['csv', { columns: [{}] }, notText('parser_configs.columns')],
  ['csv', { columns: ['a', 'b', 'a'] }, invalid("'parser_configs.columns' must not have the same name twice: a")],
  ['csv', { columns: ['a'], delimiter: 1 }, notText('parser_configs.delimiter')],
  [
    'csv',
    { columns: ['a'], quote: '""' },
    invalid("'parser_configs.quote' must be shorter than or equal to 1 characters."),
  ],
  [
    'csv',
    { columns: ['a'], delimiter: 'x'.repeat(11) },
    invalid("'parser_configs.delimiter' must be shorter than or equal to 10 characters."),
  ],
  ['key-value', { quoted: 'yes' }, refused(400, 'invalid-param-type', 'parser_configs.quoted should be boolean type')],
  ['key-value', { time_format: 'yyyy-QQ' }, invalid("'parser_configs.time_format' should be a date pattern.")],
  ['regex', {}, missing('parser_configs.pattern')],
  ['regex', { pattern: 'x(y)' }, notRegex('(20500) the pattern has no named group at 1:1')],
  ['regex', { pattern: '(?<a>x)(?<a>y)' }, notRegex('(20501) name a is written twice at 1:11')],
  ['regex', { pattern: '(?<a>x' }, notRegex('(90303) the pattern is malformed: a ) is missing at 1:1')],
  ['regex', { pattern: '(?<a>x)(?=y)' }, notRegex('(90304) lookahead is not supported in patterns at 1:8')],
];

const wrongRules: readonly (readonly [object, readonly [number, unknown]])[] = [
  [{}, missing('rules.name')],
  [{ name: 'r' }, missing('rules.log_schema_code')],
  [{ ...RULE, guid: 'x' }, refused(400, 'invalid-param-type', 'rules.guid should be guid type.')],
  [{ ...RULE, name: 'r'.repeat(51) }, invalid("'rules.name' must be less than or equal to 50 characters.")],
  [{ ...RULE, parser_code: 5 }, notText('rules.parser_code')],
  [{ ...RULE, parser_code: 'csv' }, missing('parser_configs.columns')],
  [{ ...RULE, stream_interval: 0 }, invalid("'rules.stream_interval' must be greater than or equal to 1.")],
  [{ ...RULE, stream_interval: '1m' }, invalid("'rules.stream_interval' parameter should be int type")],
  [{ ...RULE, stream_query: 'stats count' }, refused(400, 'invalid-query', '(92002) stats is not allowed here at 1:1')],
  [{ ...RULE, stream_query: 'search (' }, refused(400, 'invalid-query', '(90202) ( is not closed at 1:8')],
  [
    { ...RULE, stream_query: `matchnet field=ip guid=${NOWHERE}` },
    refused(400, 'invalid-query', `(21301) there is no group ${NOWHERE} at 1:24`),
  ],
];

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
      invalid("logger_factory_name value must be one of 'http', 'syslog-udp', 'syslog-tcp', 'syslog-tls', 'file'."),
    ],
    [{ ...MODEL, parser_code: '' }, refused(400, 'null-argument', 'parser_code should be not null')],
    [{ ...MODEL, parser_configs: '[]' }, refused(400, 'invalid-param-type', 'parser_configs should be json type')],
    [{ ...MODEL, rules: '{}' }, refused(400, 'invalid-param-type', 'rules should be json type')],
    [{ ...MODEL, rules: '[1]' }, refused(400, 'invalid-param-type', 'rules should be json type')],
    ...wrongConfigs.map(([parser_code, configs, complaint]) => [
      { ...MODEL, parser_code, parser_configs: JSON.stringify(configs) },
      complaint,
    ]),
    ...wrongRules.map(([rule, complaint]) => [{ ...MODEL, rules: JSON.stringify([RULE, rule]) }, complaint]),
  ] as [Record<string, string>, readonly [number, unknown]][])(
    'on creation and update with %j',
    async (form, complaint) => {
      expect(outcome(await call('POST', MODELS, { form }))).toEqual(complaint);
      expect(outcome(await call('PUT', `${MODELS}/${NOWHERE}`, { form }))).toEqual(complaint);
    },
  );

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

  it('is read back as it was written, its rules with guids and with the names of their schemas', async () => {
    const fields = [{ name: 'ip', type: 'IP' }];
    for (const code of ['web', 'left']) {
      await call('POST', '/api/core/log-schemas', { json: { code, name: `schema ${code}`, fields } });
    }
    const rule = { guid: OTHER, name: 'r', log_schema_code: 'web', parser_code: 'text', stream_interval: 60 };
    const rules = [
      { ...rule, stream_query: 'search ip != null', more: 1 },
      { name: '둘째', log_schema_code: 'left' },
    ];
    const json = { guid: GUID, ...MODEL, description: '설명', parser_configs: { b: 1, a: [] }, rules };
    expect(outcome(await call('POST', MODELS, { json }))).toEqual([200, { guid: GUID }]);
    await call('DELETE', '/api/core/log-schemas', { form: { codes: 'left' } });
    expect(await model(GUID)).toStrictEqual({
      guid: GUID,
      name: 'web',
      description: '설명',
      logger_factory_name: 'http',
      logger_factory_display_name: 'HTTP push',
      parser_code: 'json',
      parser_name: 'JSON',
      parser_configs: { b: 1, a: [] },
      rules: [
        { ...rule, log_schema_name: 'schema web', stream_query: 'search ip != null' },
        {
          guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: '둘째',
          log_schema_code: 'left',
          log_schema_name: null,
        },
      ],
      rule_count: 2,
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    });
  });

  it('is named by a dry run of the removal of a schema, through its rules', async () => {
    const remove = async (more: object) =>
      (await call('DELETE', '/api/core/log-schemas', { form: { codes: 'web', ...more } })).json;
    const reference = { id: 'web', kind: 'logger-model', guid: GUID, name: 'web', field: 'rules' };
    expect(await remove({ dry_run: 'true' })).toEqual({ failures: [], references: [reference] });
  });

  it('has rules whose schemas and parsers exist, each with a guid of its own', async () => {
    const post = async (...rules: object[]) =>
      outcome(await call('POST', MODELS, { json: { ...MODEL, name: 'ruled', rules } }));
    expect(await post(RULE, { ...RULE, log_schema_code: 'gone' })).toEqual(illegal('log schema not found: gone'));
    expect(await post({ ...RULE, parser_code: 'gone' })).toEqual(illegal('parser not found: gone'));
    expect(await post({ ...RULE, guid: GUID }, { ...RULE, guid: GUID })).toEqual(illegal(`duplicated guid: ${GUID}`));
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
    expect(await post({ name: 'x', parser_code: 'pigeon' })).toEqual(illegal('parser not found: pigeon'));
    const put = async (guid: string, form: object) =>
      outcome(await call('PUT', `${MODELS}/${guid}`, { form: { ...MODEL, ...form } }));
    expect(await put(GUID, { name: 'other' })).toEqual(illegal('duplicated logger model: other'));
    expect(await put(GUID, { name: 'y', parser_code: 'pigeon' })).toEqual(illegal('parser not found: pigeon'));
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

  it('are six, in the order of their names, found by code, name and description', async () => {
    const { json } = await call('GET', '/api/core/parsers');
    expect(json.total_count).toBe(6);
    const builtin = { builtin: true, description: expect.stringMatching(/./) };
    expect(json.parsers).toEqual([
      { code: 'csv', name: 'CSV', factory_name: 'csv', ...builtin },
      { code: 'json', name: 'JSON', factory_name: 'json', ...builtin, description: 'Each line is one JSON object.' },
      { code: 'key-value', name: 'Key-value pairs', factory_name: 'key-value', ...builtin },
      { code: 'regex', name: 'Regular expression', factory_name: 'regex', ...builtin },
      { code: 'syslog', name: 'Syslog', factory_name: 'syslog', ...builtin },
      { code: 'text', name: 'Text', factory_name: 'text', ...builtin },
    ]);
    const codes = async (query: string) =>
      (await call('GET', `/api/core/parsers?${query}`)).json.parsers.map(({ code }: { code: string }) => code);
    expect(await codes('keywords=TEXT')).toContain('text');
    expect(await codes('keywords=rfc 5424')).toEqual(['syslog']);
    expect(await codes('offset=5')).toEqual(['text']);
    expect(await codes('limit=0')).toEqual([]);
  });
});
