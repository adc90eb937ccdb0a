import { aggregateNamed } from '#query/functions/index.ts';
import { PAIR_COUNT, REGRESSION } from '#query/functions/statistics.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { command } from '#query/planning/command.ts';
import { AGGREGATE_KEYWORDS } from './shared/aggregate-list.ts';
import { asDouble, byText, numberOf, plannedStatistics, requireFreeNames, takeBy } from './shared/statistics.ts';

const COLUMNS = ['count', 'slope', 'intercept', 'r2', 'stderr'];

export const linearreg = command({
  name: 'linearreg',
  class: 'transforming',
  syntax: 'linearreg F, F [by names]',
  summary: {
    en: 'Fits a line through the points of two fields, x and then y, for each combination of the `by` values.',
    ko: '`by` 값의 조합마다 두 필드 x, y의 점에 직선을 맞춥니다.',
  },
  rules: [
    'The columns are count (rows in which both are numbers), slope, intercept, r2 (the square of the correlation) and stderr (of the residuals; null below 3 rows). What is undefined is null. Rows and their order are those of `stats`.',
  ],
  errors: [22003, 22004],
  examples: [
    {
      tables: { given: [{ x: 1, y: 1 }, { x: 2, y: 3 }, { x: 3, y: 2 }, { x: 4 }] },
      query: 'table given | linearreg x, y',
      gives: [{ count: 3, slope: 0.5, intercept: 1, r2: 0.25, stderr: 1.224744871391589 }],
      columns: ['count', 'slope', 'intercept', 'r2', 'stderr'],
    },
    {
      tables: {
        given: [
          { g: 'a', x: '1', y: 3 },
          { g: 'a', x: 2, y: 5 },
          { g: 'a', x: 3, y: 7 },
          { g: 'b', x: 1, y: 1 },
          { g: 'b', x: 1, y: 2 },
          { g: 'c', x: 'x', y: 2 },
        ],
      },
      query: 'table given | linearreg x, y by g',
      gives: [
        { g: 'a', count: 3, slope: 2, intercept: 1, r2: 1, stderr: 0 },
        { g: 'b', count: 2 },
        { g: 'c', count: 0 },
      ],
      pushes: [6, 3],
    },
    { query: 'json "{x: 1}" | linearreg x', refused: { code: 99000, begin: 27, end: 27 } },
    { query: 'json "{x: 1}" | linearreg x, y, z', refused: { code: 90012, begin: 30, end: 31 } },
  ],
  *read(words) {
    const missing = () => words.tooFew({ term: 'field' });
    const x = words.takeName(AGGREGATE_KEYWORDS, missing);
    if (!words.take(',')) throw words.tooFew({ term: 'field' });
    const y = words.takeName(AGGREGATE_KEYWORDS, missing);
    const by = yield* takeBy(words);
    requireFreeNames(by, COLUMNS);
    return { x, y, by };
  },
  text: ({ x, y, by }) => `${fieldsText([x, y], AGGREGATE_KEYWORDS)}${byText(by)}`,
  *plan({ x, y, by }, planning) {
    const args = [x, y].map((name) => asDouble(numberOf(planning.field(name))));
    const called = { count: PAIR_COUNT, slope: aggregateNamed('slope'), ...REGRESSION };
    return yield* plannedStatistics({ by, called, args }, planning);
  },
});
