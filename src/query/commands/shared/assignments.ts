// Reads and writes `name = expr, …` of eval, evalc and set.

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { assignedText, EXPRESSION_KEYWORDS, expressionText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Expression } from '#query/model/expression.ts';
import { type Hint, QueryError } from '#query/model/query-error.ts';

export interface Assignment {
  readonly name: Name;
  readonly value: Expression;
}

export function* takeAssignments(words: Words): SlicedWork<readonly Assignment[]> {
  const assignments: Assignment[] = [];
  do {
    assignments.push(yield* takeAssignment(words));
    yield;
  } while (words.takeSeparator());
  return assignments;
}

function* takeAssignment(words: Words): SlicedWork<Assignment> {
  const name = words.takeTarget(
    EXPRESSION_KEYWORDS,
    () => new QueryError(20201, words.isDone ? words.endSpan : words.token()),
  );
  if (words.here !== '=' || words.startsWith('==')) throw noAssignment(words, name);
  words.take('=');
  return { name, value: yield* takeExpression(words) };
}

function noAssignment(words: Words, name: Name): QueryError {
  const hints: Hint[] = [];
  if (words.startsWith('==')) hints.push({ code: 91034, values: { name: name.text }, replacement: '=' });
  const more = words.match(FURTHER_WORDS);
  if (more) hints.push({ code: 91041, values: { name: `${name.text} ${more.trim()}` } });
  const span = words.startsWith('==') ? { begin: words.at, end: words.at + 2 } : words.token();
  return new QueryError(20200, words.isDone ? words.endSpan : span, {}, { hints });
}

/** The further words of a name with blanks, before its `=`. */
const FURTHER_WORDS = /[\p{L}\p{Nd}_@.:-]{1,40}(?:[ \t][\p{L}\p{Nd}_@.:-]{1,40}){0,4}[ \t]*(?==(?!=))/uy;

export function* assignmentsText(assignments: readonly Assignment[]): SlicedWork<string> {
  const texts = yield* mapSliced(
    assignments,
    ({ name, value }) => `${assignedText(name.text, EXPRESSION_KEYWORDS)} = ${expressionText(value)}`,
  );
  return texts.join(', ');
}
