// Arguments that are written `name=value` (9). They are put in the order of the declaration while they are read, so that
// everything behind the parser, and normalized text, knows arguments by position alone.

import type { Name, Words } from '#query/language/words.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import type { Argument } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { wrongCount } from '#query/values/typing.ts';

/** A function or an aggregate. */
export interface CalledDeclaration {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly parameters?: readonly string[];
}

export interface CallArgument {
  readonly name?: Name;
  readonly expression: Expression;
}

const ASSIGNED = /[\p{L}_@][\p{L}\p{Nd}\p{M}_@]*(?=[ \t\r\n]*=(?!=))/uy;

/** Consumes `name=` before an argument. Functions without named parameters have none: their `=` is no operator. */
export function takeParameterName(words: Words, called: CalledDeclaration, before: readonly CallArgument[]) {
  const text = called.parameters ? words.match(ASSIGNED) : undefined;
  if (!text) return undefined;
  const name: Name = { text, begin: words.at, end: words.at + text.length };
  const position = indexOf(name, called);
  const isGiven = before.some((one, index) => (one.name ? one.name.text === text : index === position));
  if (isGiven) throw new QueryError(90311, name, { name: text });
  words.moveTo(name.end);
  words.take('=');
  return name;
}

function indexOf({ text, begin, end }: Name, { name, args, parameters = [] }: CalledDeclaration): number {
  const known = parameters.slice(0, args.length);
  const index = known.indexOf(text);
  if (index !== -1) return index;
  const values = { function: name, name: text };
  throw new QueryError(90310, { begin, end }, values, { suggestions: suggestionsFor(text, known) });
}

/** The arguments of a call by position. */
export function positioned(called: CalledDeclaration, given: readonly CallArgument[], span: Span): Expression[] {
  const first = given.findIndex(({ name }) => name);
  if (first === -1) return given.map(({ expression }) => expression);
  const misplaced = given.slice(first).find(({ name }) => !name);
  if (misplaced) throw outOfOrder(misplaced.expression, called, given.indexOf(misplaced));
  const named = new Map(given.slice(first).map(({ name, expression }) => [name?.text, expression]));
  const args = given.slice(0, first).map(({ expression }) => expression);
  for (let index = first; named.size > 0; index += 1) {
    const name = called.parameters?.[index];
    const value = named.get(name);
    if (!value && !called.args[index]?.mayBeSkipped) throw wrongCount(called, given.length, span);
    if (value) args.push(value);
    named.delete(name);
  }
  return args;
}

const outOfOrder = (expression: Expression, { parameters = [] }: CalledDeclaration, index: number) =>
  new QueryError(90311, expression, { name: parameters[index] ?? String(index + 1) });
