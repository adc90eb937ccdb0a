import { describe, expect, it } from 'vitest';
import { column, MIXED, OVERFLOW, type Result, TYPES, written } from '#test/support/formats.ts';

describe('A result as json', () => {
  it.each<[string, Result, string[]]>([
    [
      'has an object per line, without what is null',
      TYPES,
      [
        String.raw`{"_time":"2024-03-01 09:00:00+0900","n":9223372036854775807,"x":6,"ok":true,"s":"a\t\"b\",\n<c>&\\","l":[1,2.5,"1970-01-01 09:00:00+0900"],"m":{"z":null,"10":1,"9":"AQI="},"b":"AQI="}`,
        '{}',
        '{"_time":"1970-01-01 09:00:00+0900","n":-9223372036854775808,"x":1e-7,"ok":false,"s":"","l":[],"m":{},"b":""}',
      ],
    ],
    [
      'has the columns first, then the rest by code point',
      OVERFLOW,
      ['{"a":1,"b":"x","z":"q","é":1}', '{"b":"y"}', '{"a":3,"B":true,"z":[1]}'],
    ],
    [
      'has the wanted fields in their order, each once',
      { ...OVERFLOW, fields: ['z', 'none', 'a', 'z', 'gone'] },
      ['{"z":"q","a":1}', '{}', '{"z":[1],"a":3}'],
    ],
    [
      'has dates and binaries of mixed columns as text',
      MIXED,
      [
        '{"v":1}',
        '{"v":1,"w":2}',
        '{"v":"1"}',
        '{"v":"1970-01-01 00:00:00+0000","w":3}',
        '{"v":"AQI="}',
        '{"v":[]}',
        '{"v":{}}',
      ],
    ],
    [
      'keeps the digits of whole numbers and writes fractions as JSON does',
      {
        columns: [column('v')],
        rows: ['18446744073709551616', '-0.0', '1E21', '100000.0', '0.1', '1e400', '-12345678901234567890'].map(
          (digits) => `[${digits}]`,
        ),
      },
      [
        '{"v":18446744073709551616}',
        '{"v":0}',
        '{"v":1e+21}',
        '{"v":100000}',
        '{"v":0.1}',
        '{}',
        '{"v":-12345678901234567890}',
      ],
    ],
    [
      'takes no other map for a date or a binary, and no date beyond the years 1 to 9999 for one',
      {
        columns: [column('v')],
        rows: [
          '[{"$date":"x"}]',
          '[{"$date":1,"y":2}]',
          '[{"$binary":1}]',
          '[{"$binary":"AQI=","y":2.0}]',
          '[["{\\"$date\\":0}", 1.0 ]]',
          '[{"$date":999999999999999}]',
          '[[{"$date":999999999999999}]]',
          '[{"$binary":"%%"}]',
        ],
      },
      [
        '{"v":{"$date":"x"}}',
        '{"v":{"$date":1,"y":2}}',
        '{"v":{"$binary":1}}',
        '{"v":{"$binary":"AQI=","y":2}}',
        '{"v":["{\\"$date\\":0}",1]}',
        '{"v":{"$date":999999999999999}}',
        '{"v":[{"$date":999999999999999}]}',
        '{"v":{"$binary":"%%"}}',
      ],
    ],
    ['is empty without rows', { rows: [] }, []],
  ])('%s', async (_, result, lines) => {
    expect(await written('json', result)).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  it('writes halves of surrogate pairs as escapes', async () => {
    const result = { columns: [column('\ud800')], rows: ['["\udc00\ud83d\ude00\\udc00"]'] };
    expect(await written('json', result)).toBe('{"\\ud800":"\\udc00\u{1f600}\\udc00"}\n');
  });
});

describe('A result as json-single', () => {
  const types = async (result: Result) => {
    const { field_order, field_types } = JSON.parse(await written('json-single', result));
    return [field_order, field_types];
  };

  it('is one object, with the number of all rows', async () => {
    const { columns = [], ...rest } = TYPES;
    const result = { ...rest, columns: columns.slice(0, 2), rows: ['[0,1]', '[null,9223372036854775807]', '[1000,2]'] };
    expect(await written('json-single', result)).toBe(
      '{"rows":[{"_time":"1970-01-01 09:00:00+0900","n":1},{"n":9223372036854775807},{"_time":"1970-01-01 09:00:01+0900","n":2}],"total":7,"field_order":["_time","n"],"field_types":{"_time":"date","n":"long"}}',
    );
  });

  it('is one object without rows, too', async () => {
    expect(await written('json-single', { rows: [] })).toBe('{"rows":[],"total":0,"field_order":[],"field_types":{}}');
  });

  it('names the types that the plan knows, whether there are values or not', async () => {
    const names = { _time: 'date', n: 'long', x: 'double', ok: 'bool', s: 'string', l: 'list', m: 'map', b: 'binary' };
    expect(await types(TYPES)).toEqual([Object.keys(names), names]);
    expect(await types({ ...TYPES, rows: [] })).toEqual([Object.keys(names), names]);
  });

  it('names the types of values where the plan knows none', async () => {
    expect(await types(MIXED)).toEqual([['v', 'w'], { v: 'any', w: 'long' }]);
    const one = async (...cells: string[]) => {
      const rows = cells.map((cell) => `[${cell}]`);
      return JSON.parse(await written('json-single', { columns: [column('v')], rows })).field_types.v;
    };
    expect(await one('null')).toBe('null');
    expect(await one('null', '6.0')).toBe('double');
    expect(await one('6', 'null')).toBe('long');
    expect(await one('6', '6.0')).toBe('any');
    expect(await one('9223372036854775807')).toBe('long');
    expect(await one('9223372036854775808')).toBe('double');
    expect(await one('{"$date":0}')).toBe('date');
    expect(await one('{"$binary":""}')).toBe('binary');
  });

  it('names what overflows have after the columns, by code point', async () => {
    expect(await types({ ...OVERFLOW, rows: [...OVERFLOW.rows, '[1,"",{"\u{10000}":1,"\uff00":2}]'] })).toEqual([
      ['a', 'b', 'B', 'z', 'é', '\uff00', '\u{10000}'],
      { a: 'long', b: 'string', B: 'bool', z: 'any', é: 'long', '\uff00': 'long', '\u{10000}': 'long' },
    ]);
  });

  it('names the wanted fields in their order', async () => {
    expect(await types({ ...OVERFLOW, fields: ['z', 'none', 'a'] })).toEqual([
      ['z', 'none', 'a'],
      { z: 'any', none: 'null', a: 'long' },
    ]);
  });
});
