// What is wrong with a query: a code, the place in its text, and what helps to mend it.

import type { Locale } from '#contract/values.ts';
import type { Span } from './expression.ts';
import { type HoleValues, type MistakeCode, messageOf, type TermCode, termText } from './messages.ts';

export interface Help {
  readonly hint?: TermCode;
  /** Names that may have been meant, nearest first. */
  readonly suggestions?: readonly string[];
}

export class QueryMistake extends Error {
  readonly code: MistakeCode;
  readonly begin: number;
  readonly end: number;
  readonly values: HoleValues;
  readonly help: Help;

  constructor(code: MistakeCode, span: Span, values: HoleValues = {}, help: Help = {}) {
    super(messageOf(code, values, 'en'));
    this.code = code;
    this.begin = span.begin;
    this.end = span.end;
    this.values = values;
    this.help = help;
  }
}

/** Of one query: hostile text could make a hundred thousand. */
export const MAX_WARNINGS = 100;

/** Something doubtful in a query that runs all the same (909xx). */
export interface QueryWarning extends Span {
  readonly code: MistakeCode;
  readonly values: HoleValues;
  readonly suggestions: readonly string[];
}

/** A mistake as people read it. */
export interface MistakeReport {
  readonly code: number;
  readonly begin: number;
  readonly end: number;
  /** Both from 1; the column counts UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
  readonly suggestions: readonly string[];
  /** The line of the text and a second one with carets below what is meant. */
  readonly excerpt: string;
}

export function reportOf(mistake: QueryMistake | QueryWarning, text: string, locale: Locale): MistakeReport {
  const { code, begin, end, values } = mistake;
  const { hint, suggestions = [] } =
    mistake instanceof QueryMistake ? mistake.help : { suggestions: mistake.suggestions };
  const spoken = hint ? termText(hint, values, locale) : meant(suggestions, locale);
  return {
    code,
    begin,
    end,
    ...placeOf(text, begin),
    message: messageOf(code, values, locale),
    ...(spoken === undefined ? {} : { hint: spoken }),
    suggestions,
    excerpt: excerptOf(text, mistake),
  };
}

function meant(suggestions: readonly string[], locale: Locale): string | undefined {
  if (suggestions.length === 0) return undefined;
  return termText('did-you-mean', { names: suggestions.join(', ') }, locale);
}

/** Line and column of a position, both from 1. */
export function placeOf(text: string, begin: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < begin; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: begin - lineStart + 1 };
}

const EXCERPT_BEFORE = 60;
const EXCERPT_AFTER = 60;

/** The line of a place and a second one with carets. Long lines are cut around it. Wide characters take two columns on a terminal, and so do their carets. */
export function excerptOf(text: string, { begin, end }: Span): string {
  const lineStart = text.lastIndexOf('\n', begin - 1) + 1;
  const lineBreak = text.indexOf('\n', begin);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const from = Math.max(lineStart, begin - EXCERPT_BEFORE);
  const to = Math.min(lineEnd, Math.max(begin + EXCERPT_AFTER, begin));
  const shown = `${from > lineStart ? '…' : ''}${text.slice(from, to)}${to < lineEnd ? '…' : ''}`;
  const before = `${from > lineStart ? ' ' : ''}${blank(text.slice(from, begin))}`;
  const marked = text.slice(begin, Math.min(end, to));
  return `${shown.replace(/[\r\t]/g, ' ')}\n${before}${'^'.repeat(Math.max(1, widthOf(marked)))}`;
}

const blank = (text: string) => ' '.repeat(widthOf(text));

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) || character.length === 2 ? 2 : 1;
  return width;
}
