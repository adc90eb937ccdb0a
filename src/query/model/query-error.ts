// Errors of a query: a code, the position in the text, and hints for the correction.

import type { Locale } from '#contract/values.ts';
import { cellsOf } from '#kernel/text/cells.ts';
import type { KnownColumn } from './columns.ts';
import type { Span } from './expression.ts';
import { type HintCode, type HoleValues, hintText, messageOf, type QueryErrorCode } from './messages.ts';

/** How this language writes what the text has in another way. */
export interface Hint {
  readonly code: HintCode;
  readonly values?: HoleValues;
  /** A wider place around that of the error or warning. */
  readonly at?: Span;
  /** Text for the place; absent where there is no single one. */
  readonly replacement?: string;
}

interface Help {
  readonly hints?: readonly Hint[];
  /** Similar names that exist, nearest first. */
  readonly suggestions?: readonly string[];
}

export class QueryError extends Error {
  readonly code: QueryErrorCode;
  readonly begin: number;
  readonly end: number;
  readonly values: HoleValues;
  /** Hints are added when the whole text has been read. */
  help: Help;
  /** Independent errors of the same text, in its order. */
  further: readonly QueryError[] = [];
  /** Warnings of the same text, in its order. */
  warnings: readonly QueryWarning[] = [];
  /** Commands of its outermost pipeline, as far as the text can be read. */
  outline: () => readonly CommandOutline[] = () => [];
  /** Whether a command of its text changes something, as far as the text can be read. */
  changes: () => boolean = () => false;

  constructor(code: QueryErrorCode, span: Span, values: HoleValues = {}, help: Help = {}) {
    super(messageOf(code, values, 'en'));
    this.code = code;
    this.begin = span.begin;
    this.end = span.end;
    this.values = values;
    this.help = help;
  }
}

/** Limit per query: a hostile text could cause a hundred thousand warnings. */
export const MAX_WARNINGS = 100;
export const MAX_ERRORS = 100;

/** Errors of one text, collected while the parser or the planner goes on after each of them. */
export class QueryErrorList {
  readonly found: QueryError[] = [];

  /** Rethrows anything but a QueryError. */
  take(failure: unknown): void {
    if (!(failure instanceof QueryError)) throw failure;
    this.found.push(failure);
  }

  /** True if collecting more is useless: the limit is reached, or the text is too large. */
  get isFull(): boolean {
    return this.found.length >= MAX_ERRORS || this.found.at(-1)?.code === 90009;
  }
}

/**
 * The earliest error with the others in `further`; of several at one position the first found counts. Undefined without
 * errors.
 */
export function firstQueryError(...lists: readonly QueryErrorList[]): QueryError | undefined {
  const sorted = lists.flatMap(({ found }) => found).toSorted((one, other) => one.begin - other.begin);
  const positionOf = ({ code, begin, end }: QueryError) => `${code} ${begin} ${end}`;
  const positions = new Set<string>();
  const [first, ...further] = sorted.filter((error) => {
    const isNew = !positions.has(positionOf(error));
    positions.add(positionOf(error));
    return isNew;
  });
  return first && Object.assign(first, { further: further.slice(0, MAX_ERRORS - 1) });
}

/** A doubtful part of a query that still runs. */
export interface QueryWarning extends Span {
  readonly code: QueryErrorCode;
  readonly values: HoleValues;
  readonly hints?: readonly Hint[];
  readonly suggestions: readonly string[];
}

/** Warnings of one text: each about a name once, at its first position. */
export class QueryWarningList {
  readonly #found = new Map<string, QueryWarning>();

