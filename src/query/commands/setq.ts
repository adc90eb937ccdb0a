import { isClosed, SERVICE_COLUMNS } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command, subqueryText } from '#query/planning/command.ts';
import { passedOn } from './set.ts';

export const setq = command({
  name: 'setq',
  class: 'processing',
  syntax: 'setq [ QUERY ]',
  summary: {
    en: 'Runs the subquery before all other commands; the fields of its first row become parameters.',
    ko: '서브쿼리를 먼저 실행하며, 첫 행의 필드가 매개변수가 됩니다.',
  },
  rules: [
    'If it has no rows, each of its known columns becomes a null parameter. Rows pass unchanged.',
    'The row has at most 1,048,576 characters (90009).',
  ],
  errors: [90011, 90402],
  examples: [
    {
      tables: { given: [{ s: 3 }, { s: 9 }] },
      query: 'setq [ table given | stats max(s) as m ] | table given | search s >= $("m") * 0.9',
      normalized: 'setq [ table given | stats max(s) as m ] | table given | search s >= ($("m") * 0.9)',
      gives: [{ s: 9 }],
    },
  ],
  mayPrecedeDriver: true,
  read: (words, { subquery }) => subquery(words.takeBracket()),
  text: subqueryText,
  subqueries: (query) => [query],
  *plan(query, planning) {
    const plan = yield* planning.context.planSubquery(query, planning.constants.copy(), 'setq');
    const { rows } = plan.result;
    const worked = planning.setqResult(plan);
    for (const { name, type } of rows.columns) {
      if (SERVICE_COLUMNS.includes(name)) continue;
      if (name.startsWith('_')) throw new QueryError(90402, planning.span, { name });
      planning.constants.set(name, type, worked ? (worked.get(name) ?? null) : undefined);
    }
    for (const [name, value] of worked ?? []) {
      if (!name.startsWith('_')) planning.constants.set(name, 'any', value);
    }
    if (!isClosed(rows)) planning.constants.openUp(worked !== undefined);
    planning.pipeline.steps.push({ kind: 'setq', query: plan, ...(worked ? { row: worked } : {}) });
    return passedOn(planning);
  },
});
