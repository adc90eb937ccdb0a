// `name = expr, …` of eval and set.

import type { Expression } from './expression.ts';
import { EXPRESSION_KEYWORDS, takeExpression } from './expression-parser.ts';
import { expressionText, fieldText } from './expression-text.ts';
import { QueryMistake } from './mistake.ts';
import type { Name, Words } from './words.ts';

export interface Assignment {
  readonly name: Name;
  readonly value: Expression;
}

export function takeAssignments(words: Words): Assignment[] {
  const assignments = [takeAssignment(words)];
  while (words.take(',')) assignments.push(takeAssignment(words));
  return assignments;
}

function takeAssignment(words: Words): Assignment {
  const name = words.takeOperandName(
    EXPRESSION_KEYWORDS,
    () => new QueryMistake(20201, words.isDone ? words.endSpan : words.token()),
  );
  if (words.here !== '=' || words.startsWith('==')) {
    throw new QueryMistake(20200, words.isDone ? words.endSpan : words.token());
  }
  words.take('=');
  return { name, value: takeExpression(words) };
}

export const assignmentsText = (assignments: readonly Assignment[]): string =>
  assignments
    .map(({ name, value }) => `${fieldText(name.text, EXPRESSION_KEYWORDS)} = ${expressionText(value)}`)
    .join(', ');
