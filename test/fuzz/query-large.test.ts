// Texts as long as a query may be, made to be slow or deep. None may take long: a front end that is not linear in the
// text runs into the time limit of these tests, and one that recurses over it into the end of its stack.

import { describe, expect, it } from 'vitest';
import { MAX_LENGTH } from '#query/language/command-texts.ts';
import { outcome, queryErrorIn } from '#test/support/query.ts';

/** A full megabyte for each in `npm run test:fuzz`, which also says how many smaller inputs there are. */
const LENGTH = process.env.VIGIL_FUZZ_INPUTS ? MAX_LENGTH : MAX_LENGTH / 8;

/** What is repeated, with what stands before and after. A number sign stands for the number of the repetition. */
const REPEATED: readonly (readonly [before: string, repeated: string, after?: string])[] = [
  ['', '|'],
  ['', ' '],
  ['table t', ' | # x'],
  ['table t', '|bypass'],
  ['table t', '|[]'],
  ['table t | ', '[', ']'],
  ['# ', '['],
  ['# ', '"'],
  ['# ', '\\"'],
  ['# ', '"|" '],
  ['# ', '“”\n'],
  ['', '“|”'],
  ['', '\u00a0'],
  ['table t | search ', '('],
  ['table t | search ', '(', 'a'],
  ['table t | search ', '-', 'a'],
  ['table t | search ', 'not('],
  ['table t | search ', 'not '],
  ['table t | search a', ' or a'],
  ['table t | search a', ' and a == "x*"'],
  ['table t | search a', ' + 1'],
  ['table t | search a', ' == 1'],
  ['table t | search a == ', '"'],
  ['table t | search a == "', '*', '"'],
  ['table t | search a == "', '\\\\', '"'],
  ['table t | search a == "', 'e\u0301', '"'],
  ['table t | search in(a', ', "x*"', ')'],
  ['table t | search ', 'concat(a, '],
  ['table t | search ', '$("p", '],
  ['table t | search ', 'é'],
  ['table t | search 1', '0'],
  ['table t | search zz#', ' or zz# == a'],
  ['table t | eval n#=1', ', n#=n#'],
  ['table t | eval a=1', ', a=a+1'],
  ['table t | eval n#=1', ', n#=$("k#", 1)'],
  ['set k#=1', ', k#=$("k#")', ' | table t'],
  ['table t | rename a as n0', ', n# as m#'],
  ['table o | rename a as n0', ', n# as m#'],
  ['table t | fields ', 'f#,', 'a'],
  ['table o | fields - ', 'f#,', 'a | fields f1, f2'],
  ['table t | order ', 'f#,', 'a'],
  ['table t | sort a', ', -b'],
  ['table t | stats count', ', sum(a) as n#'],
  ['table t | stats ', 'count as n#,', ' sum(a) / count'],
  ['table t | timechart ', 'limit=1 '],
  ['table t | timechart ', 'limit=1 ', ' count'],
  ['table ', 't,', 't'],
  ['table ', 'duration='],
  ['fulltext ', '('],
  ['fulltext ', 'not ', '"x"'],
  ['fulltext ', 'not (', '"x"'],
  ['fulltext ', 'not ', `${'('.repeat(LENGTH / 8)}"x"${')'.repeat(LENGTH / 8)}`],
  ['fulltext "x"', ' or "y"'],
  ['json "', '[', '"'],
  ['json "[', '{a#:1},', '{}]"'],
  ['json "', "'", '"'],
  ['table t | rex "', '(?<n#>x)', '"'],
  ['table t | rex "', '(', '"'],
  ['table t | rex "', '[', '"'],
  ['table t | rex "(?<a>', 'x{1000}', ')"'],
  ['table t | rex "(?<n>e\u0301)', '(?<n#>e\u0301)', '"'],
  ['table t | search match(a, "', '\\\\', '")'],
  ['table t | search date(b, "', "y'", '")'],
  ['table t | parse "a*" as n0', ', "b*" as n#'],
  ['table t | lookup users a output dept', ', dept as n#'],
  ['union ', '[ union ', '[ table t ]'],
];

describe('The largest queries', () => {
  for (const [before, repeated, after = ''] of REPEATED) {
    it(`are answered: ${before}(${repeated})*${after.slice(0, 40)}`, () => {
      const text = filled(before, repeated, after);
      expect(text.length).toBeLessThanOrEqual(LENGTH);
      const mistake = queryErrorIn(text);
      expect(mistake?.begin ?? 0).toBeLessThanOrEqual(text.length);
    });
  }

  it('are refused when they are too long, too deep or too many commands', () => {
    expect(outcome(' '.repeat(MAX_LENGTH + 1))).toBe(`90009 ${MAX_LENGTH}..${MAX_LENGTH + 1}`);
    expect(outcome(`${'union [ '.repeat(33)}table t${' ]'.repeat(33)}`)).toBe('90009 262..263');
    expect(outcome(`${'union [ '.repeat(32)}table t${' ]'.repeat(32)}`)).toContain('table t');
    expect(outcome(`table t${' | bypass'.repeat(256)}`)).toBe('90009 2305..2311');
    expect(outcome(`table t${' | # x | bypass'.repeat(255)}`)).toContain('bypass');
    expect(outcome(`proc busy(1)${' | bypass'.repeat(254)}`)).toBe('90009 5..9');
    expect(outcome(`proc busy(1)${' | bypass'.repeat(253)}`)).toContain('bypass');
  });

  it('are refused when the pattern of a date is too long to be kept', () => {
    expect(outcome(`table t | eval n = string(when, "${'-'.repeat(1001)}")`)).toBe('90009 33..1034');
    expect(outcome(`table t | eval n = date(b, "${'ddMM'.repeat(250)}")`)).toContain('ddMM');
  });

  it('are refused when their expressions are too deep, at the place that is', () => {
    expect(outcome(`table t | search ${'not('.repeat(256)}a${')'.repeat(256)}`)).toBe('90009 17..1298');
    expect(outcome(`table t | search ${'not('.repeat(255)}a${')'.repeat(255)}`)).toContain('not(a)');
    expect(outcome(`table t | search ${'('.repeat(5000)}a${')'.repeat(5000)}`)).toBe('table t | search a');
    expect(outcome(`fulltext ${'not '.repeat(300)}"a"`)).toMatch(/^90009 /);
  });
});

function filled(before: string, repeated: string, after: string): string {
  const room = LENGTH - before.length - after.length;
  const pieces: string[] = [];
  for (let length = 0, index = 0; ; index += 1) {
    const piece = repeated.replaceAll('#', repeated.includes('# x') ? '#' : String(index));
    length += piece.length;
    if (length > room) break;
    pieces.push(piece);
  }
  return `${before.replaceAll('#', before.startsWith('#') ? '#' : '0')}${pieces.join('')}${after}`;
}
