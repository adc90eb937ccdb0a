import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, oneOf, orElse } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { AGGREGATE_KEYWORDS } from './shared/aggregate-list.ts';
import { ascending, groupKeys } from './shared/grouping.ts';
import { asDouble, byText, numberOf, requireFreeNames, takeBy } from './shared/statistics.ts';

const COLUMNS = ['x', 'y', 'count', 'corr'];
const MIN_FIELDS = 2;
const MAX_FIELDS = 50;

export const correlation = command({
  name: 'correlation',
  class: 'transforming',
  syntax: 'correlation [method=pearson] names [by names]',
  summary: {
    en: 'Outputs one row for each pair of fields with their correlation, for each combination of the `by` values.',
    ko: '`by` 값의 조합마다 필드 쌍의 상관계수를 한 행씩 내보냅니다.',
  },
  rules: [
    'The columns are x and y (names of the fields), count (rows in which both are numbers) and corr (as `corr(x, y)`). 2 to 50 fields. Rows are sorted by the `by` fields, then in the order in which the pairs are written; without input there is no row.',
    '`method=spearman` takes the ranks of the values among the rows in which both are numbers; equal values have the mean of their ranks.',
  ],
  errors: [22003, 22004, 90009],
  examples: [
    {
      tables: {
        given: [
          { a: 1, b: 2, c: 3 },
          { a: 2, b: 40, c: 1 },
          { a: 3, b: 600 },
        ],
      },
      query: 'table given | correlation method=spearman a, b, c',
      gives: [
        { x: 'a', y: 'b', count: 3, corr: 1 },
        { x: 'a', y: 'c', count: 2, corr: -1 },
        { x: 'b', y: 'c', count: 2, corr: -1 },
      ],
      columns: ['x', 'y', 'count', 'corr'],
    },
    {
      tables: {
        given: [
          { g: 'u', a: 1, b: '2', c: 3 },
          { g: 'u', a: 2, b: 4, c: 3 },
          { g: 'v', a: 'x', b: 1, c: 1 },
        ],
      },
      query: 'table given | correlation a, b, c, by g',
      normalized: 'table given | correlation a, b, c by g',
      gives: [
        { g: 'u', x: 'a', y: 'b', count: 2, corr: 1 },
        { g: 'u', x: 'a', y: 'c', count: 2 },
        { g: 'u', x: 'b', y: 'c', count: 2 },
        { g: 'v', x: 'a', y: 'b', count: 0 },
        { g: 'v', x: 'a', y: 'c', count: 0 },
        { g: 'v', x: 'b', y: 'c', count: 1 },
      ],
      pushes: [3, 6],
    },
    {
      tables: { given: [{ a: 1, b: 3 }, { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 4, b: '7' }, { b: 9 }] },
      query: 'table given | correlation method=spearman a, b | fields count, corr',
      gives: [{ count: 4, corr: 0.632455532033676 }],
    },
    { query: 'json "[]" | correlation a, b', gives: [] },
    { query: 'json "{a: 1}" | correlation a', refused: { code: 99000, begin: 29, end: 29 } },
  ],
  options: {
    method: about(orElse('pearson', oneOf(['pearson', 'spearman'])), {
      en: 'Correlation of the values, or of their ranks.',
      ko: '값의 상관 또는 순위의 상관입니다.',
    }),
  },
  *read(words) {
    const fields = yield* words.takeNames(AGGREGATE_KEYWORDS, () => words.tooFew({ term: 'field' }));
    if (fields.length < MIN_FIELDS) throw words.tooFew({ term: 'field' });
    const beyond = fields[MAX_FIELDS];
    if (beyond) throw new QueryError(90009, beyond, { what: { term: 'work' }, n: fields.length, max: MAX_FIELDS });
    const by = yield* takeBy(words);
    requireFreeNames(by, COLUMNS);
    return { fields, by };
  },
  text: ({ fields, by }) => `${fieldsText(fields, AGGREGATE_KEYWORDS)}${byText(by)}`,
  *plan({ fields, by }, planning) {
    const keys = yield* groupKeys(by, planning);
    const values = fields.map((name) => ({
      column: planning.newColumn(name.text, 'double'),
      value: asDouble(numberOf(planning.field(name))),
    }));
    const columns = {
      x: planning.newColumn('x', 'string'),
      y: planning.newColumn('y', 'string'),
      count: planning.newColumn('count', 'long'),
      corr: planning.newColumn('corr', 'double'),
    };
    const index = planning.hiddenColumn();
    const order = [...ascending(keys), { column: index, descending: false }];
    const rows = { columns: [...keys.map(({ column }) => column), ...Object.values(columns)], order };
    const { method = 'pearson' } = planning.options;
    return { ...planning.step(rows), kind: 'correlation', method, by: keys, fields: values, columns, index };
  },
});
