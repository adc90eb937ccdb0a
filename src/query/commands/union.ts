import { command, subqueryText } from '#query/planning/command.ts';
import { mergedRows } from './shared/merging.ts';

export const union = command({
  name: 'union',
  class: 'transforming',
  syntax: 'union [ QUERY ]',
  summary: {
    en: 'Outputs all rows of the input and of the subquery; columns are matched by name, those of the input first.',
    ko: '입력과 서브쿼리의 모든 행을 내보냅니다. 컬럼은 이름으로 맞춥니다.',
  },
  rules: ['The order of rows is lost. The command may begin a query and may be repeated.'],
  errors: [90011],
  examples: [
    {
      tables: { given: [{ a: 1 }], b: [{ a: 'x', z: 2 }] },
      query: 'union [ table given ] | union [ table b ]',
      gives: [{ a: 1 }, { a: 'x', z: 2 }],
      columns: ['a', 'z'],
    },
  ],
  mayBegin: true,
  read: (words, { subquery }) => subquery(words.takeBracket()),
  text: subqueryText,
  subqueries: (query) => [query],
  *plan(query, planning) {
    const { input } = planning.pipeline;
    const right = yield* planning.context.planSubquery(query, planning.constants.copy(), 'subquery');
    const { rows, ...sides } = mergedRows(input?.rows, right.result.rows, { planning });
    return { ...planning.planNode(rows), kind: 'union', right, ...sides, ...(input ? { input } : {}) };
  },
});
