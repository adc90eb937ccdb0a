// Wording of errors and warnings in the reader's language.

import type { Locale } from '#contract/values.ts';
import * as en from './messages.en.ts';
import * as ko from './messages.ko.ts';

export type QueryErrorCode = keyof typeof en.mistakes;

export type HintCode = keyof typeof en.hints;

export type TermCode = keyof typeof en.terms;

/** A value for a hole of a message: text that is used as it is, or a term of the catalogue. */
export type HoleValue = string | number | { readonly term: TermCode };

export type HoleValues = Readonly<Record<string, HoleValue>>;

const CATALOGUES = { en, ko };

export function messageOf(code: QueryErrorCode, values: HoleValues, locale: Locale): string {
  return filled(CATALOGUES[locale].mistakes[code], values, locale);
}

export function hintText(code: HintCode, values: HoleValues, locale: Locale): string {
  return filled(CATALOGUES[locale].hints[code], values, locale);
}

export function termText(code: TermCode, values: HoleValues, locale: Locale): string {
  return filled(CATALOGUES[locale].terms[code], values, locale);
}

// A replacement function, because `$` in a value must not be interpreted.
function filled(text: string, values: HoleValues, locale: Locale): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === 'object' ? CATALOGUES[locale].terms[value.term] : shortened(String(value));
  });
}

const MAX_VALUE_LENGTH = 200;

/** Quoted text may be as long as a query; a message may not. */
const shortened = (text: string) => (text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text);
