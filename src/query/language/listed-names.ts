// Names in lists, where no expression can stand (2.5, LISTED): they may hold signs and balanced parentheses, as the names that
// aggregates make have, unless they are written like the call of a function that computes a value.

import { functionNamed, isAggregateName } from '#query/functions/index.ts';
import { isListedWord } from '#query/model/listed-words.ts';
import { isName, type Keywords } from './names.ts';

/** True for a name that needs no quotes in a list of names. */
export const isListedName = (name: string): boolean => isName(name) || (isListedWord(name) && !isCall(name));

/** The text of a name in a list of names. */
export const listedText = (name: string, keywords: Keywords, quote: (text: string) => string): string =>
  isListedName(name) && !keywords.includes(name) ? name : `field(${quote(name)})`;

/** `lower(user)`, at whose beginning the function is named. */
export function isCall(word: string): boolean {
  const [, name] = CALLED.exec(word) ?? [];
  return name !== undefined && !isAggregateName(name) && functionNamed(name) !== undefined;
}

const CALLED = /^([\p{L}_][\p{L}\p{Nd}\p{M}_]*)\(/u;
