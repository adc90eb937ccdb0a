// Errors as a client receives them: wording in both languages, line and column, caret, suggestions.

import { describe, expect, it } from 'vitest';
import { queryErrorIn } from '#test/support/query.ts';
import * as en from './messages.en.ts';
import * as ko from './messages.ko.ts';
import { excerptOf, hintReportsOf, reportOf } from './query-error.ts';

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

function report(text: string, locale: 'en' | 'ko' = 'en') {
  const error = queryErrorIn(text);
  if (!error) throw new Error(`${text} has no error`);
  const [hint] = hintReportsOf(error, locale);
  return { ...reportOf(error, text, locale), hint: hint?.message, excerpt: excerptOf(text, error) };
}

describe('The catalogues', () => {
  const parts: Record<string, Record<string, string>[]> = {
    mistakes: [en.mistakes, ko.mistakes],
    hints: [en.hints, ko.hints],
    terms: [en.terms, ko.terms],
  };
  for (const [part, [english = {}, korean = {}]] of Object.entries(parts)) {
    it(`have the same ${part} with the same holes`, () => {
      expect(Object.keys(korean)).toEqual(Object.keys(english));
      for (const [code, text] of Object.entries(english)) {
        expect([code, ...holes(korean[code] ?? '')]).toEqual([code, ...holes(text)]);
      }
    });
  }

  it('differ in every sentence that has words', () => {
    const same = Object.entries(en.mistakes).filter(([code, text]) => Object(ko.mistakes)[code] === text);
    expect(same).toEqual([]);
  });
});

describe('An error', () => {
  it('has its line and column, and carets below its span', () => {
    const text = 'table t\n| search a == 1\n| serach b == 2';
    expect(report(text)).toEqual({
      code: 92000,
      begin: 26,
      end: 32,
      line: 3,
      column: 3,
      message: 'there is no command serach',
      hint: undefined,
      suggestion: 'search',
      suggestions: ['search'],
      excerpt: '| serach b == 2\n  ^^^^^^',
    });
  });

  it('is translated into Korean', () => {
    expect(report('table t | serach a', 'ko')).toMatchObject({
      message: "'serach' 명령이 없습니다",
      suggestion: 'search',
    });
    expect(report('table t | rex "(?<a>x)(?=y)"', 'ko').message).toBe(
      `정규식에서 지원하지 않습니다: ${ko.terms.lookahead}`,
    );
  });

  it('suggests a comparison if the option may be one', () => {
    expect(report('table t | search a=1')).toMatchObject({ code: 90001, suggestions: [] });
    expect(report('table t | search limt=1 a')).toMatchObject({ code: 90001, suggestions: ['limit'] });
    expect(report('table t | dedup x=1 a').hint).toBeUndefined();
  });

  it('names the replacement for syntax of other languages', () => {
    const hints: readonly (readonly [string, string])[] = [
      ['table t | rename a as "b c"', 'this field is written field("b c")'],
      ['table t | fields a;b', 'this field is written field("a;b")'],
      ["table t | search b == 'x'", 'text stands in double quotes: "x"'],
      ["json '{}'", 'text stands in double quotes: "{}"'],
      ['table t | search b == ‘x’', 'text stands in double quotes: "x"'],
      ['table from=2026-11-15 09:30 t', 'time text with a blank is quoted: "2026-11-15 09:00"'],
      ['table t | search match(b, "\\d+")', 'a backslash is written twice'],
      ['table t # all of it', 'a comment stands between pipes: | # …'],
    ];
    for (const [text, hint] of hints) expect([text, report(text).hint]).toEqual([text, hint]);
  });

  it('explains the end of comments after a comment of several lines', () => {
    const hint = 'a comment ends at the next pipe, not at the end of the line';
    expect(report('# all of it\ntable t\n| stats count')).toMatchObject({ code: 92001, line: 3, hint });
    const begin = 'begin with the table: table TABLE | stats count';
    expect(report('# all of it | stats count').hint).toBe(begin);
    expect(report('set a = 1 | stats count | # x\ny').hint).toBe(begin);
  });

  it('has carets as wide as wide characters', () => {
    expect(report('table t | search 한글 == 값 + ;').excerpt).toBe(
      `table t | search 한글 == 값 + ;\n${' '.repeat(30)}^`,
    );
    expect(report('table t | search "가" + 1').excerpt).toBe('table t | search "가" + 1\n                 ^^^^');
  });

  it('shortens long lines on both sides of its span, and shows tabs as spaces', () => {
    const far = report(`table t |\tsearch ${'a or '.repeat(50)}; ${'b or '.repeat(50)}c`);
    const [shown = '', carets = ''] = far.excerpt.split('\n');
    expect(shown.length).toBeLessThanOrEqual(122);
    expect(shown).toMatch(/^….*…$/);
    expect(shown.charAt(carets.indexOf('^'))).toBe(';');
    expect(report('table\tnope').excerpt).toBe('table nope\n      ^^^^');
  });

  it('shows one caret for an empty span', () => {
    expect(report('table t | search').excerpt).toBe('table t | search\n                ^');
    expect(report('').excerpt).toBe('\n^');
  });

  it('counts lines that end in CRLF', () => {
    expect(report('table t\r\n| limit x')).toMatchObject({ line: 2, column: 9, excerpt: '| limit x\n        ^' });
  });

  it('shortens quoted text and does not fill holes inside of it', () => {
    expect(report(`table ${'x'.repeat(500)}`).message).toBe(`there is no table ${'x'.repeat(200)}…`);
    expect(report('table {name}$&').message).toBe('there is no table {name}$&');
  });
});

describe('Suggestions', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['table t | SORT a', 'sort'],
    ['table t | sor a', 'sort'],
    ['table t | lmiit 1', 'limit'],
    ['table t | xyz 1'],
    ['table t | timecahrt count', 'timechart'],
    ['table T', 't', 'r', 'o'].slice(0, 2) as [string, ...string[]],
    ['table t | search lenn(a)', 'len'],
    ['table t | search conct(a, b)', 'concat'],
    ['table t | lookup user a output dept', 'users'],
    ['table t | lookup users a output depts', 'dept'],
    ['proc bussy(1)', 'busy'],
    ['system node', 'nodes'],
    ['table t | eval n = dateadd(when, "hours", 1)', 'hour'],
    ['table t | import tt', 't'],
    ['table t | stats cuont', 'count'],
    ['table t | parse kw', 'kv'],
    ['table ordre=asc t', 'order'],
  ];
  for (const [text, ...expected] of cases) {
    it(`are near: ${text}`, () => {
      expect(report(text).suggestions).toEqual(expected);
    });
  }

  it('are at most three', () => {
    expect(report('table t | search is(a)').suggestions.length).toBeLessThanOrEqual(3);
    expect(report('table x').suggestions).toHaveLength(3);
  });
});
