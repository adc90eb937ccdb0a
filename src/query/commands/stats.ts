import { about, flag, withoutEffect } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import { groupedRows, groupingText, takeGrouping } from './shared/grouping.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const stats = command({
  name: 'stats',
  class: 'transforming',
  syntax: 'stats [parallel=f] AGG [as F], ... [by names]',
  summary: {
    en: 'Outputs one row per combination of the `by` values, with the aggregates of its rows.',
    ko: '`by` 값의 조합마다 한 행과 그 행들의 집계를 내보냅니다.',
  },
  rules: [
    'Null counts as a value. Rows are sorted by the `by` fields, ascending.',
    'An aggregate named like a `by` field takes the place of its column, with warning 90914; rows are grouped and ordered by the field.',
    'Without `by` there is exactly one row, even without input; with `by` there is no row without input.',
  ],
  errors: [22000, 22001, 22003, 90914],
  examples: [
    {
      tables: { given: [{ u: 'b', n: '2' }, { u: 'a', n: 1 }, { n: 3 }, { u: 'a', n: 'x' }] },
      query: 'table given | stats count, sum(n) as s, count(if(n > 1, 1, null)) as big by u',
      gives: [
        { u: null, count: 1, s: 3, big: 1 },
        { u: 'a', count: 2, s: 1, big: 0 },
        { u: 'b', count: 1, s: 2, big: 1 },
      ],
      columns: ['u', 'count', 's', 'big'],
      pushes: [4, 3],
    },
    {
      tables: {
        given: [
          { u: 'b', n: 1 },
          { u: 'a', n: 5 },
          { u: 'b', n: 2 },
        ],
      },
      query: 'table given | stats count, sum(n) as u by u',
      gives: [
        { u: 5, count: 1 },
        { u: 3, count: 2 },
      ],
      columns: ['u', 'count'],
      warns: [{ code: 90914, begin: 27, end: 38 }],
    },
    { query: 'json "[]" | stats count, sum(n), avg(n)', gives: [{ count: 0, 'sum(n)': 0, 'avg(n)': null }] },
  ],
  options: { parallel: about(withoutEffect(flag), OPTION_SUMMARIES.parallel) },
  read: takeGrouping,
  text: groupingText,
  plan: groupedRows,
});
