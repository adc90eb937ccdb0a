// What is wrong with a query: a code, the place in its text, and what helps to mend it.

import type { Locale } from '#contract/values.ts';
import { cellsOf } from '#kernel/cells.ts';
import type { Span } from './expression.ts';
import { type HoleValues, messageOf, type QueryErrorCode, type TermCode, termText } from './messages.ts';

interface Help {
  readonly hint?: TermCode;
  /** Names that may have been meant, nearest first. */
  readonly suggestions?: readonly string[];
}

export class QueryError extends Error {
  readonly code: QueryErrorCode;
  readonly begin: number;
  readonly end: number;
  readonly values: HoleValues;
  readonly help: Help;
  /** Others in the same text that do not come from this one, in its order. */
  further: readonly QueryError[] = [];

  constructor(code: QueryErrorCode, span: Span, values: HoleValues = {}, help: Help = {}) {
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
export const MAX_MISTAKES = 100;

/** Mistakes in a text, gathered while it is read or planned on past them. */
export class QueryErrorList {
  readonly found: QueryError[] = [];

  /** Throws on what is no mistake in a text. */
  take(failure: unknown): void {
    if (!(failure instanceof QueryError)) throw failure;
    this.found.push(failure);
  }

  /** Whether there is no sense in going on: what is too large stays so. */
  get isFull(): boolean {
    return this.found.length >= MAX_MISTAKES || this.found.at(-1)?.code === 90009;
  }
}

/** The earliest, of several at one place the one found first, with the others behind it; undefined where there is none. */
export function firstQueryError(...lists: readonly QueryErrorList[]): QueryError | undefined {
  const sorted = lists.flatMap(({ found }) => found).toSorted((one, other) => one.begin - other.begin);
  const placeOf = ({ code, begin, end }: QueryError) => `${code} ${begin} ${end}`;
  const places = new Set<string>();
  const [first, ...further] = sorted.filter((mistake) => {
    const isNew = !places.has(placeOf(mistake));
    places.add(placeOf(mistake));
    return isNew;
  });
  return first && Object.assign(first, { further: further.slice(0, MAX_MISTAKES - 1) });
}

/** Something doubtful in a query that runs all the same (909xx). */
export interface QueryWarning extends Span {
  readonly code: QueryErrorCode;
  readonly values: HoleValues;
  readonly suggestions: readonly string[];
}

/** A mistake as people read it. */
export interface QueryErrorReport {
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

export function reportOf(mistake: QueryError | QueryWarning, text: string, locale: Locale): QueryErrorReport {
  const { code, begin, end, values } = mistake;
  const { hint, suggestions = [] } =
    mistake instanceof QueryError ? mistake.help : { suggestions: mistake.suggestions };
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

/** Units of the text that are shown on both sides of a place. */
const EXCERPT_AROUND = 60;

/** The line of a place and a second one with carets below it, cell by cell of a terminal. Long lines are cut around it. */
export function excerptOf(text: string, { begin, end }: Span): string {
  const lineStart = text.lastIndexOf('\n', begin - 1) + 1;
  const lineBreak = text.indexOf('\n', begin);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const from = wholeFrom(text, Math.max(lineStart, begin - EXCERPT_AROUND));
  const to = wholeFrom(text, Math.min(lineEnd, begin + EXCERPT_AROUND));
  const shown = `${from > lineStart ? '…' : ''}${text.slice(from, to)}${to < lineEnd ? '…' : ''}`;
  const before = (from > lineStart ? 1 : 0) + cellsOf(text.slice(from, begin));
  const marked = cellsOf(text.slice(begin, Math.min(end, to)));
  return `${shown.replace(/[\r\t]/g, ' ')}\n${' '.repeat(before)}${'^'.repeat(Math.max(1, marked))}`;
}

/** A position that does not tear a pair of surrogates apart. */
const wholeFrom = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
