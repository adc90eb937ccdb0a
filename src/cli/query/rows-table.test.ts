import { describe, expect, it } from 'vitest';
import { linesOf } from './rows-table.ts';

const pageOf = (types: Record<string, string>, ...rows: Record<string, unknown>[]) => ({
  rows,
  field_order: Object.keys(types),
  field_types: types,
});

describe('A table of rows', () => {
  const times = { _time: 'date', n: 'long', 이름: 'string', path: 'string' };
  const row = { _time: '2026-11-15 09:35:06+0000', n: 123456, 이름: '김철수가나다라마바사', path: '/page/1' };

  it('stands in columns, numbers to the right, and leaves out what is null', () => {
    expect(linesOf(pageOf(times, row, { n: 5, path: null }), undefined)).toEqual([
      '_time                          n  이름                  path',
      '2026-11-15 09:35:06+0000  123456  김철수가나다라마바사  /page/1',
      '                               5',
    ]);
  });

  it('cuts texts to fit the terminal, the widest first, and neither times nor numbers', () => {
    expect(linesOf(pageOf(times, row), 60)).toEqual([
      '_time                          n  이름               path',
      '2026-11-15 09:35:06+0000  123456  김철수가나다라마…  /page/1',
    ]);
    expect(linesOf(pageOf(times, row), 10)[1]).toBe('2026-11-15 09:35:06+0000  123456  김철수…  /page/1');
  });

  it('cuts what is very long in any case', () => {
    const [, line] = linesOf(pageOf({ a: 'string' }, { a: 'x'.repeat(100_000) }), undefined);
    expect(line).toBe(`${'x'.repeat(59)}…`);
  });

  it('shows names and values that could steer a terminal harmlessly, and lists as JSON', () => {
    expect(linesOf(pageOf({ 'a\x1b[2J': 'list', constructor: 'any' }, { 'a\x1b[2J': ['\x1b', 1] }), undefined)).toEqual(
      ['a·[2J         constructor', '["\\u001b",1]'],
    );
  });
});
