// Warnings accompany queries that run: rows without a defined order (90901), fields that nobody knows (90902).

import { describe, expect, it } from 'vitest';
import { marked } from '#test/support/marked-queries.ts';
import { check } from '#test/support/query.ts';
import { reportOf } from './model/query-error.ts';

/** `code begin..end` of each. */
const warnings = (text: string) => check(text).warnings.map(({ code, begin, end }) => `${code} ${begin}..${end}`);

describe('The order of rows', () => {
  const unordered = [
    'table t | union [ table r ] | «limit 5»',
    'table t | join a [ table r ] | «dedup b»',
    'table t | union [ table r ] | «search limit=1 a»',
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
  ];
  for (const text of unknown) {
    it(`are told: ${text}`, () => {
      const { text: query, begin, end } = marked(text);
      expect(warnings(query)).toEqual([`90902 ${begin}..${end}`]);
    });
  }

  const quiet = [
    'table t | search zzzzzz',
    'table o | search lin',
    'table t | parsekv | search lin',
    'table t | timechart count by b | search _tim',
    'table t | rex "(?<n>x)" | search n',
    'table o | rename zz as n',
    'table t | rex field=lin "(?<n>x)"',
    'table t | eval n = foreach(_1, l)',
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
    expect(warnings(`table t | search ${'wehn or '.repeat(500)}a`)).toHaveLength(100);
  });
});
