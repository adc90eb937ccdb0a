// Logs as the rules of their logger's model make them (7.7), and lines as its parser reads them (8.3).

import { beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { push, rowsOf } from '#test/support/logs.ts';
import { onEachDatabase, outcome, type Subject, serviceFor } from '#test/support/suites.ts';

const MODELS = '/api/core/logger-models';

interface ModelOptions {
  readonly parser_code?: string;
  readonly parser_configs?: object;
  readonly rules?: readonly object[];
}

let made = 0;

/** A logger with a table and a model of its own, and what becomes of what is pushed to it. */
async function loggerWith(subject: Subject, options: ModelOptions) {
  const { call } = subject;
  made += 1;
  const table = `t${made}`;
  await call('POST', '/api/core/tables', { form: { table } });
  const json = { name: table, logger_factory_name: 'http', parser_code: 'json', ...options };
  const model = (await call('POST', MODELS, { json })).json;
  const form = { model_guid: model.guid, name: table, table_name: table, enabled: 'true' };
  const logger = await created(subject, '/api/core/loggers', form);
  const kept = async () => {
    const rows = await rowsOf(subject, `table order=asc ${table}`);
    return rows.map(({ _id, _table, ...fields }) => fields);
  };
  return {
    table,
    kept,
    change: async (changed: ModelOptions) => {
      const answer = await call('PUT', `${MODELS}/${model.guid}`, { json: { ...json, ...changed } });
      expect(outcome(answer)).toEqual([200, {}]);
    },
    text: (body: string) => push(subject, logger, { type: 'text/plain', body }),
    json: (...records: readonly object[]) =>
      push(subject, logger, { body: records.map((record) => JSON.stringify(record)).join('\n') }),
    logger,
  };
}

const schema = (subject: Subject, code: string, fields: readonly (readonly [name: string, type: string])[]) =>
  subject.call('POST', '/api/core/log-schemas', {
    json: { code, name: code, fields: fields.map(([name, type]) => ({ name, type })) },
  });

const NOW = '2024-03-01 00:00:00+0000';

onEachDatabase('Rules of a logger model', (subject) => {
  const { call, clock } = subject;

  beforeAll(async () => {
    await schema(subject, 'web', [
      ['ip', 'IP'],
      ['port', 'PORT'],
      ['status', 'INT'],
      ['at', 'DATE'],
    ]);
    await schema(subject, 'rest', [['n', 'STRING']]);
  });

  it('are tried in their order: the first that lets a log pass decides', async () => {
    const { json, kept } = await loggerWith(subject, {
      rules: [
        { name: 'errors', log_schema_code: 'web', stream_query: 'search status >= 500' },
        { name: 'odd', log_schema_code: 'rest', stream_query: 'search n == 1 or status == 500 | fields n' },
      ],
    });
    const answer = await json({ status: 500, n: 1 }, { status: 200, n: 1 }, { status: 200, n: 2, _schema: 'mine' });
    expect(outcome(answer)).toEqual([200, { accepted: 3, rejected: [], rejected_count: 0 }]);
    expect(await kept()).toEqual([
      { _time: NOW, status: 500, n: 1, _schema: 'web' },
      { _time: NOW, n: '1', _schema: 'rest' },
      { _time: NOW, status: 200, n: 2, _schema: 'mine' },
    ]);
  });

  it('convert the fields that the schema declares; what cannot be converted stays as it came', async () => {
    const { json, kept } = await loggerWith(subject, { rules: [{ name: 'all', log_schema_code: 'web' }] });
    await json(
      { ip: '::FFFF:10.0.0.1', port: '443', status: '404', at: '2024-02-29 12:00:00+0900', more: '7' },
      { ip: 'nowhere', port: 70_000, status: 'x', at: 'noon', more: { deep: [1] } },
      { ip: null, port: '', status: 99_999_999_999, at: 5 },
    );
    expect(await kept()).toEqual([
      { _time: NOW, ip: '10.0.0.1', port: 443, status: 404, at: '2024-02-29 03:00:00+0000', more: '7', _schema: 'web' },
      { _time: NOW, ip: 'nowhere', port: 70_000, status: 'x', at: 'noon', more: { deep: [1] }, _schema: 'web' },
      { _time: NOW, port: '', status: 99_999_999_999, at: 5, _schema: 'web' },
    ]);
  });

  it('may read the line by a parser of their own, whose fields are laid over', async () => {
    const { text, json, kept } = await loggerWith(subject, {
      parser_code: 'text',
      parser_configs: { pattern: '^(?<ip>\\S+) (?<status>\\d+) (?<_time>\\S+)$' },
      rules: [
        { name: 'access', log_schema_code: 'web', parser_code: 'regex' },
        { name: 'pairs', log_schema_code: 'rest', parser_code: 'key-value', stream_query: 'search isnotnull(n)' },
      ],
    });
    await text('10.0.0.1 200 x\nn=5 m=6\nm=7\n10.0.0.2 200 2024-03-02');
    await json({ line: 'n=8', n: 1, k: 2 }, { line: 9, n: 3 }, { n: 4 });
    expect(await kept()).toEqual([
      { _time: NOW, line: '10.0.0.1 200 x', ip: '10.0.0.1', status: 200, _schema: 'web' },
      { _time: NOW, line: 'n=5 m=6', n: '5', m: '6', _schema: 'rest' },
      { _time: NOW, line: 'm=7' },
      { _time: NOW, line: 'n=8', n: '8', k: 2, _schema: 'rest' },
      { _time: NOW, line: 9, n: 3 },
      { _time: NOW, n: 4 },
      {
        _time: '2024-03-02 00:00:00+0000',
        line: '10.0.0.2 200 2024-03-02',
        ip: '10.0.0.2',
        status: 200,
        _schema: 'web',
      },
    ]);
  });

  it('may change the time of a log, and give it that of their parser unless it brought one', async () => {
    const at = '2024-02-01 10:00:00+0000';
    const { json, kept } = await loggerWith(subject, {
      rules: [
        { name: 'syslog', log_schema_code: 'rest', parser_code: 'syslog', stream_query: 'fields msg' },
        { name: 'dated', log_schema_code: 'rest', stream_query: 'search isnotnull(when) | eval _time = date(when)' },
        { name: 'undated', log_schema_code: 'rest', stream_query: 'eval _time = "soon"' },
      ],
    });
    const line = '<34>1 2024-02-01T10:00:00Z - - - - - hi';
    await json({ line }, { line, _time: '2024-01-01' }, { when: at }, { when: 'never' }, { k: 1, _time: 5 });
    expect(await kept()).toEqual([
      { _time: '1970-01-01 00:00:00+0000', k: 1, _schema: 'rest' },
      { _time: '2024-01-01 00:00:00+0000', msg: 'hi', _schema: 'rest' },
      { _time: at, msg: 'hi', _schema: 'rest' },
      { _time: at, when: at, _schema: 'rest' },
      { _time: NOW, when: 'never', _schema: 'rest' },
    ]);
  });

  it('see the moment, the table and the time of a log', async () => {
    const stream_query = 'eval t = _table, now = now() == _time, who = whoami(), d = ago("1d"), gone = null';
    const { json, table, kept } = await loggerWith(subject, {
      rules: [{ name: 'all', log_schema_code: 'rest', stream_query }],
    });
    await json({});
    expect(await kept()).toEqual([
      { _time: NOW, t: table, now: true, who: 'system', d: '2024-02-29 00:00:00+0000', _schema: 'rest' },
    ]);
  });

  it('keep the values of a log as they are', async () => {
    const record =
      '{"long":9007199254740993,"half":-0.5,"list":[1,[null],"x"],"map":{"a":{"b":true},"$date":5},"é.":"\\u2028\\"","date":{"$date":1},"bin":{"$binary":"AA=="},"no":false}';
    const plain = await loggerWith(subject, {});
    const ruled = await loggerWith(subject, { rules: [{ name: 'all', log_schema_code: 'rest' }] });
    const body = `${record}\n{"$date":5}`;
    for (const { logger } of [plain, ruled]) expect((await push(subject, logger, { body })).json.accepted).toBe(2);
    const text = async (table: string) => {
      const q = encodeURIComponent(`table ${table} | fields - _table, _schema`);
      return (await call('GET', `/api/core/query?q=${q}`)).text;
    };
    expect(await text(ruled.table)).toBe(await text(plain.table));
    expect(await text(ruled.table)).toContain('9007199254740993');
  });

  it('act on the next log when they, their schema or their groups change', async () => {
    const group = await created(subject, '/api/core/address-groups', { name: 'bad' });
    const rule = { name: 'bad', log_schema_code: 'web', stream_query: `matchnet field=ip guid=${group}` };
    const { json, kept, change } = await loggerWith(subject, { rules: [rule] });
    const schemas = async () =>
      (await kept())
        .map(({ n, _schema = null, status }) => [n, _schema, status])
        // Of one moment, in the order of `_id`, which is that of arrival on one node alone.
        .sort(([one], [other]) => one - other);
    const log = (n: number) => json({ n, ip: '10.0.0.1', status: '5' });
    await log(1);
    const addresses = `/api/core/address-groups/${group}/addresses`;
    await call('POST', addresses, { form: { ip: '10.0.0.0/8', expire_minute: '1' } });
    await log(2);
    clock.advance({ minutes: 2 });
    await log(3);
    await change({ rules: [{ name: 'all', log_schema_code: 'web' }] });
    await log(4);
    const fields = [{ name: 'status', type: 'STRING' }];
    await call('PUT', '/api/core/log-schemas/web', { json: { name: 'web', fields } });
    await json({ n: 5, status: 6 });
    await change({ rules: [rule] });
    const dry = { form: { guids: group, dry_run: 'true' } };
    const { references } = (await call('DELETE', '/api/core/address-groups', dry)).json;
    expect(references).toMatchObject([{ id: group, kind: 'logger-model', field: 'rules' }]);
    await call('DELETE', '/api/core/address-groups', { form: { guids: group } });
    await log(6);
    await call('POST', '/api/core/address-groups', { form: { guid: group, name: 'bad' } });
    await call('POST', addresses, { form: { ip: '10.0.0.1' } });
    await log(7);
    await change({ rules: [] });
    await log(8);
    expect(await schemas()).toEqual([
      [1, null, '5'],
      [2, 'web', 5],
      [3, null, '5'],
      [4, 'web', 5],
      [5, 'web', '6'],
      [6, null, '5'],
      [7, 'web', '5'],
      [8, null, '5'],
    ]);
  });
});

describe('Lines of text', () => {
  const subject = serviceFor();

  it.each([
    [
      'syslog',
      {},
      '<34>1 2024-02-01T10:00:00Z h app 7 id [o@1 a="b"] hello\nno syslog\n<13>Feb 29 01:02:03 h su: x',
      [
        {
          _time: '2024-02-01 10:00:00+0000',
          facility: 4,
          severity: 2,
          facility_name: 'auth',
          severity_name: 'crit',
          host: 'h',
          app: 'app',
          pid: '7',
          msgid: 'id',
          msg: 'hello',
          'o@1.a': 'b',
        },
        {
          _time: '2024-02-29 01:02:03+0000',
          facility: 1,
          severity: 5,
          facility_name: 'user',
          severity_name: 'notice',
          host: 'h',
          app: 'su',
          msg: 'x',
        },
      ],
      [{ line: 2, reason: 'parse-failed' }],
    ],
    [
      'csv',
      { columns: ['_time', 'user'] },
      '2024-02-01,kim\n1706745600000,"lee, jr."\nsoon,x\n,park\nx',
      [
        { _time: '2024-02-01 00:00:00+0000', user: 'kim' },
        { _time: '2024-02-01 00:00:00+0000', user: 'lee, jr.' },
        { _time: NOW, user: 'park' },
      ],
      [
        { line: 3, reason: 'invalid-time' },
        { line: 5, reason: 'parse-failed' },
      ],
    ],
    [
      'key-value',
      { time_field: 'at' },
      'at=2024-02-01 _id=5 user="kim chul"\nnothing',
      [{ _time: '2024-02-01 00:00:00+0000', at: '2024-02-01', user: 'kim chul' }],
      [{ line: 2, reason: 'parse-failed' }],
    ],
    [
      'regex',
      { pattern: 'user (?<user>\\w+)', time_field: 'user' },
      'the user kim\nnobody',
      [{ _time: NOW, user: 'kim' }],
      [{ line: 2, reason: 'parse-failed' }],
    ],
  ])('are read by the parser of the model: %s', async (parser_code, parser_configs, body, rows, rejected) => {
    const { text, kept } = await loggerWith(subject, { parser_code, parser_configs });
    const answer = { accepted: rows.length, rejected, rejected_count: rejected.length };
    expect(outcome(await text(body))).toEqual([200, answer]);
    expect(await kept()).toEqual(rows);
  });

  it('that are JSON keep what they say, and rules see them', async () => {
    await schema(subject, 'web', [['n', 'LONG']]);
    const rules = [{ name: 'web', log_schema_code: 'web', stream_query: 'search n == "5"' }];
    const { text, kept } = await loggerWith(subject, { rules });
    await text('{"n":"5","_time":0}\n{"n":"6","big":12345678901234567890123}');
    expect(await kept()).toEqual([
      { _time: '1970-01-01 00:00:00+0000', n: 5, _schema: 'web' },
      { _time: NOW, n: '6', big: 1.2345678901234568e22 },
    ]);
  });
});
