// Reads and writes `name = expr, …` of eval, evalc and set.

import { EXPRESSION_KEYWORDS, takeExpression } from '#query/language/expression-parser.ts';
import { expressionText, fieldText } from '#query/language/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Expression } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';

export interface Assignment {
  readonly name: Name;
  readonly value: Expression;
}

export function takeAssignments(words: Words): Assignment[] {
  const assignments = [takeAssignment(words)];
  while (words.takeSeparator()) assignments.push(takeAssignment(words));
  return assignments;
}

function takeAssignment(words: Words): Assignment {
  const name = words.takeTarget(
    EXPRESSION_KEYWORDS,
    () => new QueryError(20201, words.isDone ? words.endSpan : words.token()),
  );
  if (words.here !== '=' || words.startsWith('==')) {
    throw new QueryError(20200, words.isDone ? words.endSpan : words.token());
  }
  words.take('=');
  return { name, value: takeExpression(words) };
}

export const assignmentsText = (assignments: readonly Assignment[]): string =>
  assignments
    .map(({ name, value }) => `${fieldText(name.text, EXPRESSION_KEYWORDS)} = ${expressionText(value)}`)
    .join(', ');
