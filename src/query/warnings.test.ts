// Warnings accompany queries that run: rows without a defined order (90901), fields that nobody knows (90902).

import { describe, expect, it } from 'vitest';
import { marked } from '#test/support/marked-queries.ts';
import { check } from '#test/support/query.ts';
import { hintReportsOf, reportOf } from './model/query-error.ts';

/** `code begin..end` of each. */
const warnings = (text: string) => check(text).warnings.map(({ code, begin, end }) => `${code} ${begin}..${end}`);

describe('The order of rows', () => {
  const unordered = [
    'table t | union [ table r ] | «limit 5»',
    'table t | join a [ table r ] | «dedup b»',
    'table t | union [ table r ] | «search limit=1 a > 1»',
    'table t | union [ table r ] | stats «first(a)»',
    'table t | union [ table r ] | stats count, «array(a)» by b',
    'table t | union [ table r ] | eval n = «seq()»',
    'table t | union [ table r ] | search «seq() > 3»',
    'table t | union [ table r ] | eval n = a | fields n | «limit 1»',
    'union [ table r ] | «limit 1»',
    'table t | union [ table r ] | «streamstats first(a)»',
    'table t | union [ table r ] | «prev a» | rollup count by a',
    'table t | join a [ table r ] | «memlookup op=build name=m key=a b»',
    'table t | union [ table r ] | rollup «first(a)» by b',
    'union [ table r ] | «evalc n = 1»',
    'table t | parallel [ eval n = 1 ] | «limit 1»',
    'table t | parallel [ «limit 1» ]',
    'remote * [ table t ] | «limit 1»',
    'table t | sort a | union [ table r ] | bypass | rex "(?<n>x)" | «limit 1»',
  ];
  for (const text of unordered) {
    it(`is missed: ${text}`, () => {
      const { text: query, begin, end } = marked(text);
      expect(warnings(query)).toEqual([`90901 ${begin}..${end}`]);
    });
  }

  const ordered = [
    'table t | limit 5',
    'fulltext "x" | dedup a',
    'json "[]" | eval n = seq()',
    'system tables | limit 1',
    'proc busy(1) | limit 1',
    'remote vigil [ table t ] | limit 1',
    'table window=1m t | limit 1',
    'table t | serial [ eval n = 1 ] | evalc n = 2 | limit 1',
    'table t | union [ table r ] | sort a | limit 5',
    'table t | union [ table r ] | stats count by a | limit 5',
    'table t | union [ table r ] | timechart count | limit 5',
    'table t | union [ table r ] | pivot count cols a | limit 5',
    'table t | union [ table r ] | top 3 a | limit 5',
    'table t | union [ table r ] | cube count by a | streamstats count | prev a | limit 5',
    'lookuptable users | streamstats count | prev dept | limit 1',
    'memlookup op=list | limit 1',
    'table t | explode l | repeat count=2 | eventstats count | limit 5',
    'table t | parsekv | lookup users a output dept | fillnull | limit 5',
    'table t | union [ table r | limit 1 ]',
    'table t | union [ table r ] | stats count, max(a)',
  ];
  for (const text of ordered) {
    it(`is there: ${text}`, () => {
      expect(warnings(text)).toEqual([]);
    });
  }
});

