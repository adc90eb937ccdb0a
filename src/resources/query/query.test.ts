import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { statusOf } from '#test/support/queries.ts';
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

  it.each([
    { q: 'table web', limit: '0' },
    { q: 'table web', offset: '10001', limit: '5' },
    { q: 'table web | eval a = 1', offset: '10001', limit: '5' },
  ])('answers no row for a page without one: %o', async (form) => {
    expect((await ask(form)).text).toBe('');
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
  ])('complains about %j', async (parameters, complaint) => {
    expect(outcome(await ask(parameters))).toEqual(complaint);
  });

  it.each([
    ['table wev', '(10001) there is no table wev at 1:7'],
    ['table\n  order=asc\n  wev', '(10001) there is no table wev at 3:3'],
    ['serach a == 1', '(92000) there is no command serach at 1:1'],
    ['search a == 1', '(92001) a query begins with a command that makes rows at 1:1'],
    ['table web | search a=1', '(90001) search has no option a at 1:20'],
    ['table web | import nowhere', '(30000) there is no table nowhere at 1:20'],
    ['table from=2024 to=2023 web', '(10004) from must be before to at 1:1'],
    ['table web | limit $("x")', '(22400) expected a whole number not below 0 at 1:19'],
    ['table $("x")', '(10007) null cannot be used as table name at 1:7'],
  ])('is refused with its place: %s', async (q, message) => {
    expect(outcome(await ask({ q }))).toEqual(wrong(message));
  });

  it('runs the whole language: subqueries, parameters, columns made from values', async () => {
    expect(
      await rowsOf(subject, 'setq [ table web | stats max(n) as m ] | table web | search n == $("m")'),
    ).toMatchObject([{ n: 2 }]);
    expect(await rowsOf(subject, 'table web | pivot count rows _table cols n')).toEqual([
      { _table: 'web', 0: 1, 1: 1, 2: 1 },
    ]);
    expect(await rowsOf(subject, 'table web | join n [ table web | search n > 0 ] | stats count')).toEqual([
      { count: 2 },
    ]);
  });

  it('tells which one it is, and what became of it', async () => {
    const answer = await ask({ q: 'table web | search n > 0', limit: '1' });
    const id = Number(answer.headers.get('x-query-id'));
    expect(answer.text.trimEnd().split('\n').length).toBe(1);
    expect(await statusOf(subject, id)).toMatchObject({
      id,
      rows: 2,
      background: false,
      is_finished: true,
      is_cancelled: false,
      commands: [
        { command: 'table web', status: 'End', push_count: 3 },
        { command: 'search n > 0', status: 'End', push_count: 2 },
      ],
    });
  });

  it('keeps no rows', async () => {
    const id = Number((await ask({ q: 'table web' })).headers.get('x-query-id'));
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(method, `/api/core/cursors/${id}`);
      expect(outcome(answer)).toEqual(refused(403, 'invalid-query-id', `cannot access query ${id}`));
    }
  });

  it.each([
    ['*/*', 'application/x-ndjson'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/html;q=0.5, application/json', 'application/x-ndjson'],
    ['text/html, */*', 'application/x-ndjson'],
    ['text/html;q=0', 'application/x-ndjson'],
    ['', 'application/x-ndjson'],
  ])('asked for with Accept %j is %s', async (accept, type) => {
    const answer = await call('GET', '/api/core/query?q=table%20web', { headers: { accept } });
    expect(answer.headers.get('content-type')).toContain(type);
    const asked = await call('GET', '/api/core/query?q=table%20web&format=csv', { headers: { accept } });
    expect(asked.headers.get('content-type')).toContain('text/csv');
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
      await ask({ q: 'table limit=7 web' });
      await ask({ q: 'table wev' });
    });
    expect(entries).toMatchObject([
      { module: 'query', method: 'run', params: { q: 'table limit=7 web' }, msg: 'Run of query table limit=7 web' },
      { module: 'query', method: 'run', params: { q: 'table wev' }, error: '(10001) there is no table wev at 1:7' },
    ]);
  });
});
