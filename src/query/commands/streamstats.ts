import { about, whole } from '#query/language/option-readers.ts';
import { withColumns } from '#query/model/columns.ts';
import { command } from '#query/planning/command.ts';
import { groupingText, plannedGrouping, takeGrouping } from './shared/grouping.ts';
import { inSequence } from './shared/sequences.ts';

export const streamstats = command({
  name: 'streamstats',
  class: 'transforming',
  syntax: 'streamstats [window=N] AGG [as F], ... [by names]',
  summary: {
    en: 'Keeps every row, in its order, and adds the aggregates of the rows of its group so far, itself included.',
    ko: '모든 행을 순서대로 두고 지금까지 그룹 행의 집계를 더합니다.',
  },
  rules: [
    '`window=N` limits that to the last N rows. Existing fields of the same names are overwritten.',
    'Rows that are equal in the preceding order keep the order in which they were read; a later `limit` does not end the input early. Lists (`array`, `values`) without `window` grow with every row: those of all rows have at most 1,000,000 elements together (93011) and 256 MiB (93003).',
  ],
  errors: [22000, 22001, 22003, 23000, 90914],
  examples: [
    {
      tables: {
        given: [
          { u: 'a', n: 1 },
          { u: 'b', n: 5 },
          { u: 'a', n: 3 },
          { u: 'a', n: 10 },
        ],
      },
      query: 'table given | streamstats window=2 sum(n) as s, count by u',
      gives: [
        { u: 'a', n: 1, s: 1, count: 1 },
        { u: 'b', n: 5, s: 5, count: 1 },
        { u: 'a', n: 3, s: 4, count: 2 },
        { u: 'a', n: 10, s: 13, count: 2 },
      ],
    },
  ],
  options: {
    window: about(whole(1, 23000), {
      en: 'Number of the last rows that count.',
      ko: '계산에 쓸 마지막 행의 수입니다.',
    }),
  },
  read: takeGrouping,
  text: groupingText,
  *plan(grouping, planning) {
    planning.warnUnordered();
    const grouped = yield* plannedGrouping(grouping, planning, { hasWarnedOrder: true });
    const { window } = planning.options;
    const made = withColumns(
      planning.rows,
      grouped.aggregates.map(({ column }) => column),
    );
    const { rows, sequence } = inSequence(made, planning);
    const frame = window === undefined ? {} : { window };
    return { ...planning.step(rows), kind: 'streamstats', ...grouped, ...frame, sequence };
  },
});
