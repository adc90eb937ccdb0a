// Lists of names (2.2, 6.2): commas at their ends, repeated names, signs before keys. An outcome is the normalized text
// with the warnings, or the error.

import { describe, expect, it } from 'vitest';
import { check, outcome } from '#test/support/query.ts';

const warnings = (text: string) => check(text).warnings.map(({ code, begin, end }) => `${code} ${begin}..${end}`);

describe('A pipe or a comma too many', () => {
  it.each<[string, string]>([
    ['| table t', 'table t'],
    ['｜ table t', 'table t'],
    ['| # note | table t | join a [ | table r ]', 'table t | join a [ table r ]'],
    ['table t | fields a, b,', 'table t | fields a, b'],
    ['table t | fields - a ,', 'table t | fields - a'],
    ['table t | eval c = a + b,', 'table t | eval c = a + b'],
    ['set k = 1, | table t', 'set k = 1 | table t'],
    ['table t | rename a as x,', 'table t | rename a as x'],
    ['table t | sort a, by b,', 'table t | sort a by b'],
    ['table t | stats count by a,', 'table t | stats count by a'],
    ['table t | pivot count rows a, cols b,', 'table t | pivot count rows a cols b'],
    ['table t | top 1 a, by b,', 'table t | top 1 a by b'],
    ['table t | join a, [ table r ]', 'table t | join a [ table r ]'],
    ['table t | timechart count by b,', 'table t | timechart count by b'],
    ['table t | fields ,', '90201 17..18'],
    ['table t | fields a,,', '90201 19..20'],
    ['table t | eval c = 1,, d = 2', '20201 21..22'],
    ['table t | rename a as x,, b as y', '90201 24..25'],
    ['table t | eval c = len(a,)', '90200 25..26'],
    ['table t | stats count, by a', '22000 23..25'],
  ])('is tolerated at the beginning of a query and the end of a list: %s', (text, expected) => {
    expect(outcome(text)).toBe(expected);
  });
});

describe('A name written twice', () => {
  it.each<[string, string, string[]]>([
    ['table t | fields a, b, a, a', 'table t | fields a, b', ['20100 23..24']],
    ['table t | fields - a, field("a")', 'table t | fields - a', ['20100 22..32']],
    ['table t | order a, a', 'table t | order a', ['20100 19..20']],
    ['table t | dedup a, +b, -a', 'table t | dedup a, b', ['20100 24..25']],
    ['table t | sort -a, b, +a by c, c', 'table t | sort -a, b by c', ['20100 23..24', '22002 31..32']],
    ['table t | top 1 a, a by b, b', 'table t | top 1 a by b', ['20100 19..20', '22002 27..28']],
    ['table t | join a, -a [ table r ]', 'table t | join a [ table r ]', ['20100 19..20']],
    ['table t | prev a, a', 'table t | prev a', ['20100 18..19']],
    ['table t | fillnull a, a', 'table t | fillnull a', ['20100 22..23']],
    ['table t | tojson a, a', 'table t | tojson a', ['20100 20..21']],
    ['table t | rename a as x, b as x', 'table t | rename a as x', ['20301 30..31']],
    ['lookuptable users dept, dept', 'lookuptable users dept', ['20100 24..28']],
    [
      'table t | lookup users a output dept as x, floor as x',
      'table t | lookup users a output dept as x',
      ['20100 52..53'],
    ],
    ['table t | memlookup op=build name=m key=a b, b', 'table t | memlookup op=build name=m key=a b', ['20100 45..46']],
    [
      'table t | stats sum(a) as x, count, max(a) as x, min(a) as x by b, b',
      'table t | stats min(a) as x, count by b',
      ['22002 49..60', '22002 67..68'],
    ],
    ['table t | eventstats count, count', 'table t | eventstats count', ['22002 28..33']],
    [
      'table t | pivot count, count rows a, a cols b, b',
      'table t | pivot count rows a cols b',
      ['22002 23..28', '22002 37..38', '22002 47..48'],
    ],
  ])('counts once: %s', (text, normalized, expected) => {
    expect(outcome(text)).toBe(normalized);
    expect(warnings(text)).toEqual(expected);
    expect(warnings(normalized)).toEqual([]);
  });

  it('stays an error where the names are those of new columns', () => {
    expect(outcome('table t | parsecsv a, a')).toBe('20900 22..23');
    expect(outcome('table t | rex "(?<a>x)(?<a>y)"')).toBe('20501 25..26');
  });
});
