// Reads the arguments of a call that is no operand of an expression: an aggregate, a range, a procedure.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Words } from '#query/language/words.ts';
import type { Expression } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type ExpressionContext, takeExpression } from './expression-parser.ts';
import { type CallArgument, type CalledDeclaration, positioned, takeParameterName } from './named-arguments.ts';

/**
 * Reads the arguments of a call; the next character is the opening parenthesis, `end` the position after the closing
 * one. `called` where they may have names.
 */
export function* takeArguments(
  words: Words,
  context: ExpressionContext,
  called?: CalledDeclaration,
): SlicedWork<{ args: readonly Expression[]; end: number }> {
  const opened = { begin: words.at, end: words.at + 1 };
  const given: CallArgument[] = [];
  do {
    words.moveTo(words.at + 1);
    if (words.here === ')' && given.length === 0) break;
    if (words.isDone) throw new QueryError(90202, opened);
    const name = called && takeParameterName(words, called, given);
    given.push({ ...(name ? { name } : {}), expression: yield* takeExpression(words, context) });
  } while (words.here === ',');
  if (words.here !== ')') throw words.isDone ? new QueryError(90202, opened) : words.unexpected();
  const end = words.at + 1;
  words.moveTo(end);
  const args = called
    ? positioned(called, given, { begin: opened.begin - called.name.length, end })
    : given.map(({ expression }) => expression);
  return { args, end };
}
