import { command, subqueryText } from '#query/planning/command.ts';
import { mergedRows } from './shared/merging.ts';

export const union = command({
  name: 'union',
  class: 'transforming',
  syntax: 'union [ QUERY ]',
  summary: 'All rows of both; columns are matched by name, the left ones first.',
  rules: ['Order is lost. It may begin a query, and be repeated.'],
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
  plan(query, planning) {
    const { input } = planning.pipeline;
    const right = planning.context.planSubquery(query, planning.constants.copy(), 'subquery');
    const { rows, ...sides } = mergedRows(input?.rows, right.result.rows, { planning });
    return { ...planning.node(rows), kind: 'union', right, ...sides, ...(input ? { input } : {}) };
  },
});
