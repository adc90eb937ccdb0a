// What the beginning of a file becomes.

import { describe, expect, it } from 'vitest';
import { firstRecords, formatOf } from './first-records.ts';

const recordsOf = (text: string, format: Parameters<typeof firstRecords>[1], isWhole = true) =>
  firstRecords(text, format, 3, isWhole).map(({ line, hasTime }) => [line, hasTime]);

describe('The first records of a file', () => {
  it.each([
    ['a.ndjson.gz', 'ndjson'],
    ['A.JSONL', 'ndjson'],
    ['a.csv', 'csv'],
    ['access.log', 'text'],
    ['a.log.gz', 'text'],
  ])('of %s are %s', (name, format) => expect(formatOf(name)).toBe(format));

  it('of JSON are its lines, with or without a time', () => {
    const text = '\uFEFF{"_time":1}\r\n\n{"time":1}\nno json\n{"a":1}\n';
    expect(recordsOf(text, 'ndjson')).toEqual([
      ['{"_time":1}', true],
      ['{"time":1}', false],
      ['no json', false],
    ]);
  });

  it('of text are its lines, without a time', () => {
    expect(recordsOf('{"_time":1}\nb', 'text')).toEqual([
      ['{"_time":1}', false],
      ['b', false],
    ]);
  });

  it('of CSV are its rows by the names in the first', () => {
    const text = '_time,user,"no, te"\r\n1763434983123,kim,"a ""b""\nc"\n2026-11-15 12:00:00,,\n\n1,"",x\n';
    expect(recordsOf(text, 'csv')).toEqual([
      ['{"_time":1763434983123,"user":"kim","no, te":"a \\"b\\"\\nc"}', true],
      ['{"_time":"2026-11-15 12:00:00"}', true],
      ['{"_time":1,"user":"","no, te":"x"}', true],
    ]);
  });

  it('of CSV that do not fit are no records, and neither is any below wrong names', () => {
    expect(recordsOf('a,b\n1\n1,2,3\n"x"y,2\n', 'csv')).toEqual([
      ['1', false],
      ['1,2,3', false],
      ['"x"y,2', false],
    ]);
    expect(recordsOf('a,a\n1,2\n', 'csv')).toEqual([['1,2', false]]);
    expect(recordsOf('', 'csv')).toEqual([]);
  });

  it('leave out a line that the end of the beginning has cut', () => {
    expect(recordsOf('{"a":1}\n{"b"', 'ndjson', false)).toEqual([['{"a":1}', false]]);
    expect(recordsOf('a\n1\n"2', 'csv', false)).toEqual([['{"a":"1"}', false]]);
    expect(recordsOf('one long line', 'text', false)).toEqual([['one long line', false]]);
  });
});
