import { aggregateNamed } from '#query/functions/index.ts';
import { QUARTILES } from '#query/functions/statistics.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { command } from '#query/planning/command.ts';
import { AGGREGATE_KEYWORDS } from './shared/aggregate-list.ts';
import { byText, numberOf, plannedStatistics, requireFreeNames, takeBy } from './shared/statistics.ts';

const COLUMNS = ['count', 'min', 'iqr1', 'iqr2', 'iqr3', 'max'];

export const boxplot = command({
  name: 'boxplot',
  class: 'transforming',
  syntax: 'boxplot EXPR [by names]',
  summary: {
    en: 'Outputs count, minimum, quartiles and maximum of the numbers, for each combination of the `by` values.',
    ko: '`by` 값의 조합마다 수의 개수, 최솟값, 사분위수, 최댓값을 내보냅니다.',
  },
  rules: [
    'The columns are count, min, iqr1, iqr2, iqr3 and max; the quartiles are those of `percentile(x, 25)`, 50 and 75. Rows and their order are those of `stats`.',
    'A text that is a number counts; without a number count is 0 and the others are null.',
  ],
  errors: [22003, 22004],
  examples: [
    {
      tables: {
        given: [
          { g: 'a', n: 10 },
          { g: 'a', n: '20' },
          { g: 'a', n: 30 },
          { g: 'a', n: 40 },
          { g: 'b', n: 'x' },
        ],
      },
      query: 'table given | boxplot n + 0 by g',
      gives: [
        { g: 'a', count: 4, min: 10, iqr1: 17.5, iqr2: 25, iqr3: 32.5, max: 40 },
        { g: 'b', count: 0 },
      ],
      columns: ['g', 'count', 'min', 'iqr1', 'iqr2', 'iqr3', 'max'],
      pushes: [5, 2],
    },
    {
      tables: { given: [{ n: 'x' }, { n: '2' }, { n: 1.5 }, { n: null }, { n: true }] },
      query: 'table given | boxplot n',
      gives: [{ count: 2, min: 1.5, iqr1: 1.625, iqr2: 1.75, iqr3: 1.875, max: 2 }],
    },
    {
      query: 'json "{n: 1}" | eval t = date("2026-11-15") | boxplot t',
      gives: [{ count: 0 }],
    },
    { query: 'json "[]" | boxplot n', gives: [{ count: 0 }] },
    { query: 'json "{n: 1}" | boxplot n by', refused: { code: 22003, begin: 28, end: 28 } },
    { query: 'json "{n: 1}" | boxplot n by count', refused: { code: 22004, begin: 29, end: 34 } },
  ],
  *read(words) {
    const value = yield* takeExpression(words, { keywords: AGGREGATE_KEYWORDS, aggregate: 90307 });
    const by = yield* takeBy(words);
    requireFreeNames(by, COLUMNS);
    return { value, by };
  },
  text: ({ value, by }) => `${expressionText(value, AGGREGATE_KEYWORDS)}${byText(by)}`,
  *plan({ value, by }, planning) {
    const number = numberOf(yield* planning.expression(value));
    const called = {
      count: aggregateNamed('count'),
      min: aggregateNamed('min'),
      ...QUARTILES,
      max: aggregateNamed('max'),
    };
    return yield* plannedStatistics({ by, called, args: [number] }, planning);
  },
});
