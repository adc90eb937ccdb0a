// POST /parsers/preview: what would be kept of some lines, and that nothing is.

import { beforeAll, expect, it } from 'vitest';
import { createTeam, type Team } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { badQuery } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const PARSERS = '/api/core/parsers';
const PREVIEW = `${PARSERS}/preview`;
const NOW = '2024-03-01 00:00:00+0000';
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notJson = (name: string) => refused(400, 'invalid-param-type', `${name} should be json type`);
const MANY = 'foreach(foreach(foreach(_1 + 1, split(line, ",")), split(line, ",")), split(line, ","))';

onEachDatabase('A preview of a parser', (subject) => {
  const { call } = subject;
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(subject, 'previews');
    const json = { code: 'login', name: 'Logins', factory_name: 'regex', configs: { pattern: 'user=(?<user>\\S+)' } };
    await call('POST', PARSERS, { json });
  });
  const preview = async (json: object) => await call('POST', PREVIEW, { json, key: team.member.key });
  const kept = (line: string, record: object, _time = NOW) => ({ line, record: { _time, ...record }, reason: null });
  const rejected = (line: string, reason: string | null) => ({ line, record: null, reason });

  it.each([
    ['a built-in one', { parser_code: 'text' }, 'disk full 디스크', { line: 'disk full 디스크' }],
    ['one with a configuration', { parser_code: 'csv', configs: { columns: 'a,b' } }, '1,"x y"', { a: '1', b: 'x y' }],
    ['a stored one, with its own', { parser_code: 'login', configs: { x: 1 } }, 'user=kim', { user: 'kim' }],
    ['a kind', { factory_name: 'json', configs: { flatten: true } }, '{"a":{"b":1}}', { a_b: 1 }],
    [
      'a pipeline',
      { factory_name: 'query', configs: { query: 'parse login | eval n=len(user)' } },
      'user=kim',
      { user: 'kim', n: 3 },
    ],
  ])('shows the record of %s', async (_, parser, line, record) => {
    expect(outcome(await preview({ lines: [line], ...parser }))).toEqual([200, { results: [kept(line, record)] }]);
  });

  it('reads times and long numbers as they would be kept, and tells why a line would be rejected', async () => {
    const lines = ['{"_time":"2024-01-02 03:04:05+0900","n":9007199254740993}', '{"a":', '[1]', '  ', '{"_time":"x"}'];
    const answer = await preview({ lines, parser_code: 'json' });
    expect(answer.text).toContain('"n":9007199254740993');
    expect(answer.json.results).toEqual([
      kept(lines[0] ?? '', { n: expect.any(Number) }, '2024-01-01 18:04:05+0000'),
      rejected('{"a":', 'parse-failed'),
      rejected('[1]', 'parse-failed'),
      rejected('  ', null),
      rejected('{"_time":"x"}', 'invalid-time'),
    ]);
  });

  it('equals what a push of the same lines keeps, for a pipeline with an address group too', async () => {
    const group = (await call('POST', '/api/core/address-groups', { form: { name: 'inside' } })).json.guid;
    await call('POST', `/api/core/address-groups/${group}/addresses`, { form: { ip: '10.0.0.0/8' } });
    const query = `parsekv overlay=true | matchnet field=ip guid=${group}`;
    await call('POST', PARSERS, {
      json: { code: 'inside', name: 'Inside', factory_name: 'query', configs: { query } },
    });
    const lines = ['ip=10.1.2.3 n=1', 'ip=11.1.2.3 n=2', 'user=김 ip=10.0.0.9'];
    const logger = await createLogger(subject, { table: 'inside', parser: 'inside' });
    await push(subject, logger, { type: 'text/plain', body: lines.join('\n') });
    const shown = (await preview({ lines, parser_code: 'inside' })).json.results;
    const records = shown.flatMap(({ record }: { record: object | null }) => record ?? []);
    expect(records.map(({ _time, ...fields }: { _time: string }) => fields)).toEqual(
      (await rowsOf(subject, 'table inside | sort _id')).map(sent),
    );
    expect(shown[1].reason).toBe('parse-failed');
  });

  it('leaves no record, no counter and no entry behind', async () => {
    const entries = await entriesOf(subject, () => preview({ lines: ['user=kim'], parser_code: 'login' }));
    expect(entries).toEqual([]);
  });

  it('ends a pipeline that takes too many steps for a line, and goes on with the next', async () => {
    const configs = { query: `eval n=len(${MANY})` };
    const long = Array.from({ length: 450 }, () => 'x').join(',');
    const { results } = (await preview({ lines: [long, 'x,y'], factory_name: 'query', configs })).json;
    expect(results).toEqual([rejected(long, 'parse-failed'), kept('x,y', { n: 2 })]);
  });

  it.each([
    [{}, missing('lines')],
    [{ lines: 'x', parser_code: 'text' }, notJson('lines')],
    [{ lines: [1], parser_code: 'text' }, notJson('lines')],
    [{ lines: [], parser_code: 'text' }, missing('lines')],
    [{ lines: Array(11).fill('x'), parser_code: 'text' }, invalid("'lines' must be less than or equal to 10 items.")],
    [
      { lines: ['x'.repeat(65_537)], parser_code: 'text' },
      invalid("'lines' must be shorter than or equal to 65536 characters."),
    ],
    [{ lines: ['x'] }, missing('parser_code')],
    [
      { lines: ['x'], parser_code: 'p'.repeat(51) },
      invalid("'parser_code' must be shorter than or equal to 50 characters."),
    ],
    [{ lines: ['x'], parser_code: 'nothing' }, refused(500, 'illegal-state', 'parser not found: nothing')],
    [
      { lines: ['x'], factory_name: 'syslog' },
      invalid("factory_name value must be one of 'regex', 'csv', 'key-value', 'json', 'xml', 'query'."),
    ],
    [{ lines: ['x'], parser_code: 'text', configs: [] }, notJson('configs')],
    [{ lines: ['x'], factory_name: 'regex' }, missing('configs.pattern')],
    [{ lines: ['x'], parser_code: 'csv' }, missing('configs.columns')],
    [{ lines: ['x'], factory_name: 'query' }, missing('configs.query')],
  ])('is refused: %j', async (json, complaint) => {
    expect(outcome(await preview(json))).toEqual(complaint);
  });

  it('is refused with the mistakes of its pipeline', async () => {
    const answer = await preview({ lines: ['x'], factory_name: 'query', configs: { query: 'stats count' } });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'invalid-query']);
    const mistyped = await preview({ lines: ['x'], factory_name: 'query', configs: { query: 'evaal x=1' } });
    expect(outcome(mistyped)).toEqual(badQuery(expect.stringContaining('evaal')));
  });

  it('takes lines as text, and counts characters rather than units', async () => {
    const line = '𝄞'.repeat(65_536);
    const form = { lines: JSON.stringify([line]), parser_code: 'text' };
    expect((await call('POST', PREVIEW, { form })).json.results[0].record.line).toBe(line);
  });
});
