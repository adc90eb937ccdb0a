// Logs to test a rule on, as they are pasted or taken from a table.

import { describe, expect, it } from 'vitest';
import { pastedRecords, recordOfRow } from './test-records.ts';

describe('Pasted logs', () => {
  it.each([
    ['', []],
    [' \n\n', []],
    ['{"a":1}\n\nplain\n[1]', [{ a: 1 }, { line: 'plain' }, { line: '[1]' }]],
    ['[{"a":1},"x",null,5]', [{ a: 1 }, { line: 'x' }, { line: 'null' }, { line: '5' }]],
    ['{\n"a": {"b": 2}\n}', [{ a: { b: 2 } }]],
    ['로그인 실패 "kim"', [{ line: '로그인 실패 "kim"' }]],
    ['{"a":1', [{ line: '{"a":1' }]],
    ['12345678901234567890', [{ line: '12345678901234567890' }]],
  ])('%j', (text, records) => {
    expect(pastedRecords(text)).toEqual(records);
  });

  it.each(['{"id":9007199254740993}', '[{"id":9007199254740993}]', '{"id":9007199254740993}\n{"a":1}'])(
    'keep all digits of a number: %s',
    (text) => {
      expect(JSON.stringify(pastedRecords(text)[0])).toBe('{"id":9007199254740993}');
    },
  );
});

describe('Logs of a table', () => {
  it('are sent without what the store adds, with all digits of their numbers', () => {
    const row = {
      _id: 1,
      _table: 't',
      _schema: 's',
      _time: 'x',
      n: 12345678901234567890n,
      list: [1n, { m: 2n }],
      gone: null,
    };
    expect(JSON.stringify(recordOfRow(row))).toBe('{"_time":"x","n":12345678901234567890,"list":[1,{"m":2}]}');
  });
});
