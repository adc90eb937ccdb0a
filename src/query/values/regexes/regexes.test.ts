// Generated regular expressions on both evaluators: matches, groups and replacements.

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { quoted } from '#query/language/strings.ts';
import { QueryError } from '#query/model/query-error.ts';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 200);

const columns = [{ name: 's', type: 'string' }] as const;
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'Abba',
  'a b',
  'a\nb',
  '12a',
  'a.b',
  '한글a',
  '😀b',
  'x-y_z',
  'é',
  'ſK',
  '\t',
  'aaaaaaaaab',
];
const rows = TEXTS.map((s) => ({ s }));

let duckdb: DuckdbRows;

beforeAll(async () => {
  duckdb = await DuckdbRows.open(columns, rows);
});

const { pattern } = fc.letrec<{ pattern: string; term: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 4, arbitrary: fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')) },
    { weight: 1, arbitrary: fc.tuple(tie('term'), tie('term')).map((both) => both.join('|')) },
  ),
  term: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}'))
    .map((both) => both.join('')),
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\w',
      '\\W',
      '\\s',
      '[a-c]',
      '[^a]',
      '[[:alpha:]]',
      '\\pL',
      '[가-힣]',
      '\\.',
      'K',
      '-',
    ),
    fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z', '(?i)', '(?s)', '(?m)', '\\Qa.\\E', '\\x{1F600}'),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?i:${inner})`),
  ),
}));

it('Generated patterns match alike on both evaluators', async () => {
  await fc.assert(
    fc.asyncProperty(pattern, async (source) => {
      const regex = quoted(source);
      for (const text of [`match(s, ${regex})`, `groups(s, ${regex})`, `replace(s, ${regex}, "<$0,$1>", "re")`]) {
        let expression: ReturnType<typeof planned>;
        try {
          expression = planned(text, columns);
        } catch (failure) {
          if (failure instanceof QueryError) return;
          throw failure;
        }
        const found = await duckdb.values(expression);
        const wanted = evaluateLocally(expression, rows);
        const different = wanted.flatMap((value, at) =>
          isSame(value, found[at] ?? null) ? [] : [[TEXTS[at], value, found[at]]],
        );
        expect([text, different]).toEqual([text, []]);
      }
    }),
    { numRuns: RUNS },
  );
});
