// Parameters of POST /cursors: constants with their types, and values whatever they look like.

import { describe, expect, it } from 'vitest';
import { CURSORS, finished, linesOf, openCursor, rowsFrom, statusOf } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

describe('Parameters of a query', () => {
  const subject = serviceFor();
  const { call } = subject;

  it.each([
    [1, 'long', 1],
    [-9007199254740991, 'long', -9007199254740991],
    [1.5, 'double', 1.5],
    ['1', 'string', '1'],
    ['', 'string', ''],
    [true, 'bool', true],
    [null, 'null', undefined],
    [[1, 'a', null], 'list', [1, 'a', null]],
    [{ a: { b: 1 } }, 'map', { a: { b: 1 } }],
    ['2024-03-01 00:00:00+0000', 'string', '2024-03-01 00:00:00+0000'],
  ])('keep their type: %j is %s', async (value, type, read) => {
    const q = 'json "[{}]" | eval t = typeof($("x", null)), v = $("x", null)';
    const id = await openCursor(subject, q, { params: { x: value } });
    const last = await finished(subject, id);
    expect(last.constants).toEqual({ x: value });
    const [row] = linesOf(await rowsFrom(subject, id));
    expect(row).toEqual(read === undefined ? { t: type } : { t: type, v: read });
  });

  it.each([
    ['9007199254740993', 'long'],
    ['9223372036854775807', 'long'],
    ['-9223372036854775808', 'long'],
  ])('keep every digit of %s', async (digits, type) => {
    const text = 'json \\"[{}]\\" | eval t = typeof($(\\"x\\")), v = $(\\"x\\")';
    const body = `{"q":"${text}","params":{"x":${digits}}}`;
    const answer = await call('POST', CURSORS, { body, headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(200);
    await finished(subject, answer.json.id);
    expect((await rowsFrom(subject, answer.json.id)).text).toBe(`{"t":"${type}","v":${digits}}\n`);
    const status = await call('GET', `/api/core/queries/${answer.json.id}`);
    expect(status.text).toContain(`"constants":{"x":${digits}}`);
    const form = { q: text.replaceAll('\\"', '"'), params: `{"x":${digits}}` };
    const { id } = (await call('POST', CURSORS, { form })).json;
    await finished(subject, id);
    expect((await rowsFrom(subject, id)).text).toBe(`{"t":"${type}","v":${digits}}\n`);
  });

  const HOSTILE = [
    '" | drop | eval a = "',
    '") or true or ("" == "',
    "'; drop table log_tables; --",
    '*',
    'a*',
    '%',
    '\\',
    '\\*',
    '$("y")',
    '[ table many ]',
    'x\ny | drop',
    '"',
    '한글 😀',
    '__proto__',
    '{{x}} %s',
    '$1',
    '\u0001',
  ];

  it.each(HOSTILE)('stay values: %j', async (value) => {
    const q =
      'json "[{s:\'abc\'}]" | eval v = $("x"), same = s == $("x"), among = in(s, $("x")), like = eqi(s, $("x")) ' +
      '| search v == $("x")';
    const id = await openCursor(subject, q, { params: { x: value, y: 'abc' } });
    const last = await finished(subject, id);
    expect(last).toMatchObject({ constants: { x: value, y: 'abc' }, is_cancelled: false, rows: 1, query_string: q });
    expect(linesOf(await rowsFrom(subject, id))).toEqual([
      { s: 'abc', v: value, same: false, among: false, like: false },
    ]);
    const shown = last.commands.map(({ command }: { command: string }) => command).join(' ');
    expect(shown).toContain('$("x")');
  });

  it('may have any name', async () => {
    const body =
      '{"q":"json \\"[{}]\\" | eval b = $(\\"constructor\\"), c = $(\\"a b\\"), d = $(\\"toString\\", 7)",' +
      '"params":{"constructor":"two","a b":3}}';
    const { json } = await call('POST', CURSORS, { body, headers: { 'content-type': 'application/json' } });
    await finished(subject, json.id);
    expect((await rowsFrom(subject, json.id)).text).toBe('{"b":"two","c":3,"d":7}\n');
    const reserved = body.replace('"a b":3', '"a b":3,"__proto__":1');
    const refusal = await call('POST', CURSORS, { body: reserved, headers: { 'content-type': 'application/json' } });
    expect([refusal.status, refusal.json.error_code]).toEqual([400, 'invalid-query']);
    expect(refusal.json.error_msg).toContain('(90402) __proto__ is reserved');
  });

  it('can be options, limits and defaults, but neither names nor commands', async () => {
    const q = 'json "[{n:1},{n:2},{n:3}]" | search limit=$("k") n >= $("low", 2) | limit $("k")';
    const id = await openCursor(subject, q, { params: { k: 1 } });
    await finished(subject, id);
    expect(linesOf(await rowsFrom(subject, id))).toEqual([{ n: 2 }]);
    for (const wrong of ['table $("t")', 'json "[]" | $("t")', 'json "[]" | fields $("t")']) {
      const answer = await call('POST', CURSORS, { json: { q: wrong, params: { t: 'many' } } });
      expect([wrong, answer.status, answer.json.error_code]).toEqual([wrong, 400, 'invalid-query']);
    }
  });

  it('are overlaid by what the query sets', async () => {
    const id = await openCursor(subject, 'set a = $("a") + 1, c = 3 | json "[]"', { params: { a: 1, b: 2 } });
    await finished(subject, id);
    expect((await statusOf(subject, id)).constants).toEqual({ a: 2, b: 2, c: 3 });
  });
});
