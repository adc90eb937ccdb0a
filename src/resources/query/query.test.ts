import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrong = (message: string) => refused(400, 'invalid-query', message);

describe('A query', () => {
  const subject = serviceFor();
  const { call } = subject;
  const ask = (parameters: Readonly<Record<string, string>>, key?: string) =>
    call('GET', `/api/core/query?${new URLSearchParams(parameters)}`, key ? { key } : {});
  const numbers = async (q: string) => (await rowsOf(subject, q)).map(({ n }) => n);

  it('gives the rows of a table, newest first or oldest first, from a page of them', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    // The clock stands at 2024-03-01 00:00:00.
    const times = ['2024-02-29 22:00:00+0000', '2024-02-29 23:30:00+0000', '2024-03-01 08:59:59+0900'];
    const body = times.map((time, n) => JSON.stringify({ _time: time, n })).join('\n');
    await push(subject, logger, { body });
    expect(await numbers('table web')).toEqual([2, 1, 0]);
    expect(await numbers('  table order=asc\n web ')).toEqual([0, 1, 2]);
    expect(await numbers('table offset=1 limit=1 web')).toEqual([1]);
    expect(await numbers('table order=asc offset=1 web')).toEqual([1, 2]);
    expect(await numbers('table limit=0 web')).toEqual([]);
  });

  it('keeps to its range', async () => {
    expect(await numbers('table duration=1h web')).toEqual([2, 1]);
    expect(await numbers('table duration=1d web')).toEqual([2, 1, 0]);
    expect(await numbers('table duration=1s web')).toEqual([2]);
    expect(await numbers('table from=2024022923 web')).toEqual([2, 1]);
    expect(await numbers('table to=2024022923 web')).toEqual([0]);
    expect(await numbers('table from=20240229 to=20240301 web')).toEqual([2, 1, 0]);
    expect(await numbers('table from="2024-02-29 23:30:00" to="2024-02-29T23:59:59Z" web')).toEqual([1]);
  });

  it('counts', async () => {
    expect(await rowsOf(subject, 'table web | stats count')).toEqual([{ count: 3 }]);
    expect(await rowsOf(subject, 'table duration=1h web|stats count')).toEqual([{ count: 2 }]);
  });

  it('answers one object per line, with the wanted columns in their order', async () => {
    const answer = await ask({ q: 'table web', offset: '1', limit: '1', fields: 'n,none,_time' });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.text).toBe('{"n":1,"_time":"2024-02-29 23:30:00+0000"}\n');
  });

  it('answers one object with all rows', async () => {
    const { headers, json } = await ask({ q: 'table limit=2 web', limit: '1', format: 'json-single' });
    expect(headers.get('content-type')).toContain('application/json');
    expect(json).toEqual({
      rows: [{ _table: 'web', _time: '2024-02-29 23:59:59+0000', _id: 3, n: 2 }],
      total: 2,
      field_order: ['_table', '_time', '_id', 'n'],
      field_types: { _table: 'string', _time: 'date', _id: 'long', n: 'long' },
    });
    expect((await ask({ q: 'table web | stats count', format: 'json-single' })).json).toEqual({
      rows: [{ count: 3 }],
      total: 1,
      field_order: ['count'],
      field_types: { count: 'long' },
    });
  });

  it.each([
    [{}, refused(400, 'null-argument', 'q should be not null')],
    [{ q: 'x', offset: 'a' }, invalid('offset should be long type.')],
    [{ q: 'x', offset: '-1' }, invalid('offset should be non-negative integer.')],
    [{ q: 'x', limit: '9223372036854775808' }, invalid('limit should be long type.')],
    [{ q: 'x', limit: '-1' }, invalid('limit should be non-negative integer.')],
    [{ q: 'x', format: 'pdf' }, invalid('format should be one of html, txt, xml, csv, json or json-single.')],
    [{ q: 'x', format: 'csv' }, invalid('format is not available yet: csv')],
  ])('complains about %j', async (parameters, complaint) => {
    expect(outcome(await ask(parameters))).toEqual(complaint);
  });

  it.each([
    ['table wev', '(10001) there is no table wev at 1:7'],
    ['table\n  order=asc\n  wev', '(10001) there is no table wev at 3:3'],
    ['search a == 1', '(92003) search is not available yet at 1:1'],
    ['table web | search a', '(92003) search is not available yet at 1:13'],
    ['table web | stats sum(n)', '(92003) sum(n) is not available yet at 1:19'],
    ['table web*', '(92003) web* is not available yet at 1:7'],
    ['table web |', '(90003) a command is expected between pipes at 1:1'],
    ['table', '(99000) too few arguments; expected: table at 1:1'],
    ['table web other', '(90012) unexpected text after the command at 1:11'],
    ['table limt=1 web', '(90001) table has no option limt at 1:7'],
    ['table limit=1 limit=2 web', '(90007) option limit is given twice at 1:15'],
    ['table limit=x web', '(10006) expected a whole number not below 0 at 1:13'],
    ['table order=up web', '(90008) option order cannot be up: desc or asc at 1:13'],
    ['table duration=1h from=2024 web', '(10003) duration, from/to and window exclude each other at 1:24'],
    ['table from=2024 to=2023 web', '(10004) from must be before to at 1:12'],
    ['table duration=1x web', '(90010) 1x cannot be used as time or duration at 1:16'],
    ['table from=20241301 web', '(90010) 20241301 cannot be used as time or duration at 1:12'],
    ['table from="2024 web', '(90004) string is not closed at 1:12'],
  ])('is refused with its place: %s', async (q, message) => {
    expect(outcome(await ask({ q }))).toEqual(wrong(message));
  });

  it('of a MEMBER finds only the tables granted to it', async () => {
    const { key, guid } = await createAccount(subject, 'MEMBER', { login: 'reader' });
    const missing = wrong('(10001) there is no table web at 1:7');
    expect(outcome(await ask({ q: 'table web' }, key))).toEqual(missing);
    await call('PUT', '/api/core/tables/web', { json: { shared_users: [guid] } });
    expect(await rowsOf(subject, 'table web | stats count', { key })).toEqual([{ count: 3 }]);
  });

  it('is written to the audit trail with its text, failed or not', async () => {
    const entries = await entriesOf(subject, async () => {
      await ask({ q: 'table web' });
      await ask({ q: 'table wev' });
    });
    expect(entries).toMatchObject([
      { module: 'query', method: 'run', params: { q: 'table web' }, msg: 'Run of query table web' },
      { module: 'query', method: 'run', params: { q: 'table wev' }, error: '(10001) there is no table wev at 1:7' },
    ]);
  });
});
