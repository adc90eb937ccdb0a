import { withColumns } from '#query/model/columns.ts';
import { command } from '#query/planning/command.ts';
import { groupingText, plannedGrouping, takeGrouping } from './shared/grouping.ts';

export const eventstats = command({
  name: 'eventstats',
  class: 'transforming',
  syntax: 'eventstats AGG [as F], ... [by names]',
  summary: {
    en: 'Keeps every row, in its order, and adds the aggregates of its group.',
    ko: '모든 행을 순서대로 두고 그룹의 집계를 더합니다.',
  },
  rules: ['Existing fields of the same names are overwritten.'],
  errors: [22000, 22001, 22003, 90914],
  examples: [
    {
      tables: {
        given: [
          { u: 'a', n: 1 },
          { u: 'b', n: 5 },
          { u: 'a', n: 3 },
        ],
      },
      query: 'table given | eventstats avg(n) as m, count by u | search n > m',
      gives: [{ u: 'a', n: 3, m: 2, count: 2 }],
      pushes: [3, 3, 1],
    },
  ],
  read: takeGrouping,
  text: groupingText,
  *plan(grouping, planning) {
    const grouped = yield* plannedGrouping(grouping, planning);
    const rows = withColumns(
      planning.rows,
      grouped.aggregates.map(({ column }) => column),
    );
    return { ...planning.step(rows), kind: 'eventstats', ...grouped };
  },
});