describe('Names that nobody knows', () => {
  const unknown = [
    'table t | search «wehn»',
    'table t | eval n = len(«lnie»)',
    'table t | fields a | search «A»',
    'table t | stats count by «whn»',
    'table t | sort -«wen»',
    'table t | fields «lin»',
    'table t | rename «anything» as n',
    'json "{user:1}" | search «usr»',
    'table t | stats sum(a) as total | search «totl» > 1',
    'table t | search «zzzzzz»',
    'table t | search «zzzzzz» or zzzzzz == 1',
    'table k | search «seeen» == 1',
    'table k | fields a | search «seen» == 1',
    'table k | stats count by a | sort «seen»',
    'table t | rex field=«lin» "(?<n>x)"',
    'table t | eval n = isnull(lower(«zz»))',
    'table t | eval n = nvl(a, «zz»)',
    'table t | union [ table r ] | eval n = «zz»',
    'system tables | search «tabel_name» == "x"',
    'table t | timechart count by b | fields x | eval n = «anything»',
    'table t | timechart count | eval n = «anything»',
  ];
  for (const text of unknown) {
    it(`are told: ${text}`, () => {
      const { text: query, begin, end } = marked(text);
      expect(warnings(query)).toEqual([`90902 ${begin}..${end}`]);
    });
  }

  const quiet = [
    'table t | search line == "x" or _node == "n" or _id > 1',
    'table o | search lin == 1',
    'table t | parsekv | search lin',
    'table t | timechart count by b | search _tim',
    'table t | rex "(?<n>x)" | search n == "x"',
    'table o | rename zz as n',
    'table t | eval n = foreach(_1, l)',
    'table t | eval n = nvl(zz, 1), m = isnull(yy), o = isnotnull(xx), p = field("ww")',
    'table t | fields - zz | order yy',
    'table t | fields field("zz")',
    'table r | rename d as zz | search zz == "y"',
    'table k | search seen == 1 or a == 1',
    'table k | fields - seen | search seen == 1',
    'table t | union [ table k ] | search seen == 1',
    'table empty | search anything == 1 | eval n = other',
    'table t, empty | search anything == 1',
    'table t | parsexml | search anything == 1',
    'table t | parse kv | eval n = anything',
    'table t | union [ table t | parsejson ] | eval n = anything',
    'table t | search true or 1 == 1',
    'remote vigil [ table t ] | eval n = anything',
    'table t | timechart count by b | eval n = anything',
    'table t | pivot count rows a cols b | eval n = anything',
  ];
  for (const text of quiet) {
    it(`are not complained of: ${text}`, () => {
      expect(warnings(text)).toEqual([]);
    });
  }

  it('come with suggestions, in both languages', () => {
    const text = 'table t | search wehn';
    const [warning] = check(text).warnings;
    if (!warning) throw new Error('no warning');
    expect(reportOf(warning, text, 'en')).toMatchObject({
      message: 'warning: field wehn is not known here',
      suggestions: ['when'],
    });
    expect(reportOf(warning, text, 'ko').message).toBe("경고: 'wehn' 필드를 알 수 없습니다");
  });

  it('come in the order of the text, and not more than a hundred of them', () => {
    expect(warnings('table t | union [ table r ] | search wehn | limit 1')).toEqual(['90902 37..41', '90901 44..51']);
    const names = Array.from({ length: 500 }, (_, at) => `zz${at}`);
    expect(warnings(`table t | search ${names.join(' or ')}`)).toHaveLength(100);
  });

  it('with the key word of other languages in case() come with a hint', () => {
    expect(check('table t | eval x = case(a == 1, "a", else, "b")').warnings).toMatchObject([
      { code: 90902, hints: [{ code: 91035 }] },
    ]);
  });
});

describe('Conditions that hide a mistake', () => {
  it.each<[string, string[]]>([
    ['table t | search "union select"', ['90906 17..31 91037']],
    ['table t | search a == 1 and 5', ['90906 28..29 91037']],
    ['table t | search not("x") or a == 1', ['90906 21..24 91037']],
    ['table t | search a', ['90907 17..18']],
    ['table t | search not(b) and a == 1', ['90907 21..22']],
    ['table t | search b == kim', ['90904 22..25 91038']],
    ['table t | search b != kim or in(b, "x", lee)', ['90904 22..25 91038', '90904 40..43 91038']],
    ['table t | search zz == kim', ['90902 17..19', '90902 23..26']],
    ['table t | search kim == b', ['90902 17..20']],
    ['table t | eval x = b == kim', ['90902 24..27']],
    ['table t | search true', []],
    ['table t | search 1 == 1', []],
    ['table t | eval x = a > 1 | search x', []],
    ['table o | search any', []],
  ])('are told: %s', (text, expected) => {
    const found = check(text).warnings.map(({ code, begin, end, hints = [] }) =>
      [code, `${begin}..${end}`, ...hints.map((hint) => hint.code)].join(' '),
    );
    expect(found).toEqual(expected);
  });

  it('name the table and the text in their hints', () => {
    const text = 'table t | limit 5 | search "union select"';
    const [warning] = check(text).warnings;
    if (!warning) throw new Error('no warning');
    expect(hintReportsOf(warning, 'en')).toMatchObject([
      {
        code: 91037,
        of: 90906,
        message: 'fulltext "union select" from t looks for a text in all fields, F == "*union select*" in one',
        replacement: null,
      },
    ]);
    const [named] = check('table t | search b == kim').warnings;
    if (!named) throw new Error('no warning');
    expect(hintReportsOf(named, 'ko')).toMatchObject([
      { message: '문자열은 큰따옴표로 씁니다: "kim"', replacement: '"kim"' },
    ]);
  });
});

