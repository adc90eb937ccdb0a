import { takeExpression } from '#query/language/expression-parser.ts';
import { expressionText } from '#query/language/expression-text.ts';
import { orElse, whole } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import { warnOrderedFunctions } from '#query/planning/order-warnings.ts';

export const search = command({
  name: 'search',
  class: 'processing',
  syntax: 'search [offset=0] [limit=N] EXPR',
  summary: 'Keeps the rows for which the expression is true.',
  rules: [
    '`offset=N` drops the first N of these rows; `limit=N` (N ≥ 1, none by default) stops after N further rows, like the command `limit`.',
  ],
  errors: [90008],
  examples: [
    {
      tables: { given: [{ s: 500 }, { s: '404' }, { u: 'x' }, { s: 403 }] },
      query: 'table given | search limit=1 s >= 400 and not(s == 500)',
      normalized: 'table given | search limit=1 (s >= 400) and not(s == 500)',
      gives: [{ s: '404' }],
    },
    {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] },
      query: 'table given | search offset=1 limit=2 n > 1',
      gives: [{ n: 3 }, { n: 4 }],
    },
  ],
  options: { offset: orElse(0n, whole(0)), limit: whole(1) },
  read: (words) => takeExpression(words),
  text: (condition) => expressionText(condition),
  plan(condition, planning) {
    const { offset = 0n, limit } = planning.options;
    const isCut = offset > 0n || limit !== undefined;
    if (isCut) planning.warnUnordered();
    const resolved = planning.expression(condition);
    warnOrderedFunctions([resolved], planning);
    const step = planning.step(planning.rows);
    return { ...step, kind: 'filter', condition: resolved, ...(isCut ? { cut: { offset, limit } } : {}) };
  },
});
