// Query text (2): characters, comments, options, literals, names, subqueries. An outcome is the normalized text, or the
// code and position of the error.

import { describe, expect, it } from 'vitest';
import { check, outcome } from '#test/support/query.ts';

type Cases = readonly (readonly [text: string, outcome: string])[];

function hold(cases: Cases): void {
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected}`, () => {
      expect(outcome(text)).toBe(expected);
    });
  }
}

describe('Characters', () => {
  hold([
    ['\ttable\r\n t\n|\tlimit\r1 ', 'table t | limit 1'],
    ['table\u00a0t ｜ join a ［ table r ］', 'table t | join a [ table r ]'],
    ['\ufefftable\u2007t\u202f|\ufefflimit 1', 'table t | limit 1'],
    ['table\u3000t | sort –a, —b, −c', 'table t | sort -a, -b, -c'],
    [
      'table t | search b == “x” and b == „y“ and b == ＂z＂',
      'table t | search ((b == "x") and (b == "y")) and (b == "z")',
    ],
    ['table t | search b == "“|”"', 'table t | search b == "“|”"'],
    ['table t | search b == “a"', 'table t | search b == "a"'],
    ['table t | search b == "a”', '90004 22..23'],
    ['table t | search b == "x|y[" | limit 1', 'table t | search b == "x|y[" | limit 1'],
    ['table t | search (a | limit 1)', '90202 17..18'],
    ['table t \\| limit 1', '90012 8..9'],
    ['table t | search b == "\\"|"', 'table t | search b == "\\"|"'],
    ['table t | search b == "é"', 'table t | search b == "é"'],
    ['table t | search é == 1', 'table t | search é == 1'],
    ['TABLE t', '92000 0..5'],
    ['table t | Search a', '92000 10..16'],
    ['table t | search Len(a)', '90300 17..20'],
    ['table t | search a AND b', '90203 19..22'],
    ['table t | stats count BY a', '90012 22..24'],
  ]);

  it('are counted as typed, in UTF-16 units', () => {
    expect(outcome('table t | search "😀é" == 1 and ;')).toBe('90201 32..33');
  });
});

describe('Comments', () => {
  hold([
    ['# note | table t', 'table t'],
    ['table t | # a\nb | limit 1', 'table t | limit 1'],
    ['table t | # [ search x | limit 1 ] | limit 2', 'table t | limit 2'],
    ['table t | # [ [ a | b ] | c ] d | limit 2', 'table t | limit 2'],
    ['table t | # 5" disk | limit 1', 'table t | limit 1'],
    ['table t | # "a | b" | limit 1', 'table t | limit 1'],
    ['table t | # "a\n| limit 1 | search b == "x"', 'table t | limit 1 | search b == "x"'],
    ['table t | # “a | b” | limit 1', 'table t | limit 1'],
    ['table t | # "\\" | limit 1', 'table t | limit 1'],
    ['table t | # ] | limit 1', 'table t | limit 1'],
    ['table t | # [ | limit 1', 'table t'],
    ['table t | # a ] b ] | limit 2 | # [ search a == 9 | limit 1', 'table t | limit 2'],
    ['table t | join a [ table r | # x ] | limit 1', 'table t | join a [ table r ] | limit 1'],
    ['table t | join a [ table r | # [ x ] ] | limit 1', 'table t | join a [ table r ] | limit 1'],
    ['table t | join a [ table r | # [ x ] | limit 1', '90005 17..18'],
    ['table t | # ［ a ｜ b ］ ｜ limit 1', 'table t | limit 1'],
    ['table t | # "[" | limit 1', 'table t | limit 1'],
    ['table t | join a [ # x | table r | # y ]', 'table t | join a [ table r ]'],
    ['table t # x', '90012 8..9'],
    ['table t | #', 'table t'],
    ['#|#', '90002 0..3'],
  ]);

  it('that hide a pipe in quotes give a warning', () => {
    expect(
      check('table t | # "a | b" | # "c" | # “d ｜”').warnings.map(({ code, begin, end }) => [code, begin, end]),
    ).toEqual([
      [90903, 12, 19],
      [90903, 32, 37],
    ]);
  });

  it('are not commands', () => {
    expect(check('# a | table t | # b | limit 1').plan.commands.map(({ command }) => command)).toEqual([
      'table',
      'limit',
    ]);
  });
});

describe('Options', () => {
  hold([
    ['table limit=5 order=asc t', 'table order=asc limit=5 t'],
    ['table parallel=t t | stats parallel=f count', 'table t | stats count'],
    ['fulltext parallel=t "x" | timechart parallel=t count', 'fulltext "x" | timechart count'],
    ['table t | pivot parallel=true count cols a', 'table t | pivot count cols a'],
    ['table parallel=x t', '90008 15..16'],
    ['table order=desc offset=0 t', 'table t'],
    ['table duration="1h" t', 'table duration=1h t'],
    ['table from="2026-11-15 09:00" t', 'table from="2026-11-15 09:00" t'],
    ['table from="2026-11-15" t', 'table from=2026-11-15 t'],
    ['table t | search limit==1', 'table t | search limit == 1'],
    ['table t | search limit=10 a == 1', 'table t | search limit=10 a == 1'],
    ['table t | search a =1', '90203 19..20'],
    ['table t | search a= 1', '90001 17..18'],
    ['table t | search limit=1 limit == 2', 'table t | search limit=1 limit == 2'],
    ['table t | parsekv overlay=true quote=f', 'table t | parsekv overlay=t'],
    ['table t | parsekv overlay=TRUE', '90008 26..30'],
    ['table t | parsekv pairdelim=" " kvdelim==', '90207 32..41'],
    ['table t | parsekv field="x y"', 'table t | parsekv field="x y"'],
    ['table t | parsekv field=5', 'table t | parsekv field="5"'],
    ['table t | parsekv field=t', 'table t | parsekv field="t"'],
    ['table t | parsekv field=a.b:c/d-e{f}*', 'table t | parsekv field=a.b:c/d-e{f}*'],
    ['table t | parsekv field=', '90008 24..24'],
    ['table t | fillnull value=007', 'table t | fillnull value=7'],
    ['table t | fillnull value="7"', 'table t | fillnull value="7"'],
    ['table t | fillnull value=true', 'table t | fillnull value=true'],
    ['table t | fillnull value="a\\"b\\\\"', 'table t | fillnull value="a\\"b\\\\"'],
    ['table t | fillnull value=a,b a', 'table t | fillnull value=a,b a'],
    ['table limit=$("p") t', 'table limit=$("p") t'],
    ['table limit=$( "p" , 1+2 ) t', 'table limit=$("p", 1 + 2) t'],
    ['table limit=$("nothing") t', 'table limit=$("nothing") t'],
    ['table limit=$("word") t', '10006 12..21'],
    ['table limit=$("p") limit=1 t', '90007 19..24'],
    ['table limit=$(p) t', '90302 14..15'],
    ['table limit=$("p" t', '90201 18..19'],
    ['table duration=$("nothing") from=2026 t', 'table duration=$("nothing") from=2026 t'],
    ['table duration=$("gone", "1h") from=2026 window=1h t', '10003 31..40'],
    ['table t | timechart cont=$("nothing") from=2026 count', '22103 38..47'],
    ['table t | matchnet guid=$("nothing")', '21300 24..36'],
    ['table t | eval a=1', 'table t | eval a = 1'],
    ['table t | bypass a=1', '90001 17..18'],
  ]);
});

describe('Literals', () => {
  hold([
    ['table t | eval n = 0123', 'table t | eval n = 123'],
    ['table t | eval n = 1.50e3', 'table t | eval n = 1500.0'],
    ['table t | eval n = 1E400', '90206 19..24'],
    ['table t | eval n = -9223372036854775808', 'table t | eval n = -9223372036854775808'],
    ['table t | eval n = --5', 'table t | eval n = -(-5)'],
    ['table t | eval n = 1.', '90012 20..21'],
    ['table t | eval n = .5', '90201 19..21'],
    ['table t | eval n = 0x1f', '90201 19..23'],
    ["table t | eval n = 'x'", '90201 19..22'],
    ['table t | eval n = "\\\\\\"\\n\\t\\r"', 'table t | eval n = "\\\\\\"\\n\\t\\r"'],
    ['table t | eval n = "a\nb"', 'table t | eval n = "a\\nb"'],
    ['table t | eval n = "\\*"', '90205 20..22'],
    ['table t | search b == "\\*"', 'table t | search b == "\\*"'],
    ['table t | search b == ("a*")', 'table t | search b == "a\\*"'],
    ['table t | search "a*" == b', 'table t | search "a*" == b'],
    ['table t | search b < "a*"', 'table t | search b < "a*"'],
    ['table t | search eqi(b, "A*") and in(b, "x*", "y\\*")', 'table t | search eqi(b, "A*") and in(b, "x*", "y\\*")'],
    ['table t | rex "(?<n>\\d\\")"', 'table t | rex "(?<n>\\d\\")"'],
    ['table t | rex "(?<n>\u0338x)"', '90303 15..18'],
  ]);
});

describe('Names', () => {
  hold([
    ['table t | fields sum:06, 06, 3rd, a.b:c', 'table t | fields sum:06, 06, 3rd, a.b:c'],
    ['table t | eval a = field("06") + sum:06, b = 06 + 1', 'table t | eval a = field("06") + sum:06, b = 6 + 1'],
    ['table t | eval 4th=3rd+1', 'table t | eval 4th = 3rd + 1'],
    [
      'table t | eval a = 1e5, b = 1e5x, c = 2e-3, d = 1_000',
      'table t | eval a = 100000.0, b = 1e5x, c = 0.002, d = 1_000',
    ],
    [
      'table t | eval n = field("10m") + field("1e5") + field("0x1")',
      'table t | eval n = (field("10m") + field("1e5")) + field("0x1")',
    ],
    ['table t | rename 06 as 10m, 0x1 as 2hours', 'table t | rename 06 as 10m, 0x1 as 2hours'],
    ['table t | stats count as 7, max(3rd) as 06:max by 06', 'table t | stats count as 7, max(3rd) as 06:max by 06'],
    ['table t | top 2 06 by 3rd', 'table t | top 2 06 by 3rd'],
    ['table t | search a: b', '90201 18..19'],
    ['table t | search a:b == 1', 'table t | search a:b == 1'],
    ['fulltext 06 == 5 from t', 'fulltext 06 == 5 from t'],
    ['table t | fields a.b, _x, @y, é1', 'table t | fields a.b, _x, @y, é1'],
    ['table t | fields field("a")', 'table t | fields a'],
    ['table t | fields field("a b"), field("")', 'table t | fields field("a b"), field("")'],
    ['table t | fields by, as', 'table t | fields by, as'],
    ['table t | sort field("by")', 'table t | sort field("by")'],
    ['table t | sort as', 'table t | sort as'],
    ['table t | rename a as field("as")', 'table t | rename a as field("as")'],
    ['table t | stats count as field("by") by field("as")', 'table t | stats count as field("by") by field("as")'],
    [
      'table t | pivot count rows field("cols") cols field("for")',
      'table t | pivot count rows field("cols") cols field("for")',
    ],
    ['table t | lookup users field("output") output dept', 'table t | lookup users field("output") output dept'],
    ['table t | search field("and") == field("null")', 'table t | search field("and") == field("null")'],
    ['table t | search rows and cols and from', 'table t | search (rows and cols) and from'],
    ['fulltext a==[table t|limit 1] from t', 'fulltext a == [ table t | limit 1 ] from t'],
    ['fulltext not [table t] and a == [table r]', 'fulltext not [ table t ] and (a == [ table r ])'],
    ['fulltext field("from") == 1 from t', 'fulltext field("from") == 1 from t'],
    ['table t | search not', 'table t | search not'],
    ['table t | fields not, in, like', 'table t | fields not, in, like'],
    ['table t | search field ("a") == 1', 'table t | search a == 1'],
    ['table t | eval field = 1', 'table t | eval field = 1'],
    ['table t | stats sum(a), sum(field("sum(a)"))', 'table t | stats sum(a), sum(field("sum(a)"))'],
  ]);
});

describe('Subqueries', () => {
  hold([
    ['union[table t]', 'union [ table t ]'],
    ['table t | join a[table r|union[table r|limit 1]]', 'table t | join a [ table r | union [ table r | limit 1 ] ]'],
    [
      'set k = 1 | table t | union [ table r | search a == $("k") ]',
      'set k = 1 | table t | union [ table r | search a == $("k") ]',
    ],
    ['union [ set k = 1 | table r ] | limit $("k")', '22400 38..44'],
    ['table t | search a == [ table r ]', '90201 22..23'],
    ['table [ table r ]', '90201 6..7'],
    ['table t | join a [ table r ] x', '90012 29..30'],
    [
      'setq [ table t | stats max(a) as m ] | table t | limit $("m")',
      'setq [ table t | stats max(a) as m ] | table t | limit $("m")',
    ],
    ['setq [ table t | stats max(a) as m ] | table t | limit $("n")', '22400 55..61'],
    ['setq [ table o ] | table t | limit $("n")', 'setq [ table o ] | table t | limit $("n")'],
    ['table t | join a [ nope ]', '92000 19..23'],
    ['table t | serach | join a [ nope ]', '92000 10..16'],
    ['union [ set a = 1 ]', '92001 8..11'],
  ]);
});
