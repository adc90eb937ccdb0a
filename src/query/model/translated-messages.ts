// Translates finished error messages into another language. A client receives the sentence of a message without the
// values in it; the values are read from the sentence by the template of its code.

import type { Locale } from '#contract/values.ts';
import * as en from './messages.en.ts';
import * as ko from './messages.ko.ts';
import { type HoleValue, messageOf, type QueryErrorCode, type TermCode } from './messages.ts';

/** One of the codes must be that of the message. A message that fits no known template is returned unchanged. */
export function translated(message: string, codes: readonly number[], locale: Locale): string {
  for (const code of codes.filter(isQueryErrorCode)) {
    for (const catalogue of [en, ko]) {
      const values = valuesIn(message, catalogue.mistakes[code], catalogue.terms);
      if (values) return messageOf(code, values, locale);
    }
  }
  return message;
}

export const isQueryErrorCode = (code: number): code is QueryErrorCode => Object.hasOwn(en.mistakes, code);

type Terms = Readonly<Record<TermCode, string>>;

function valuesIn(message: string, sentence: string, terms: Terms): Record<string, HoleValue> | undefined {
  const pattern = sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `(?<${part}>.*?)` : RegExp.escape(part)))
    .join('');
  const found = new RegExp(`^${pattern}$`, 's').exec(message);
  if (!found) return undefined;
  return Object.fromEntries(
    Object.entries(found.groups ?? {}).map(([name, text]) => [name, holeValue(name, text, terms)]),
  );
}

/** Holes that a term of the catalogue may fill; in any other hole a name may be spelled like a term. */
const TERM_HOLES = ['detail', 'feature', 'instead', 'type', 'what'];

function holeValue(name: string, text: string, terms: Terms): HoleValue {
  const term = TERM_HOLES.includes(name) && Object.entries(terms).find(([, words]) => words === text)?.[0];
  return !term ? text : { term: term as TermCode }; // A key of the terms.
}
