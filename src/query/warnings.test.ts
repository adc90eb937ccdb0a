// Warnings accompany queries that run: rows without a defined order (90901), fields that nobody knows (90902).

import { describe, expect, it } from 'vitest';
import { productManifest } from '#docs/product.ts';
import { marked } from '#test/support/marked-queries.ts';
import { check } from '#test/support/query.ts';
import { CHANGED_SINCE } from './model/date-pattern.ts';
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
    ['json "[{a:true},{a:null}]" | search a and not(a)', []],
    ['json "[{a:null},{a:null}]" | search a', []],
    ['json "[{a:true},{a:1}]" | search a', []],
    ['json "[{a:true}]" | rename a as b | stats first(b) as f, count by b | search f and b', []],
    ['json "[{a:true}]" | eval x = if(a, a, null), y = case(a, true, false) | search x or y', []],
    ['json "[{a:true}]" | union [ json "[{a:1}]" ] | search a', []],
    ['json "[{a:1}]" | union [ json "[{a:2}]" ] | search a', ['90907 51..52']],
    ['table t | search _node', ['90907 17..22']],
  ])('are told: %s', (text, expected) => {
    const found = check(text).warnings.map(({ code, begin, end, hints = [] }) =>
      [code, `${begin}..${end}`, ...hints.map((hint) => hint.code)].join(' '),
    );
    expect(found).toEqual(expected);
  });

  it('says which rows a field alone keeps, in both languages', () => {
    const text = 'table t | search a';
    const [warning] = check(text).warnings;
    if (!warning) throw new Error('no warning');
    expect(reportOf(warning, text, 'en').message).toBe(
      'warning: a alone keeps every row in which it is neither null nor false; write isnotnull(a) or a == true',
    );
    expect(reportOf(warning, text, 'ko').message).toBe(
      "경고: 'a' 필드만 쓰면 값이 null도 false도 아닌 모든 행이 남습니다. isnotnull(a) 또는 a == true로 쓰십시오",
    );
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

describe('Names of the columns of a pivot', () => {
  const PIVOT = 'table t | pivot sum(a) as s, count, max(a) as x_s rows b cols line';

  it.each<[string, string, string]>([
    ['eval n = «kim_s»', 's', 's:kim'],
    ['eval n = nvl(«kim_s», 0) + kim_s', 's', 's:kim'],
    ['search isnull(«kim_count»)', 'count', 'count:kim'],
    ['eval n = «field("web-01_s")»', 's', 'field("s:web-01")'],
    ['eval n = «a_x_s»', 'x_s', 'x_s:a'],
    ['fields b, «kim_s»', 's', 's:kim'],
    ['rename «kim_s» as k', 's', 's:kim'],
    ['sort -«kim_s»', 's', 's:kim'],
    ['stats sum(«kim_s») by b', 's', 's:kim'],
    ['parsekv field=«kim_s»', 's', 's:kim'],
    ['eval n = 1 | limit 5 | eventstats count as c | eval m = «kim_s»', 's', 's:kim'],
    ['fields - other | search «kim_s» > 1', 's', 's:kim'],
    ['join b [ json "{b:1}" ] | eval n = «kim_s»', 's', 's:kim'],
    ['search «2026_s» > 1', 's', 's:2026'],
  ])('are told from those of a timechart: %s', (commands, alias, replacement) => {
    const { text, begin, end } = marked(`${PIVOT} | ${commands}`);
    const [warning] = check(text).warnings.filter(({ code }) => code === 90920);
    if (!warning) throw new Error('no warning');
    expect(warning).toMatchObject({ begin, end, values: { alias } });
    expect(hintReportsOf(warning, 'en')).toMatchObject([{ code: 91060, of: 90920, replacement }]);
    const replaced = text.slice(0, begin) + replacement + text.slice(end);
    expect(check(replaced).warnings.filter((one) => one.code === 90920 && one.begin === begin)).toEqual([]);
  });

  it.each([
    'eval kim_s = 1 | eval n = kim_s',
    'rename b as kim_s | search kim_s == 1',
    'eval n = s:kim, m = b, k = _s',
    'fields b | eval kim_s = b | eval n = kim_s',
    'stats count by b | eval n = 1',
    'union [ table o ] | eval n = kim_s',
    'eval n = field(concat("kim", "_s"))',
    'fields - kim_s',
  ])('are not told: %s', (commands) => {
    expect(check(`${PIVOT} | ${commands}`).warnings.filter(({ code }) => code === 90920)).toEqual([]);
  });

  it('are those of timechart with one aggregate, without cols, and of timechart itself', () => {
    for (const command of [
      'pivot count cols line',
      'pivot sum(a) as s, count rows b',
      'timechart sum(a) as s, count by b',
    ])
      expect(warnings(`table t | ${command} | eval n = kim_s`).filter((one) => one.startsWith('90920'))).toEqual([]);
  });

  it('are told in both languages', () => {
    const text = `${PIVOT} | eval n = kim_s`;
    const [warning] = check(text).warnings;
    if (!warning) throw new Error('no warning');
    const said = (['en', 'ko'] as const).map((locale) => [
      reportOf(warning, text, locale).message,
      hintReportsOf(warning, locale)[0]?.message,
    ]);
    expect(said).toEqual([
      ['warning: this pivot names its columns s:VALUE; nothing is called kim_s', 'the column is s:kim'],
      ["경고: 이 pivot의 컬럼 이름은 s:값입니다. 'kim_s' 컬럼은 없습니다", '컬럼 이름: s:kim'],
    ]);
  });
});

describe('Letters of date patterns that are read in another way', () => {
  const found = (text: string, isCheck = true) =>
    check(text, isCheck ? { isCheck: true } : {}).warnings.map((warning) => ({
      text: text.slice(warning.begin, warning.end),
      message: reportOf(warning, text, 'en').message,
    }));

  it('are told by checks, each once for a pattern', () => {
    const text = 'table t | eval n = date(b, "yy-M-d hh:mm yy"), m = date(b, "h:mm")';
    const since = 'is read in another way since version 0.9.0';
    expect(found(text)).toEqual([
      { text: '"yy-M-d hh:mm yy"', message: `warning: yy ${since}: years 1969 to 2068` },
      { text: '"yy-M-d hh:mm yy"', message: `warning: hh ${since}: hours 0 to 23, as the pattern has no a` },
      { text: '"h:mm"', message: `warning: h ${since}: hours 0 to 23, as the pattern has no a` },
    ]);
  });

  it('are not told by runs, of patterns that write, and of other letters', () => {
    expect(found('table t | eval n = date(b, "yy hh")', false)).toEqual([]);
    expect(
      found('table t | eval n = string(when, "yy hh"), m = date(b, "yyyy-MM-dd HH:mm"), k = date(b, "h a")'),
    ).toEqual([]);
    expect(found(`table t | eval n = date(b, "HH'yy'")`)).toEqual([]);
  });

  it('are told in the version that brings the change and in the one after it', () => {
    const [, minor] = productManifest().version.split('.').map(Number);
    const [, since] = CHANGED_SINCE.split('.').map(Number);
    expect(minor).toBeLessThanOrEqual(Number(since) + 1);
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
