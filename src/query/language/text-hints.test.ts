// Hints beside errors of the text (14.4): how this language writes what was meant, with the words of the query.

import { describe, expect, it } from 'vitest';
import { hintReportsOf } from '#query/model/query-error.ts';
import { queryErrorIn } from '#test/support/query.ts';

const hints = (text: string) => {
  const error = queryErrorIn(text);
  return error ? hintReportsOf(error, 'en').map(({ code, message, replacement }) => [code, message, replacement]) : [];
};

describe('Hints of the text', () => {
  it.each<[string, number, string | RegExp, string | null]>([
    ['table t | search status=500', 91001, '== compares: status == 500', null],
    ['table t | search status = "x y" and b', 91001, '== compares: status == "x y"', '=='],
    ["table t | search b == 'kim'", 91002, 'text stands in double quotes: "kim"', '"kim"'],
    ['table t | search b == "C:\\x"', 91003, 'a backslash is written twice', '\\\\x'],
    ['table t | search a == 1 # note', 91005, /a comment stands between pipes/, null],
    ['table t | fields a;b', 91006, 'this field is written field("a;b")', 'field("a;b")'],
    ['table t | fields "a b"', 91006, 'this field is written field("a b")', 'field("a b")'],
    ['table t | search or == 1', 91006, 'this field is written field("or")', 'field("or")'],
    ['table t | search 0x1f == 1', 91006, 'this field is written field("0x1f")', 'field("0x1f")'],
    ['table t | search time+ == 3', 91006, 'this field is written field("time+")', null],
    ['table t | union [ table t | # [ x ]', 91007, /a comment inside opens/, null],
    ['table t | sort a desc', 91015, /sort -a descending/, null],
    ['table t | order by a', 91015, /sort -a descending/, null],
    ['table t | sort by a', 91015, /sort -a descending/, null],
    ['table t | fields a b', 91017, 'names are separated by commas: a, b', null],
    ['table t | stats count by a b', 91017, 'names are separated by commas: a, b', null],
    ['table t | search a AND b', 91020, 'words of the language are lower case: and', 'and'],
    ['table t | search b like "k%"', 91021, /^like\(F, "a\*"\)/, null],
    ['table t | search when > now-1h', 91022, /duration=1h; in an expression ago\("1h"\)/, null],
    ['table from=now-1h t', 91022, /duration=1h/, null],
    ['table t | search not a == 1', 91023, /^write not\(x\)/, null],
    ['table t | search a || b', 91023, /^write not\(x\)/, null],
    ['table from=2026-11-15 09:00 t', 91026, /time text with a blank is quoted/, null],
    ['table t | timechart cont=t to=2026-11-15 09:00 count', 91026, /time text with a blank is quoted/, null],
    ['table t | eval n = datetrunc(when, 10m)', 91033, 'a duration in an expression is text: "10m"', '"10m"'],
    ['table t | eval x == 1', 91034, 'one = assigns: eval x = …', '='],
    ['table t | eval my field = 1', 91041, 'a name with a blank is written field("my field")', null],
    ['table t | fields *', 91043, /leave fields out/, null],
  ])('%s', (text, code, message, replacement) => {
    expect(hints(text)).toEqual([
      [code, typeof message === 'string' ? message : expect.stringMatching(message), replacement],
    ]);
  });

  it('name no more of the text than fits a sentence, however long it is', () => {
    const [[, message] = []] = hints(`table t | search status = ${'x'.repeat(100_000)}`);
    expect(String(message).length).toBeLessThan(200);
  });
});
