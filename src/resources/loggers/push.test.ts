import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAccount, createTeam } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { NO_PERMISSION, outcome, refused, serviceFor } from '#test/support/suites.ts';

const MIB = 1024 * 1024;
const illegal = (message: string) => refused(500, 'illegal-state', message);
const MALFORMED = refused(400, 'invalid-argument', 'malformed request body');
const took = (accepted: number, rejected: readonly object[] = []) => [
  200,
  { accepted, rejected, rejected_count: rejected.length },
];

describe('Pushed logs', () => {
  const subject = serviceFor();
  const { call, clock } = subject;

  it('are taken as one JSON object per line, kept with the moment of their arrival and found at once', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    const body = '{"status":200,"path":"/a"}\r\n\n  {"status":404,"path":"/안녕"}  ';
    expect(outcome(await push(subject, logger, { body }))).toEqual(took(2));
    expect(await rowsOf(subject, 'table web')).toEqual([
      { _table: 'web', _time: '2024-03-01 00:00:00+0000', _id: 2, status: 404, path: '/안녕' },
      { _table: 'web', _time: '2024-03-01 00:00:00+0000', _id: 1, status: 200, path: '/a' },
    ]);
  });

  it('are taken as a JSON array of objects, or as one object', async () => {
    const logger = await createLogger(subject, { table: 'arrays' });
    const type = 'application/json; charset=utf-8';
    const array = '[\n  {"n": 1,\n   "s": "a,]}\\"["},\n {"n": 2}\n]\n';
    expect(outcome(await push(subject, logger, { type, body: array }))).toEqual(took(2));
    expect(outcome(await push(subject, logger, { type, body: ' {"n":3} ' }))).toEqual(took(1));
    expect(outcome(await push(subject, logger, { type, body: '[]' }))).toEqual(took(0));
    expect((await rowsOf(subject, 'table order=asc arrays')).map(sent)).toEqual([
      { n: 1, s: 'a,]}"[' },
      { n: 2 },
      { n: 3 },
    ]);
  });

  it('are taken as lines of text, which the model of the logger parses', async () => {
    const plain = await createLogger(subject, { table: 'plain', parser: 'text' });
    const type = 'text/plain';
    expect(outcome(await push(subject, plain, { type, body: 'first "line"\r\n\n {"a":1}\n' }))).toEqual(took(2));
    expect((await rowsOf(subject, 'table order=asc plain')).map(sent)).toEqual([
      { line: 'first "line"' },
      { line: ' {"a":1}' },
    ]);
    const objects = await createLogger(subject, { table: 'objects' });
    const rejected = [{ line: 2, reason: 'parse-failed' }];
    expect(outcome(await push(subject, objects, { type, body: '{"a":1}\nno json\n{"a":2}' }))).toEqual(
      took(2, rejected),
    );
    expect((await rowsOf(subject, 'table order=asc objects')).map(sent)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('may be compressed with gzip', async () => {
    const logger = await createLogger(subject, { table: 'folded' });
    const headers = { 'content-encoding': 'gzip' };
    expect(outcome(await push(subject, logger, { headers, body: gzipSync('{"a":1}\n{"a":2}') }))).toEqual(took(2));
    for (const body of ['{"a":1}', gzipSync('{"a":3}').subarray(0, -6), gzipSync('')]) {
      const isEmpty = typeof body !== 'string' && body.equals(gzipSync(''));
      expect(outcome(await push(subject, logger, { headers, body }))).toEqual(isEmpty ? took(0) : MALFORMED);
    }
    expect(await rowsOf(subject, 'table folded | stats count')).toEqual([{ count: 2 }]);
  });

  it('have the time they bring, as text or as epoch milliseconds', async () => {
    const logger = await createLogger(subject, { table: 'timed' });
    const body = [
      '{"n":1,"_time":"2023-01-02 03:04:05+0900"}',
      '{"n":2,"_time":1672596245678}',
      '{"n":3,"_time":1672596245678.9}',
      '{"n":4,"_time":null}',
      '{"n":5,"_time":"yesterday"}',
      '{"n":6,"_time":"1672596245678"}',
      '{"n":7,"_time":true}',
      '{"n":8,"_time":1e300}',
    ].join('\n');
    const rejected = [5, 6, 7, 8].map((line) => ({ line, reason: 'invalid-time' }));
    expect(outcome(await push(subject, logger, { body }))).toEqual(took(4, rejected));
    const rows = await rowsOf(subject, 'table order=asc timed');
    expect(rows.map(({ n, _time }) => [n, _time])).toEqual([
      [1, '2023-01-01 18:04:05+0000'],
      [2, '2023-01-01 18:04:05+0000'],
      [3, '2023-01-01 18:04:05+0000'],
      [4, '2024-03-01 00:00:00+0000'],
    ]);
  });

  it('that are bad are named by line and reason, and do not hinder their neighbours', async () => {
    const logger = await createLogger(subject, { table: 'mixed' });
    const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const bad: [string | Buffer, string][] = [
      ['{"a":', 'malformed-json'],
      ['{"a":1}{"b":2}', 'malformed-json'],
      ['[{"a":1}]', 'not-an-object'],
      ['7', 'not-an-object'],
      ['null', 'not-an-object'],
      [`{"a":"${'x'.repeat(MIB)}"}`, 'line-too-long'],
      [Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0xff, 0x7d]), 'malformed-json'],
      ['{"a":\0}', 'malformed-json'],
      [deep, 'malformed-json'],
      [`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"b":"\\u0000"}`, 'malformed-json'],
    ];
    const lines = bad.flatMap(([line], index) => [Buffer.from(line), Buffer.from(`\n{"n":${index}}\n`)]);
    const rejected = bad.map(([, reason], index) => ({ line: 2 * index + 1, reason }));
    expect(outcome(await push(subject, logger, { body: Buffer.concat(lines) }))).toEqual(took(bad.length, rejected));
    const kept = await rowsOf(subject, 'table order=asc mixed');
    expect(kept.map(sent)).toEqual(bad.map((_, n) => ({ n })));
  });

  it('that are bad in an array are named by their place; an array that is no JSON is refused as a whole', async () => {
    const logger = await createLogger(subject, { table: 'elements' });
    const type = 'application/json';
    const body = '[{"a":1},2,{"_time":"x"},"\\ud800",[{}],{"a":2}]';
    const rejected = [
      { line: 2, reason: 'not-an-object' },
      { line: 3, reason: 'invalid-time' },
      { line: 4, reason: 'not-an-object' },
      { line: 5, reason: 'not-an-object' },
    ];
    expect(outcome(await push(subject, logger, { type, body }))).toEqual(took(2, rejected));
    for (const wrong of [
      '[{"a":1},]',
      '[{"a":1}',
      '[{"a":1}]]',
      '[,]',
      '[{"a":1}}]',
      '{"a":1}{"a":2}',
      '["a]',
      '',
      '\xff',
    ]) {
      expect([wrong, ...outcome(await push(subject, logger, { type, body: Buffer.from(wrong, 'latin1') }))]).toEqual([
        wrong,
        ...MALFORMED,
      ]);
    }
    expect(await rowsOf(subject, 'table elements | stats count')).toEqual([{ count: 2 }]);
  });

  it('name at most a thousand bad lines and count them all', async () => {
    const logger = await createLogger(subject, { table: 'thousand' });
    const { json } = await push(subject, logger, { body: 'x\n'.repeat(1200) });
    expect(json).toMatchObject({ accepted: 0, rejected_count: 1200 });
    expect(json.rejected).toHaveLength(1000);
    expect(json.rejected.at(-1)).toEqual({ line: 1000, reason: 'malformed-json' });
  });

  it('keep values whose type changes, names given twice, and the digits of numbers', async () => {
    for (const layout of ['columnar', 'row']) {
      const logger = await createLogger(subject, { table: `types_${layout}`, storage: { layout } });
      const values = ['500', '"500"', '{"code":500}', 'null', '[1,"a"]', '5.5', 'true', '501'];
      for (const value of values) await push(subject, logger, { body: `{"status":${value}}` });
      await push(subject, logger, { body: '{"status":"first","status":502}' });
      const rows = await rowsOf(subject, `table order=asc types_${layout}`);
      expect([layout, ...rows.map(({ status }) => status)]).toEqual([
        layout,
        ...[500, '500', { code: 500 }, null, [1, 'a'], 5.5, true, 501, 502],
      ]);
    }
  });

  it('survive a restart', async () => {
    const logger = await createLogger(subject, { table: 'durable' });
    const body = '{"status":500}\n{"status":"500"}\n{"status":{"code":500}}';
    await push(subject, logger, { body });
    const before = await rowsOf(subject, 'table durable');
    await subject.service.restart();
    expect(await rowsOf(subject, 'table durable')).toEqual(before);
    expect((await call('GET', `/api/core/loggers/${logger}`)).json.logger).toMatchObject({ log_count: 3 });
    expect(outcome(await push(subject, logger, { body }))).toEqual(took(3));
    expect((await rowsOf(subject, 'table durable')).map(({ _id }) => _id)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are counted by their logger, at once and for good', async () => {
    const logger = await createLogger(subject, { table: 'counted' });
    const counts = async () => (await call('GET', `/api/core/loggers/${logger}`)).json.logger;
    await push(subject, logger, { body: '{"a":1}\nxyz\n{"a":22}' });
    const expected = { log_count: 2, log_volume: 15, drop_count: 1, drop_volume: 3 };
    expect(await counts()).toMatchObject(expected);
    await clock.pass({ seconds: 31 });
    expect(await counts()).toMatchObject(expected);
    await push(subject, logger, { body: '{"a":1}' });
    expect(await counts()).toMatchObject({ ...expected, log_count: 3, log_volume: 22 });
  });

  it('leave no audit entry', async () => {
    const logger = await createLogger(subject, { table: 'quiet' });
    expect(await entriesOf(subject, () => push(subject, logger, { body: '{"a":1}' }))).toEqual([]);
  });
});

describe('A MEMBER', () => {
  const subject = serviceFor();
  const { call } = subject;

  it('pushes where it may write, is refused where it may only read, and finds nothing elsewhere', async () => {
    const logger = await createLogger(subject, { table: 'shared' });
    await push(subject, logger, { body: '{"a":0}' });
    const { key, guid } = await createAccount(subject, 'MEMBER', { login: 'sender' });
    const grant = (shared_users: unknown) => call('PUT', '/api/core/tables/shared', { json: { shared_users } });
    const pushed = async () => outcome(await push(subject, logger, { key, body: '{"a":1}' }));
    expect(await pushed()).toEqual(illegal(`logger not found: ${logger}`));
    await grant([{ guid, read_only: true }]);
    const [entry] = await entriesOf(subject, async () => expect(await pushed()).toEqual(NO_PERMISSION));
    expect(entry).toMatchObject({ module: 'loggers', method: 'push', error: 'no-permission', user_name: 'sender' });
    expect((await rowsOf(subject, 'table shared', { key })).map(sent)).toEqual([{ a: 0 }]);
    await grant([{ guid, read_only: false }]);
    expect(await pushed()).toEqual(took(1));
    expect(await rowsOf(subject, 'table shared | stats count', { key })).toEqual([{ count: 2 }]);
    await grant([]);
    expect(await pushed()).toEqual(illegal(`logger not found: ${logger}`));
  });

  it('has the grants of its groups', async () => {
    const logger = await createLogger(subject, { table: 'grouped' });
    const { company, member } = await createTeam(subject, 'team');
    const group = await call('POST', '/api/core/user-groups', {
      form: { name: 'writers', company_guid: company, user_guids: member.guid },
    });
    const shared_groups = [{ guid: group.json.guid, read_only: false }];
    await call('PUT', '/api/core/tables/grouped', { json: { shared_groups } });
    expect(outcome(await push(subject, logger, { key: member.key, body: '{"a":1}' }))).toEqual(took(1));
  });
});
