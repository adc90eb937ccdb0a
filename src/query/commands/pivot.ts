import { fieldsText } from '#query/language/expression-text.ts';
import { flag, value, withoutEffect } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import {
  AGGREGATE_KEYWORDS,
  aggregatesText,
  plannedAggregates,
  takeAggregates,
  takeFieldsAfter,
} from './shared/aggregate-list.ts';
import { ascending, groupKeys } from './shared/grouping.ts';

const KEYWORDS = [...AGGREGATE_KEYWORDS, 'rows', 'cols', 'for'];

export const pivot = command({
  name: 'pivot',
  class: 'transforming',
  syntax: 'pivot [fill=VALUE] [parallel=f] AGG [as F], ... [rows names] cols names',
  summary: 'Outputs one row per combination of the `rows` fields and one column per value of the `cols` fields.',
  rules: [
    '`by` and `for` are accepted instead of `rows` and `cols`. Rows are sorted ascending; without `rows` there is one row; without input there is no row.',
    'Columns are named like those of `timechart`; several `cols` fields are joined with `_`. A cell without rows is null, or the value of `fill`.',
  ],
  errors: [22000, 22001, 22003, 22200, 22201],
  examples: [
    {
      tables: {
        given: [
          { d: 1, m: 'cpu', v: 10 },
          { d: 1, m: 'mem', v: 5 },
          { d: 2, m: 'cpu', v: 20 },
        ],
      },
      query: 'table given | pivot avg(v) by d for m',
      normalized: 'table given | pivot avg(v) rows d cols m',
      gives: [
        { d: 1, cpu: 10, mem: 5 },
        { d: 2, cpu: 20, mem: null },
      ],
      columns: ['d', 'cpu', 'mem'],
    },
  ],
  options: { fill: value, parallel: withoutEffect(flag) },
  read(words) {
    const calls = takeAggregates(words, KEYWORDS);
    const hasRows = words.takeKeyword('rows') || words.takeKeyword('by');
    const rows = hasRows ? takeFieldsAfter(words, KEYWORDS) : [];
    if (!words.takeKeyword('cols') && !words.takeKeyword('for')) {
      throw new QueryError(22200, words.isDone ? words.endSpan : words.token());
    }
    return { calls, rows, cols: takeFieldsAfter(words, KEYWORDS) };
  },
  text({ calls, rows, cols }) {
    const rowsText = rows.length > 0 ? ` rows ${fieldsText(rows, KEYWORDS)}` : '';
    return `${aggregatesText(calls, KEYWORDS)}${rowsText} cols ${fieldsText(cols, KEYWORDS)}`;
  },
  plan({ calls, rows, cols }, planning) {
    const { fill } = planning.options;
    const rowFields = groupKeys(rows, planning);
    const aggregates = plannedAggregates(calls, planning).map((call) => ({ call, output: call.output }));
    const single = rowFields.length > 0 ? undefined : planning.hiddenColumn();
    const order = single === undefined ? ascending(rowFields) : [{ column: single, descending: false }];
    const made = planning.chartColumns();
    const columns = [...rowFields.map(({ column }) => column), ...(made ?? [])];
    return planning.chart({
      ...planning.step({ columns, order, ...(made ? {} : { dynamic: true as const }) }),
      kind: 'pivot',
      aggregates,
      rowFields,
      cols: cols.map((name) => planning.field(name)),
      columns: made ?? [],
      ...(single === undefined ? {} : { single }),
      ...(fill === undefined ? {} : { fill }),
    });
  },
});