describe('Parameters without a value', () => {
  it.each([
    'table t | evalc n = «$("n")» + 1',
    'table t | evalc x = 1 | stats count | eval n = «$("x")»',
    'table t | evalc x = 1 | union [ table t | eval n = «$("x")» ]',
    'table t | search a == «$("gone")» or a == $("gone")',
    'table duration=«$("gone")» t',
    'table «$("more")»?, t',
    'set a = «$("b")», b = 1 | table t | eval n = $("b")',
    'json "{}" | drop | json "{}" | evalc x = 1 | drop | json "{}" | eval n = «$("x")»',
    'setq [ table t | stats max(a) as m ] | table t | eval n = «$("n")», m = $("m")',
  ])('are told once for each name: %s', (text) => {
    const { text: query, begin, end } = marked(text);
    expect(warnings(query)).toEqual([`90400 ${begin}..${end}`]);
  });

  it('suggest parameters that are set', () => {
    for (const [name, near] of [
      ['P', 'p'],
      ['wrod', 'word'],
    ])
      expect(check(`table t | search a == $("${name}")`).warnings[0]).toMatchObject({
        code: 90400,
        suggestions: [near],
      });
  });

  it.each([
    'table t | search a == $("gone", 1)',
    'table t | search a == $("nothing")',
    'table t | search _time > $("_from") and $("_live")',
    'setq [ table o ] | table t | search a == $("any")',
    'proc busy($("p"))',
  ])('are none of %s', (text) => {
    expect(warnings(text).filter((one) => one.startsWith('90400'))).toEqual([]);
  });

  it('may come to the text of a query that follows another one', () => {
    expect(check('table t | limit $("n") | eval a = $("m")', { mayReceive: true }).warnings).toEqual([]);
  });

  it('are the only finding of a check where a place needs a value', () => {
    for (const text of [
      'table t | limit $("n")',
      'table $("n")',
      'fulltext "x" from $("n")',
      'proc busy(1) | limit $("n")',
    ]) {
      expect([text, check(text, { isCheck: true }).warnings.map(({ code }) => code)]).toEqual([text, [90400]]);
    }
  });
});

describe('A driver behind rows', () => {
  it.each([
    'table t | «json» "{}"',
    'table t | set x = 1 | «table» t | drop | table r',
    'union [ table t | «json» "{}" ] | drop | memlookup op=list',
    'table t | «memlookup» op=list',
    'table t | serial [ drop ] | «lookuptable» users',
  ])('drops them: %s', (text) => {
    const { text: query, begin, end } = marked(text);
    expect(warnings(query)).toEqual([`90911 ${begin}..${end}`]);
  });
});

describe('A duration beside from or to', () => {
  it.each([
    'table «duration»=1h from=2026 t',
    'fulltext to=2026 «duration»=$("gone", "1h") "x" from t',
    'system «duration»=1h from=2026 count t',
  ])('has no effect: %s', (text) => {
    const { text: query, begin, end } = marked(text);
    expect(warnings(query)).toEqual([`90908 ${begin}..${end}`]);
    expect(warnings(query.replace(/(from|to)=2026/, '$1=$("nothing")'))).toEqual([]);
  });
});
