// Adding data: the parser that is tried, and what is made of table, model and logger.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { NO_CONFIGS } from '#console/pages/sources/logger-configs.ts';
import { answerConsole } from '#test/support/console-answers.ts';
import { makeSource } from './make-source.ts';
import { parserOptions, previewedOf } from './parser-draft.ts';

const TABLE = 'GET /api/core/tables/:table';
const NEW_TABLE = 'POST /api/core/tables';
const MODELS = 'GET /api/core/logger-models';
const NEW_MODEL = 'POST /api/core/logger-models';
const NEW_LOGGER = 'POST /api/core/loggers';

const draft = {
  ...NO_CONFIGS,
  table: '웹',
  retention: 30,
  factory: 'file',
  name: 'n',
  path: '/var/log',
  from: 'start',
};
const model = (fields: object = {}) => ({
  guid: 'm1',
  name: 'file json',
  logger_factory_name: 'file',
  parser_code: 'json',
  rule_count: 0,
  parser_configs: {},
  ...fields,
});
const serve = (models: readonly object[] = [], table: object | null = null) =>
  answerConsole({
    [TABLE]: () => ({ table }),
    [NEW_TABLE]: () => ({}),
    [MODELS]: () => ({ logger_models: models }),
    [NEW_MODEL]: () => ({ guid: 'm2' }),
    [NEW_LOGGER]: () => ({ guid: 'l1' }),
  });
const sent = (requests: ReturnType<typeof serve>, operation: string) =>
  requests.filter((request) => request.operation === operation).map(({ params }) => params);

describe('A new source', () => {
  it('that is pushed to needs its table alone', async () => {
    const requests = serve();
    const made = await makeSource({ ...draft, factory: '', retention: undefined }, { parser: 'json', isThere: false });
    expect(made).toEqual({ table: '웹', logger: undefined });
    expect(requests.map(({ operation }) => operation)).toEqual([TABLE, NEW_TABLE]);
    expect(sent(requests, NEW_TABLE)).toEqual([{ table: '웹', retention: 0 }]);
  });

  it.each([
    ['known to the page', true, null],
    ['made meanwhile', false, { table_name: '웹' }],
  ])('uses a table that is there: %s', async (_, isThere, table) => {
    const requests = serve([], table);
    await makeSource({ ...draft, factory: '' }, { parser: 'json', isThere });
    expect(sent(requests, NEW_TABLE)).toEqual([]);
  });

  it('uses a model of the same kind with the same parser and nothing else', async () => {
    const others = [
      model({ guid: 'x1', logger_factory_name: 'syslog-udp' }),
      model({ guid: 'x2', parser_code: 'csv' }),
      model({ guid: 'x3', rule_count: 1 }),
      model({ guid: 'x4', parser_configs: { a: 1 } }),
    ];
    const requests = serve([...others, model({ parser_configs: undefined })]);
    expect(await makeSource(draft, { parser: 'json', isThere: true })).toEqual({ table: '웹', logger: 'l1' });
    expect(sent(requests, NEW_MODEL)).toEqual([]);
    expect(sent(requests, NEW_LOGGER)).toEqual([
      {
        model_guid: 'm1',
        name: 'n',
        table_name: '웹',
        enabled: true,
        configs: { path: '/var/log', from: 'start' },
        interval: 5000,
      },
    ]);
  });

  it.each([
    [[], 'file json'],
    [[model({ rule_count: 1 })], 'file json 2'],
    [[model({ rule_count: 1 }), model({ rule_count: 1, name: 'file json 2' })], 'file json 3'],
  ])('makes a model with a name that is free, beside %j', async (models, name) => {
    const requests = serve(models);
    await makeSource(draft, { parser: 'json', isThere: true });
    expect(sent(requests, NEW_MODEL)).toEqual([{ name, logger_factory_name: 'file', parser_code: 'json' }]);
    expect(sent(requests, NEW_LOGGER)).toMatchObject([{ model_guid: 'm2' }]);
  });

  it('of a file is read by its schedule, others have none', async () => {
    const requests = serve([model(), model({ guid: 'm3', logger_factory_name: 'syslog-udp' })]);
    const planned = { ...draft, interval: undefined, cron_schedule: '* * * * *', port: 514 };
    await makeSource(planned, { parser: 'json', isThere: true });
    await makeSource({ ...planned, factory: 'syslog-udp' }, { parser: 'json', isThere: true });
    const [file, syslog] = sent(requests, NEW_LOGGER);
    expect(file).toMatchObject({ cron_schedule: '* * * * *' });
    expect(file).not.toHaveProperty('interval');
    expect(syslog).toMatchObject({ model_guid: 'm3', configs: { port: 514 } });
    expect(syslog).not.toHaveProperty('cron_schedule');
  });
});

describe('The parser that is tried', () => {
  const empty = { code: '', pattern: '', columns: '' };

  it.each([
    [{ parser: 'json' }, { isNew: false, parser: { parser_code: 'json' } }],
    [{ parser: 'regex' }, undefined],
    [
      { parser: 'regex', pattern: '(?<a>.*)' },
      { isNew: true, parser: { factory_name: 'regex', configs: { pattern: '(?<a>.*)' } } },
    ],
    [{ parser: 'csv' }, undefined],
    [{ parser: 'csv', columns: ' , ' }, undefined],
    [
      { parser: 'csv', columns: 'a, 상태,,b ' },
      { isNew: true, parser: { factory_name: 'csv', configs: { columns: ['a', '상태', 'b'] } } },
    ],
  ])('of %j', (fields, previewed) => {
    expect(previewedOf({ ...empty, ...fields })).toEqual(previewed);
  });

  it('is chosen by its name, those of the reader with their codes', () => {
    const parsers = [
      { code: 'json', name: 'JSON', factory_name: 'json', builtin: true },
      { code: 'regex', name: 'Regex', factory_name: 'regex', builtin: true },
      { code: 'mine', name: '내 파서', factory_name: 'csv', builtin: false },
    ];
    expect(parserOptions(parsers, en.sources)).toEqual([
      { value: 'json', label: 'JSON' },
      { value: 'regex', label: en.sources.newRegex },
      { value: 'mine', label: '내 파서 (mine)' },
    ]);
  });
});