  get found(): readonly QueryWarning[] {
    return [...this.#found.values()];
  }

  get isFull(): boolean {
    return this.#found.size >= MAX_WARNINGS;
  }

  add(warning: QueryWarning): void {
    const { code, begin, values } = warning;
    const { name, letters = '' } = values;
    const key = name === undefined ? `${code} at ${begin} ${String(letters)}` : `${code} ${String(name)}`;
    const known = this.#found.get(key);
    if (known ? known.begin > begin : !this.isFull) this.#found.set(key, warning);
  }
}

/** A command of a pipeline, read without running it. */
export interface CommandOutline extends Span {
  readonly name: string;
  readonly kind: CommandKind;
  /** Columns after it; null where rows may have others. */
  readonly columns: readonly KnownColumn[] | null;
}

/** Kinds of commands in answers. */
export const COMMAND_KINDS = ['driver', 'row', 'transforming', 'sink'] as const;

export type CommandKind = (typeof COMMAND_KINDS)[number];

/** The hints of an error or warning. */
export const hintsOf = (finding: QueryError | QueryWarning): readonly Hint[] =>
  (finding instanceof QueryError ? finding.help.hints : finding.hints) ?? [];

/** An error or warning as the client receives it. */
export interface FindingReport {
  readonly code: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  /** Both from 1; the column counts UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The first of the suggestions. */
  readonly suggestion: string | null;
  readonly suggestions: readonly string[];
}

/** A hint as the client receives it, at the place of the error or warning that it belongs to, or at a wider one around it. */
export interface HintReport {
  readonly code: number;
  /** The code of the error or warning. */
  readonly of: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  readonly replacement: string | null;
}

export const reportOf = (finding: QueryError | QueryWarning, text: string, locale: Locale): FindingReport =>
  reportAt(finding, positionOf(text, finding.begin), locale);

function reportAt(finding: QueryError | QueryWarning, position: Position, locale: Locale): FindingReport {
  const { code, begin, end, values } = finding;
  const { suggestions = [] } = finding instanceof QueryError ? finding.help : finding;
  const message = messageOf(code, values, locale);
  return { code, message, begin, end, ...position, suggestion: suggestions[0] ?? null, suggestions };
}

export const hintReportsOf = (finding: QueryError | QueryWarning, locale: Locale): HintReport[] =>
  hintsOf(finding).map(({ code, values = {}, at = finding, replacement = null }) => {
    const { code: of } = finding;
    const { begin, end } = at;
    return { code, of, message: hintText(code, { ...finding.values, ...values }, locale), begin, end, replacement };
  });

/** All findings about a text as the client receives them, each list in the order of the text. */
export interface FindingsReport {
  readonly mistakes: readonly FindingReport[];
  readonly warnings: readonly FindingReport[];
  readonly hints: readonly HintReport[];
}

export interface Findings {
  readonly errors: readonly QueryError[];
  readonly warnings: readonly QueryWarning[];
}

/** The text is walked once, however many findings there are. */
export function findingsReport({ errors, warnings }: Findings, text: string, locale: Locale): FindingsReport {
  const sorted = [...errors, ...warnings].toSorted((one, other) => one.begin - other.begin);
  const walk = new PositionWalk(text);
  const reported = sorted.map((finding) => ({
    finding,
    report: reportAt(finding, walk.positionOf(finding.begin), locale),
  }));
  const isError = ({ finding }: { finding: QueryError | QueryWarning }) => finding instanceof QueryError;
  return {
    mistakes: reported.filter(isError).map(({ report }) => report),
    warnings: reported.filter((one) => !isError(one)).map(({ report }) => report),
    hints: sorted.flatMap((finding) => hintReportsOf(finding, locale)),
  };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of a position, both from 1. */
export const positionOf = (text: string, begin: number): Position => new PositionWalk(text).positionOf(begin);

class PositionWalk {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Positions are asked for in ascending order. */
  positionOf(begin: number): Position {
    for (;;) {
      const at = this.#text.indexOf('\n', this.#lineStart);
      if (at === -1 || at >= begin) return { line: this.#line, column: begin - this.#lineStart + 1 };
      this.#line += 1;
      this.#lineStart = at + 1;
    }
  }
}

/** UTF-16 units of the text that are shown on each side of a position. */
const EXCERPT_MARGIN = 60;

/**
 * The line of a span and a second line with carets below it, aligned by terminal cells. Long lines are cut on both
 * sides of the span.
 */
export function excerptOf(text: string, { begin, end }: Span): string {
  const lineStart = text.lastIndexOf('\n', begin - 1) + 1;
  const lineBreak = text.indexOf('\n', begin);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const from = wholeFrom(text, Math.max(lineStart, begin - EXCERPT_MARGIN));
  const to = wholeFrom(text, Math.min(lineEnd, begin + EXCERPT_MARGIN));
  const shown = `${from > lineStart ? '…' : ''}${text.slice(from, to)}${to < lineEnd ? '…' : ''}`;
  const before = (from > lineStart ? 1 : 0) + cellsOf(text.slice(from, begin));
  const marked = cellsOf(text.slice(begin, Math.min(end, to)));
  return `${shown.replace(/[\r\t]/g, ' ')}\n${' '.repeat(before)}${'^'.repeat(Math.max(1, marked))}`;
}

/** Moves a position inside a surrogate pair to the start of the pair. */
const wholeFrom = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
