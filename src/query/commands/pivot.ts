import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, flag, value, withoutEffect } from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import { NAMED_BY_VALUES } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import {
  AGGREGATE_KEYWORDS,
  aggregatesText,
  plannedAggregates,
  takeAggregates,
  takeFieldsAfter,
  warnHiddenKeys,
} from './shared/aggregate-list.ts';
import { ascending, groupedRows, groupKeys } from './shared/grouping.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

const KEYWORDS = [...AGGREGATE_KEYWORDS, 'rows', 'cols', 'for'];

export const pivot = command({
  name: 'pivot',
  class: 'transforming',
  syntax: 'pivot [fill=VALUE] [parallel=f] AGG [as F], ... [rows names] [cols names]',
  summary: {
    en: 'Outputs one row per combination of the `rows` fields and one column per value of the `cols` fields.',
    ko: '`rows` 필드의 조합마다 한 행, `cols` 필드의 값마다 한 컬럼을 내보냅니다.',
  },
  rules: [
    '`by` and `for` are accepted instead of `rows` and `cols`, and the two clauses may change places; a clause twice is 90012. Rows are sorted ascending; without `rows` there is one row; without input there is no row.',
    'Without `cols` the result is that of `stats` with the `rows` fields as `by`, also without input; `fill` has no effect.',
    'Columns are named by the values of `cols`, like those of `timechart`; several `cols` fields are joined with `_`. With several aggregates the names are `ALIAS:VALUE`: `s:cpu`, in expressions `field("s:web-01")` where a name has other characters. A cell without rows is null, or the value of `fill`.',
    'A name of the form `VALUE_ALIAS`, as `timechart` has them, names no column of a pivot with several aggregates (90920).',
  ],
  errors: [22000, 22001, 22003, 22201, 90012, 90914, 90920],
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
    {
      tables: {
        given: [
          { d: 1, m: 'cpu', v: 10 },
          { d: 1, m: 'mem', v: 5 },
          { d: 2, m: 'cpu', v: 20 },
        ],
      },
      query: 'table given | pivot max(v) as v cols m by d',
      normalized: 'table given | pivot max(v) as v rows d cols m',
      gives: [
        { d: 1, cpu: 10, mem: 5 },
        { d: 2, cpu: 20 },
      ],
    },
    {
      tables: {
        given: [
          { d: 1, m: 'cpu' },
          { d: 1, m: 'mem' },
          { d: 2, m: 'cpu' },
        ],
      },
      query: 'table given | pivot count by d',
      normalized: 'table given | pivot count rows d',
      gives: [
        { d: 1, count: 2 },
        { d: 2, count: 1 },
      ],
    },
    {
      tables: {
        given: [
          { d: 1, m: 'cpu' },
          { d: 1, m: 'mem' },
          { d: 2, m: 'cpu' },
        ],
      },
      query: 'table given | pivot count for m',
      normalized: 'table given | pivot count cols m',
      gives: [{ cpu: 2, mem: 1 }],
    },
    {
      tables: {
        given: [
          { d: 1, m: 'cpu', v: 10 },
          { d: 1, v: 5 },
          { d: 2, m: '', v: 20 },
        ],
      },
      query: 'table given | pivot sum(v) as s, count rows d cols m | eval t = nvl(s:cpu, 0) + nvl(s:null, 0)',
      gives: [
        { d: 1, 's:cpu': 10, 'count:cpu': 1, 's:null': 5, 'count:null': 1, t: 15 },
        { d: 2, 's:empty': 20, 'count:empty': 1, t: 0 },
      ],
      columns: ['d', 's:empty', 'count:empty', 's:cpu', 'count:cpu', 's:null', 'count:null', 't'],
    },
    {
      tables: { given: [{ m: 'cpu', v: 10 }] },
      query: 'table given | pivot sum(v) as s, count cols m | eval t = nvl(cpu_s, 0)',
      gives: [{ 's:cpu': 10, 'count:cpu': 1, t: 0 }],
      warns: [{ code: 90920, begin: 61, end: 66, hints: [91060] }],
    },
  ],
  options: {
    fill: about(value, OPTION_SUMMARIES.fill),
    parallel: about(withoutEffect(flag), OPTION_SUMMARIES.parallel),
  },
  *read(words) {
    const calls = yield* takeAggregates(words, KEYWORDS);
    const { rows = [], cols = [] } = yield* takeClauses(words);
    if (cols.length === 0) warnHiddenKeys(rows, calls, words);
    return { calls, rows, cols };
  },
  text({ calls, rows, cols }) {
    const rowsText = rows.length > 0 ? ` rows ${fieldsText(rows, KEYWORDS)}` : '';
    const colsText = cols.length > 0 ? ` cols ${fieldsText(cols, KEYWORDS)}` : '';
    return `${aggregatesText(calls, KEYWORDS)}${rowsText}${colsText}`;
  },
  *plan({ calls, rows, cols }, planning) {
    const { fill } = planning.options;
    if (cols.length === 0) return yield* groupedRows({ calls, by: rows }, planning);
    const rowFields = yield* groupKeys(rows, planning);
    const planned = yield* plannedAggregates(calls, planning);
    const aggregates = planned.map((call) => ({ call, output: call.output }));
    const single = rowFields.length > 0 ? undefined : planning.hiddenColumn();
    const order = single === undefined ? ascending(rowFields) : [{ column: single, descending: false }];
    const made = planning.chartColumns();
    const columns = [...rowFields.map(({ column }) => column), ...(made?.columns ?? [])];
    const named = {
      ...NAMED_BY_VALUES,
      ...(aggregates.length > 1 ? { pivotAliases: aggregates.map(({ output }) => output) } : {}),
    };
    return planning.chart({
      ...planning.step({ columns, order, ...(made ? {} : { dynamic: true as const }), ...named }),
      kind: 'pivot',
      aggregates,
      rowFields,
      cols: yield* mapSliced(cols, (name) => planning.field(name)),
      columns: made?.columns ?? [],
      ...(made ? { found: made.found } : {}),
      ...(single === undefined ? {} : { single }),
      ...(fill === undefined ? {} : { fill }),
    });
  },
});

interface Clauses {
  readonly rows?: readonly Name[];
  readonly cols?: readonly Name[];
}

const CLAUSES: Readonly<Record<string, keyof Clauses>> = { rows: 'rows', by: 'rows', cols: 'cols', for: 'cols' };

/** In either order; a clause that is written twice is 90012. */
function* takeClauses(words: Words, taken: Clauses = {}): SlicedWork<Clauses> {
  const token = words.isDone ? undefined : words.token();
  const keyword = Object.keys(CLAUSES).find((one) => words.isKeyword(one));
  const clause = keyword === undefined ? undefined : CLAUSES[keyword];
  if (!token || keyword === undefined || clause === undefined) return taken;
  if (taken[clause]) throw new QueryError(90012, token);
  words.takeKeyword(keyword);
  return yield* takeClauses(words, { ...taken, [clause]: yield* takeFieldsAfter(words, KEYWORDS) });
}
