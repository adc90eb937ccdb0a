import { GrowingRows } from '#query/model/columns.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import { warnOrderedFunctions } from '#query/planning/order-warnings.ts';
import { assignmentsText, takeAssignments } from './shared/assignments.ts';

export const evaluate = command({
  name: 'eval',
  class: 'processing',
  syntax: 'eval NAME = EXPR, ...',
  summary: {
    en: 'Computes fields from left to right; later expressions see earlier results.',
    ko: '왼쪽부터 필드를 계산합니다. 뒤의 식은 앞의 결과를 읽습니다.',
  },
  rules: ['An existing field is overwritten and keeps its position; a new field is added at the end.'],
  errors: [20200, 20201],
  examples: [
    {
      tables: { given: [{ n: '4' }, { n: null }] },
      query: 'table given | eval m = n * 2 + 1, tag = concat("#", m), n = null',
      normalized: 'table given | eval m = (n * 2) + 1, tag = concat("#", m), n = null',
      gives: [
        { m: 9, tag: '#9' },
        { m: null, tag: '#' },
      ],
      columns: ['n', 'm', 'tag'],
    },
  ],
  hasAssignments: true,
  read: takeAssignments,
  text: assignmentsText,
  *plan(assignments, planning) {
    const assigned: Assigned[] = [];
    const growing = new GrowingRows(planning.rows);
    for (const { name, value } of assignments) {
      const resolved = yield* planning.expression(value, growing.rows);
      const column = planning.newColumn(name.text, resolved.type);
      assigned.push({ column, value: resolved });
      growing.put(column);
      yield;
    }
    warnOrderedFunctions(
      assigned.map(({ value }) => value),
      planning,
    );
    return { ...planning.step(growing.rows), kind: 'project', assigned };
  },
});
