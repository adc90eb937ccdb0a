import { takeExpression } from '#query/language/expression-parser.ts';
import { expressionText } from '#query/language/expression-text.ts';
import { whole } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import { warnOrderedFunctions } from '#query/planning/order-warnings.ts';

export const search = command({
  name: 'search',
  class: 'processing',
  syntax: 'search [limit=N] EXPR',
  summary: 'Keeps the rows for which the expression is true.',
  rules: ['`limit=N` (N ≥ 1, none by default) stops after N rows, like the command `limit`.'],
  errors: [90008],
  examples: [
    {
      tables: { given: [{ s: 500 }, { s: '404' }, { u: 'x' }, { s: 403 }] },
      query: 'table given | search limit=1 s >= 400 and not(s == 500)',
      normalized: 'table given | search limit=1 (s >= 400) and not(s == 500)',
      gives: [{ s: '404' }],
    },
  ],
  options: { limit: whole(1) },
  read: (words) => takeExpression(words),
  text: (condition) => expressionText(condition),
  plan(condition, planning) {
    const { limit } = planning.options;
    if (limit !== undefined) planning.warnUnordered();
    const resolved = planning.expression(condition);
    warnOrderedFunctions([resolved], planning);
    const step = planning.step(planning.rows);
    return { ...step, kind: 'filter', condition: resolved, ...(limit === undefined ? {} : { limit }) };
  },
});
