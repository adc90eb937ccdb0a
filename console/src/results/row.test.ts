// Rows as the service writes them: numbers with all their digits, types, and texts for cells and the clipboard.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonText, parseRow, rawText, typeOf, valueText } from './row.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('A row', () => {
  it.each([
    ['{"id":9223372036854775807,"n":1.5}', { id: 9223372036854775807n, n: 1.5 }],
    ['{"id":-9007199254740993}', { id: -9007199254740993n }],
    ['{"id":9007199254740991,"s":"9007199254740993"}', { id: 9007199254740991, s: '9007199254740993' }],
    ['{"d":1234567890123456.5,"l":[9007199254740993]}', { d: 1234567890123456.5, l: [9007199254740993n] }],
    ['{"상태":"정상 😀","빈":null}', { 상태: '정상 😀', 빈: null }],
  ])('is read from %s', (line, row) => {
    expect(parseRow(line)).toEqual(row);
  });

  it.each(['{"id":9223372036854775807,"n":1.5}', '{"l":[9007199254740993,{"m":-9007199254740993}]}', '{"a":"😀"}'])(
    'is shown as the JSON that it was: %s',
    (json) => {
      expect(jsonText(parseRow(json))).toBe(json);
    },
  );

  it('keeps all digits in a browser that cannot write long numbers', () => {
    vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify });
    expect(jsonText({ id: 9223372036854775807n })).toBe('{"id":"9223372036854775807"}');
  });

  it('is null in JSON where there is no value', () => expect(jsonText(undefined)).toBe('null'));

  it('is indented on demand', () => expect(jsonText({ a: 1n }, 2)).toBe('{\n  "a": 1\n}'));
});

describe('The type of a value', () => {
  it.each([
    [null, 'string', 'null'],
    [undefined, undefined, 'null'],
    ['2026-11-15 10:00:00+0900', 'date', 'date'],
    ['2026-11-15 10:00:00+0900', undefined, 'string'],
    [1, 'date', 'long'],
    [2n ** 60n, undefined, 'long'],
    [1, undefined, 'long'],
    [1, 'double', 'double'],
    [1.5, 'long', 'double'],
    [true, undefined, 'bool'],
    ['x', 'long', 'string'],
    [[1], undefined, 'list'],
    [{ a: 1 }, undefined, 'map'],
  ])('%s, declared as %s, is %s', (value, declared, type) => {
    expect(typeOf(value, declared)).toBe(type);
  });
});

describe('A cell', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    ['', ''],
    [0, '0'],
    [false, 'false'],
    [9007199254740993n, '9007199254740993'],
    [[1, 9007199254740993n], '[1,9007199254740993]'],
    [{ a: '한' }, '{"a":"한"}'],
  ])('of %s has the text %j', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});

describe('The raw text of a record', () => {
  it.each([
    [{ line: 'raw "text" | x', a: 1 }, 'raw "text" | x'],
    [{ _id: 1, _time: 'x', a: 'x y', n: 1 }, 'a="x y" n=1'],
    [{ a: null, b: '', c: 'k=v', d: 'say "x"', e: '한글' }, 'b="" c="k=v" d="say \\"x\\"" e=한글'],
    // A line that is no text is a field like any other.
    [{ line: 5, id: 9007199254740993n }, 'line=5 id=9007199254740993'],
    [{}, ''],
  ])('of %s', (row, text) => {
    expect(rawText(row)).toBe(text);
  });
});
