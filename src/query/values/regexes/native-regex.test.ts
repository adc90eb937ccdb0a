// The native engine gives what RE2 gives, in time that is linear in the text.

import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { nativeRegex } from './native-regex.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 4000);

const atom = fc.constantFrom(
  'a',
  'b',
  'k',
  'S',
  '\\d',
  '\\s',
  '\\.',
  '[a-c]',
  '[^b]',
  '[0-9x]',
  '.',
  '-',
  '=',
  '^',
  '$',
  '\\w',
);
const quantifier = fc.constantFrom('', '', '', '?', '+', '*', '+?', '*?', '{2}', '{1,3}', '??');
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('term'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((all) => all.map((terms) => terms.join('')).join('|')),
  term: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atom, quantifier).map((both) => both.join('')),
    fc.tuple(tie('pattern'), fc.constantFrom('', '?')).map(([inner, mark]) => `(${inner})${mark}`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?<n>${inner})`),
  ),
}));
const subject = fc.array(fc.constantFrom(...'abkKsSxX09 .-=\n\u212aſ한😀')).map((all) => all.join(''));

const re2Captures = (source: string, text: string): (string | null)[] | undefined => {
  const regex = RE2JS.compile(source);
  const matcher = regex.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: regex.groupCount() + 1 }, (_, at) => matcher.group(at) || null);
};

describe('The native engine', () => {
  it('finds the matches and captures of RE2', () => {
    let tried = 0;
    fc.assert(
      fc.property(pattern, fc.boolean(), subject, (source, isFolded, text) => {
        const whole = `${isFolded ? '(?i)' : ''}${source}`;
        const native = nativeRegex(whole);
        if (!native) return;
        let wanted: ReturnType<typeof re2Captures>;
        try {
          wanted = re2Captures(whole, text);
        } catch {
          return; // A name twice, which the check of a query refuses.
        }
        tried += 1;
        const found = native.regex.exec(text);
        expect(found ? [...found].map((group) => group || null) : undefined).toEqual(wanted);
      }),
      { numRuns: RUNS },
    );
    expect(tried).toBeGreaterThan(RUNS / 50);
  });

  it.each([
    '(?i)bot|crawl(er)?/[0-9]+',
    'err(or)?: (\\d+)',
    '^GET /api/',
    'status=\\d+ ',
    'user="[^"]*" id=(\\d+)',
    '(?<y>\\d{4})-(?<m>\\d{2})',
    '한글|[a-f]{8}',
  ])('takes %s', (source) => {
    expect(nativeRegex(source)).toBeDefined();
  });

  it.each([
    '(a+)+b',
    'a*a*b',
    'a+b',
    '.*x',
    '(a|b)*c',
    '(?:a?){20}',
    'a?a?a?a?a?a?a?aaaaaaa',
    '(?i)\\w',
    '(?i)[^k]',
    '(?s).',
    '\\bx',
    '(?i)é',
    '[[:alpha:]]',
    '\\pL',
    'x\\d+\\d',
    'a{2,}',
    '(x+|y)z',
    '\\d+-',
    '([0-9x]*?)?|a',
    '(a?|b)?',
  ])('leaves %s to RE2', (source) => {
    expect(nativeRegex(source)).toBeUndefined();
  });
});
