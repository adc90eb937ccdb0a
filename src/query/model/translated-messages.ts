// Translates finished error messages into another language. A client receives the sentence of a message without the
// values in it; the values are read from the sentence by the template of its code.

import type { Locale } from '#contract/values.ts';
import * as en from './messages.en.ts';
import * as ko from './messages.ko.ts';
import { type HintCode, type HoleValue, hintText, messageOf, type QueryErrorCode, type TermCode } from './messages.ts';

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

/** As `translated`, for the text of a hint. */
export function translatedHint(message: string, code: number, locale: Locale): string {
  if (!isHintCode(code)) return message;
  for (const catalogue of [en, ko]) {
    const values = valuesIn(message, catalogue.hints[code], catalogue.terms);
    if (values) return hintText(code, values, locale);
  }
  return message;
}

const isHintCode = (code: number): code is HintCode => Object.hasOwn(en.hints, code);

export const isQueryErrorCode = (code: number): code is QueryErrorCode => Object.hasOwn(en.mistakes, code);

type Terms = Readonly<Record<TermCode, string>>;

function valuesIn(message: string, sentence: string, terms: Terms): Record<string, HoleValue> | undefined {
  const named = new Set<string>();
  const holePattern = (hole: string) => {
    const isKnown = named.has(hole);
    named.add(hole);
    return isKnown ? `\\k<${hole}>` : `(?<${hole}>.*?)`;
  };
  const pattern = sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? holePattern(part) : RegExp.escape(part)))
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
