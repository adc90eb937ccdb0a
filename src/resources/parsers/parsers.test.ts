import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { badQuery } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const PARSERS = '/api/core/parsers';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

onEachDatabase('A stored parser', (subject) => {
  const { call, clock } = subject;
  const create = (json: object) => call('POST', PARSERS, { json });
  const regex = { factory_name: 'regex', configs: { pattern: 'user=(?<user>\\S+)(?: from (?<ip>\\S+))?' } };
  const lines = (...texts: string[]) =>
    `json "${JSON.stringify(texts.map((line) => ({ line, k: 1 })))
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')}"`;

  it('is read back as it was written, replaced, and removed', async () => {
    const form = { code: 'login', name: 'Logins', description: 'of users', ...regex };
    expect(outcome(await create(form))).toEqual([200, { code: 'login' }]);
    const now = '2024-03-01 00:00:00+0000';
    const read = async () => (await call('GET', `${PARSERS}/login`)).json.parser;
    expect(await read()).toStrictEqual({ ...form, builtin: false, created: now, updated: now });
    expect((await call('GET', `${PARSERS}/json`)).json.parser).toMatchObject({ code: 'json', builtin: true });
    expect((await call('GET', `${PARSERS}/nothing`)).json).toEqual({ parser: null });
    expect((await call('GET', `${PARSERS}?keywords=LOGIN`)).json.total_count).toBe(1);
    clock.advance({ minutes: 1 });
    const change = { name: 'Logins 2', factory_name: 'key-value' };
    expect(outcome(await call('PUT', `${PARSERS}/login`, { json: change }))).toEqual([200, { code: 'login' }]);
    const changed = { ...change, code: 'login', configs: {}, builtin: false, created: now };
    expect(await read()).toStrictEqual({ ...changed, updated: '2024-03-01 00:01:00+0000' });
    const answer = await call('DELETE', PARSERS, { form: { codes: 'login,json,gone' } });
    expect(answer.json).toEqual({
      failures: [
        { id: 'json', reason: 'parser-builtin' },
        { id: 'gone', reason: 'parser-not-found' },
      ],
    });
    expect(await read()).toBeNull();
  });

  it.each([
    [{ name: 'x', ...regex }, refused(400, 'null-argument', 'code should be not null')],
    [{ code: 'a b', name: 'x', ...regex }, invalid("'code' cannot be used in a query: a b")],
    [
      { code: 'x', name: 'x', factory_name: 'syslog' },
      invalid("factory_name value must be one of 'regex', 'csv', 'key-value', 'json', 'xml', 'query'."),
    ],
    [
      { code: 'x', name: 'x', factory_name: 'csv' },
      refused(400, 'null-argument', 'configs.columns should be not null'),
    ],
    [
      { code: 'x', name: 'x', factory_name: 'query', configs: { query: 'sort a' } },
      badQuery('(92002) sort is not allowed here at 1:1'),
    ],
    [
      { code: 'x', name: 'x', factory_name: 'query', configs: { query: 'parse nothing' } },
      badQuery('(20600) there is no parser nothing at 1:7'),
    ],
    [{ code: 'syslog', name: 'x', ...regex }, illegal('duplicated code: syslog')],
    [{ code: 'x', name: 'x', ...regex, schema_code: 'gone' }, illegal('log schema not found: gone')],
  ])('is refused: %j', async (form, complaint) => {
    expect(outcome(await create(form))).toEqual(complaint);
  });

  it('cannot be a built-in one, nor have the name or code of another', async () => {
    await create({ code: 'one', name: 'One', ...regex });
    expect(outcome(await create({ code: 'one', name: 'Two', ...regex }))).toEqual(illegal('duplicated code: one'));
    expect(outcome(await create({ code: 'two', name: 'One', ...regex }))).toEqual(illegal('duplicated name: One'));
    const put = (code: string) => call('PUT', `${PARSERS}/${code}`, { json: { name: 'x', ...regex } });
    expect(outcome(await put('json'))).toEqual(illegal('parser is built in: json'));
    expect(outcome(await put('gone'))).toEqual(illegal('parser not found: gone'));
  });

  it.each([
    ['p-regex', regex, 'user=kim!', { user: 'kim!', ip: null }],
    [
      'p-csv',
      { factory_name: 'csv', configs: { columns: ['a', 'b'], delimiter: ';' } },
      'x;"y;z"',
      { a: 'x', b: 'y;z' },
    ],
    ['p-csv-short', { factory_name: 'csv', configs: { columns: 'a,b' } }, 'x', undefined],
    ['p-kv', { factory_name: 'key-value', configs: { pair_delimiter: ',' } }, 'a=1,b="x"', { a: '1', b: 'x' }],
    ['p-kv-none', { factory_name: 'key-value' }, 'no pair', undefined],
    ['p-json', { factory_name: 'json', configs: { flatten: true } }, '{"a":{"b":1}}', { a_b: 1 }],
    ['p-xml', { factory_name: 'xml' }, '<e><id>7</id></e>', { id: '7' }],
    [
      'p-query',
      { factory_name: 'query', configs: { query: 'rex "(?<n>[0-9]+)" | eval n = long(n) | search n > 1' } },
      'n 7',
      { n: 7 },
    ],
    ['p-query-none', { factory_name: 'query', configs: { query: 'search line == "other"' } }, 'n 7', undefined],
    [
      'p-query-several',
      { factory_name: 'query', configs: { query: 'parsejson | explode l | search l > 1 | fillnull value=0 m' } },
      '{"l":[1,2,3]}',
      { l: 2, m: 0 },
    ],
  ])('serves parse NAME by its kind: %s', async (code, parser, line, fields) => {
    expect((await create({ code, name: code, ...parser })).status).toBe(200);
    const [row] = await rowsOf(subject, `${lines(line)} | parse ${code}`);
    expect(nonNull(row)).toEqual(fields ? nonNull(fields) : { line, k: 1 });
    const [over] = await rowsOf(subject, `${lines(line)} | rename line as text | parse field=text overlay=t "${code}"`);
    expect(nonNull(over)).toEqual(nonNull({ k: 1, text: line, ...fields }));
  });

  it('may name others, sixteen deep', async () => {
    await create({ code: 'd0', name: 'd0', factory_name: 'query', configs: { query: 'eval depth = 0' } });
    const nested = async (depth: number) => {
      const configs = { query: `parse d${depth - 1}` };
      return outcome(await create({ code: `d${depth}`, name: `d${depth}`, factory_name: 'query', configs }));
    };
    for (let depth = 1; depth < 16; depth += 1) expect(await nested(depth)).toEqual([200, { code: `d${depth}` }]);
    expect(await rowsOf(subject, `${lines('x')} | parse d15`)).toEqual([{ depth: 0 }]);
    expect((await nested(16))[0]).toBe(200);
    const refusal = await call('GET', `/api/core/query?q=${encodeURIComponent(`${lines('x')} | parse d16`)}`);
    expect(refusal.json.error_msg).toContain('(20603) parser depth: 17 is more than 16');
  });

  it('reads the logs of a model, and a change acts on the next log', async () => {
    const query = (text: string) => ({ name: 'of logs', factory_name: 'query', configs: { query: text } });
    await create({ code: 'of-logs', ...query('parsejson | eval twice = n * 2 | search twice > 2') });
    const logger = await createLogger(subject, { table: 'parsed', parser: 'of-logs' });
    const text = (body: string) => push(subject, logger, { body, type: 'text/plain' });
    expect((await text('{"n":2}\n{"n":1}\n')).json).toMatchObject({
      accepted: 1,
      rejected: [{ line: 2, reason: 'parse-failed' }],
    });
    await call('PUT', `${PARSERS}/of-logs`, { json: query('parsekv') });
    expect((await text('n=3\n')).json).toMatchObject({ accepted: 1 });
    expect((await rowsOf(subject, 'table order=asc parsed')).map(sent)).toEqual([{ n: 2, twice: 4 }, { n: '3' }]);
    const [model] = (await call('GET', '/api/core/logger-models?keywords=parsed')).json.logger_models;
    expect(model).toMatchObject({ parser_code: 'of-logs', parser_name: 'of logs' });
    await created(subject, '/api/core/procedures', { name: 'parsing', query: `${lines('a=1')} | parse of-logs` });
    const { json } = await call('DELETE', PARSERS, { form: { codes: 'of-logs', dry_run: 'true' } });
    expect(json.references).toMatchObject([
      { id: 'of-logs', kind: 'logger-model', field: 'parser_code' },
      { id: 'of-logs', kind: 'procedure', name: 'parsing', field: 'query' },
    ]);
  });
});

const nonNull = (row: object = {}) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
