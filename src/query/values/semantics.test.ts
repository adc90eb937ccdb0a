// Rules of chapters 3, 4, 9 and 10, one row each, on both evaluators: over columns of their own types and over columns
// of type any.

import { beforeAll, describe, expect, it } from 'vitest';
import type { ColumnType, Value } from '#query/model/values.ts';
import { typeOf } from '#query/model/values.ts';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';

const date = (text: string) => Temporal.Instant.from(text);

const ROW: Readonly<Record<string, Value>> = {
  n: null,
  yes: true,
  no: false,
  one: 1n,
  five: 5n,
  big: 2n ** 53n + 1n,
  top: 2n ** 63n - 1n,
  half: 0.5,
  whole: 5,
  odd: 2 ** 53,
  text: 'abc',
  five_text: '5',
  spaced: ' 5 ',
  fraction_text: '5.0',
  huge_text: '1e400',
  empty: '',
  star: 'a*b',
  path: 'C:\\Win',
  lines: 'a\nb',
  noon: date('2026-11-15T03:00:00Z'),
  noon_text: '2026-11-15 12:00:00',
  list: [1n, 'a', null],
  map: new Map<string, Value>([['k', 1n]]),
  ip: '10.0.0.5',
};

const RULES: readonly (readonly [text: string, gives: Value])[] = [
  // 4.1 null and truth
  ['n == n', false],
  ['n != n', false],
  ['n != 1', false],
  ['n < 1', null],
  ['n + 1', null],
  ['-n', null],
  ['not(n)', null],
  ['not(one)', null],
  ['not(n == 1)', true],
  ['n or n', false],
  ['empty and one', true],
  ['n and yes', false],
  ['no or list', true],
  ['if(empty, "t", "f")', 't'],
  ['in(n, 1)', false],
  ['match(n, "a")', false],
  ['contains(n, "a")', false],
  ['like(text, n)', false],
  // 4.2 equality
  ['five == five_text', true],
  ['five == spaced', true],
  ['five == fraction_text', true],
  ['five == whole', true],
  ['five_text == fraction_text', false],
  ['text == 5', false],
  ['text != 5', true],
  ['yes == "true"', true],
  ['yes == "True"', false],
  ['yes == 1', false],
  ['yes != 1', true],
  ['noon == noon_text', true],
  ['noon == five', false],
  ['big == odd', false],
  ['big > odd', true],
  ['list == array(1.0, "a", null)', true],
  ['list == array("1", "a", null)', false],
  ['map == dict("k", 1)', true],
  ['huge_text == huge_text', true],
  // 4.3 less and greater
  ['five_text < 10', true],
  ['five_text < "10"', false],
  ['text < 5', null],
  ['yes < no', false],
  ['list < list', null],
  ['noon < "2026-11-15 12:00:01"', true],
  ['noon < five', null],
  ['"한" < "😀"', true],
  // 4.4 wildcards
  ['star == "a\\*b"', true],
  ['text == "a\\*b"', false],
  ['lines == "a*b"', true],
  ['five == "5*"', true],
  ['path == "C:\\\\*"', true],
  ['text == "_*c"', false],
  ['text == "a_*c"', false],
  ['text == "%*c"', false],
  ['text == "a*_*c"', false],
  ['text == "a*b*c"', true],
  ['text != "a*"', false],
  ['text == concat("a", "*")', false],
  ['in(text, "x*", "*c")', true],
  ['eqi(text, "A*C")', true],
  ['like(text, "A*")', false],
  // 4.5 arithmetic
  ['top + 1', null],
  ['top * 2.0', 2 ** 64],
  ['five / 0', null],
  ['five / 2', 2.5],
  ['five + half', 5.5],
  ['five * five_text', 25n],
  ['five * fraction_text', 25],
  ['yes + 1', null],
  ['huge_text + 1', null],
  ['text + 1', null],
  // 3.1, 3.2 text of values
  ['string(whole)', '5'],
  ['string(1e21)', '1e+21'],
  ['string(list)', '[1,"a",null]'],
  ['string(noon)', '2026-11-15 12:00:00+0900'],
  ['concat(list, map)', '[1,"a",null]{"k":1}'],
  ['typeof(five_text * 1)', 'long'],
  ['typeof(n)', 'null'],
  // 9 functions
  ['substr(text, 3)', ''],
  ['substr(text, 4)', null],
  ['substr(text, 2, 1)', ''],
  ['substr(text, 3, 5)', ''],
  ['substr(text, 4, 5)', null],
  ['substr(text, 1, 9)', 'bc'],
  ['left(empty, 2)', ''],
  ['substr(text, -5)', 'abc'],
  ['left(text, -1)', ''],
  ['split(text, "")', ['abc']],
  ['indexof(text, "z")', -1n],
  ['lpad(text, 5, "xy")', 'xyabc'],
  ['lpad(text, 5, "")', 'abc'],
  ['long("1e2")', null],
  ['long(yes)', 1n],
  ['int(3000000000)', null],
  ['mod(five, 0)', null],
  ['round(half)', 1],
  ['max(text, five, noon)', 'abc'],
  ['min(n, n)', null],
  ['case(n, 1)', null],
  ['valueof(list, 5)', null],
  ['valueof(list, -1)', null],
  ['valueof(map, "x")', null],
  ['groups("a", "(a)|(b)")', ['a', null]],
  ['innet(ip, "10.0.0.0/30")', false],
  ['innet(ip, "10.0.0.4/30")', true],
  ['innet(ip, "::/0")', false],
  ['iprange(ip, "10.0.0.5", "10.0.0.5")', true],
  ['date("2026-11-15")', date('2026-11-14T15:00:00Z')],
  ['date("2026-02-29")', null],
  ['epoch(1.5)', date('1970-01-01T00:00:01.500Z')],
  ['epoch(1794711600000)', date('2026-11-15T03:00:00Z')],
  ['foreach(_1 + five, list)', [6n, null, null]],
  ['foreach(_1, n)', null],
  ['foreach(_1, five)', [5n]],
  ['urldecode("%zz%C3%A9+")', '%zzé+'],
  ['urldecode("%zz%E9+")', null],
  ['string(noon, "HH:mm Z", "UTC-3")', '00:00 -0300'],
  ['string(noon, "HH:mm XXX", "+0530", "en_US")', '08:30 +05:30'],
  ['string(noon, "EEEE HH", "ko", "Z")', '일요일 03'],
  ['string(epoch(-1e9), "yyyy-MM-dd HH:mm", "GMT+09")', '1938-04-25 07:13'],
  ['date("1938-04-25 07:13", "yyyy-MM-dd HH:mm", "+9")', date('1938-04-24T22:13:00Z')],
  ['date("오후 3", "a h", "ko")', date('1970-01-01T06:00:00Z')],
];

const COLUMNS = (['own', 'any'] as const).map((kind) => ({
  kind,
  columns: Object.entries(ROW).map(([name, value]) => {
    const type: ColumnType = kind === 'any' || value === null ? 'any' : typeOf(value);
    return { name, type };
  }),
}));

describe.each(COLUMNS)('Over columns of $kind type', ({ columns }) => {
  let duckdb: DuckdbRows;

  beforeAll(async () => {
    duckdb = await DuckdbRows.open(columns, [ROW]);
  });

  it.each(RULES)('%s', async (text, gives) => {
    const expression = planned(text, columns);
    for (const found of [evaluateLocally(expression, [ROW])[0] ?? null, (await duckdb.values(expression))[0] ?? null]) {
      if (!isSame(found, gives)) expect(found).toEqual(gives);
    }
  });
});
