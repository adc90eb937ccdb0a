// A cursor over the text of one command. There is no token list, because each command reads the words that its own
// syntax expects. Text outside of strings is already plain (command-texts.ts).

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import type { Span } from '#query/model/expression.ts';
import type { HoleValue } from '#query/model/messages.ts';
import { MAX_WARNINGS, QueryError, type QueryWarning } from '#query/model/query-error.ts';
import type { Bracket, CommandText } from './command-texts.ts';
import { isCall, isListedName } from './listed-names.ts';
import { IDENT, isNameLike, type Keywords, NAME_WORD } from './names.ts';
import { closingQuote, type StringToken, unescaped } from './strings.ts';
import { quotedNameHint, tokenHints } from './token-hints.ts';

export interface Name extends Span {
  readonly text: string;
  /** Written field("…"). */
  readonly isQuoted?: true;
}

/** A name of `keys` with the sign before it. */
export interface Key {
  readonly name: Name;
  readonly sign: '+' | '-' | '';
}

/** The warning about a name that a list repeats and that counts once (6.2), or that repetitions stay in the list. */
export type Repetition = 20100 | 20301 | 22002 | 'kept';

const WORD = /[^ \t\r\n,()[\]"|]+/y;
const QUOTED_NAME = /field[ \t\r\n]*\(/y;
const LOOSE_WORD = /[^ \t\r\n]+/y;
/** A word of a list of names, with all signs that are no part of a name. */
const LISTED_WORD = /[^ \t\r\n,[\]|]+/y;

export class Words {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly brackets: ReadonlyMap<number, Bracket>;
  /** About words that were read. */
  readonly warnings: QueryWarning[];
  /** Never at white space, which is skipped at once. */
  #at: number;

  constructor(
    plain: string,
    commandText: Pick<CommandText, 'begin' | 'end' | 'brackets'>,
    warnings: QueryWarning[] = [],
  ) {
    this.text = plain;
    this.warnings = warnings;
    this.begin = commandText.begin;
    this.end = commandText.end;
    this.brackets = commandText.brackets;
    this.#at = commandText.begin;
    this.skipBlanks();
  }

  get at(): number {
    return this.#at;
  }

  get isDone(): boolean {
    return this.#at >= this.end;
  }

  /** The character at the cursor; empty at the end. */
  get here(): string {
    return this.isDone ? '' : this.text.charAt(this.#at);
  }

  /** An empty span after the last word. */
  get endSpan(): Span {
    return { begin: this.end, end: this.end };
  }

  moveTo(at: number): void {
    this.#at = at;
    this.skipBlanks();
  }

  skipBlanks(): void {
    while (this.#at < this.end && isBlank(this.text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** The match of a sticky expression at the cursor, within the command. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    return this.#at + found.length > this.end ? found.slice(0, Math.max(0, this.end - this.#at)) : found;
  }

  startsWith(mark: string): boolean {
    return this.text.startsWith(mark, this.#at) && this.#at + mark.length <= this.end;
  }

  /** Consumes the text `mark` if it is at the cursor. */
  take(mark: string): boolean {
    if (!this.startsWith(mark)) return false;
    this.moveTo(this.#at + mark.length);
    return true;
  }

  /** The identifier at the cursor, without consuming it. */
  ident(): string | undefined {
    return this.#plainIdent() ?? (this.match(IDENT) || undefined);
  }

  /** Most identifiers are ASCII, and are found without the tables of Unicode. */
  #plainIdent(): string | undefined {
    let at = this.#at;
    while (at < this.end && isPlainLetter(this.text.charCodeAt(at), at > this.#at)) at += 1;
    const isWhole = at > this.#at && (at === this.end || !mayContinue(this.text.charCodeAt(at)));
    return isWhole ? this.text.slice(this.#at, at) : undefined;
  }

  isKeyword(keyword: string): boolean {
    return this.startsWith(keyword) && this.ident() === keyword;
  }

  takeKeyword(keyword: string): boolean {
    if (!this.isKeyword(keyword)) return false;
    this.moveTo(this.#at + keyword.length);
    return true;
  }

  /** Consumes everything up to the next white space, comma, bracket, parenthesis or quote. */
  takeWord(): Name | undefined {
    return this.#taken(WORD);
  }

  /** The token at the cursor, for an error message. */
  token(): Name {
    const begin = this.#at;
    if (this.here === '"') return this.#spanned(begin, this.stringEnd());
    const length = (this.ident() ?? this.match(WORD) ?? this.here).length || 1;
    return this.#spanned(begin, Math.min(begin + length, this.end));
  }

  looseToken(): Name {
    return this.#spanned(this.#at, this.#at + (this.match(LOOSE_WORD) ?? '').length);
  }

  unexpected(): QueryError {
    const token = this.token();
    return new QueryError(90201, token, { token: token.text }, { hints: tokenHints(token.text) });
  }

  /** The error for a command that ends too early, or for an unexpected token. */
  tooFew(what: HoleValue): QueryError {
    return this.isDone ? new QueryError(99000, this.endSpan, { what }) : this.unexpected();
  }

  takeString(): StringToken | undefined {
    if (this.here !== '"') return undefined;
    const begin = this.#at;
    const end = this.stringEnd();
    this.moveTo(end);
    return { begin, end, raw: this.text.slice(begin + 1, end - 1) };
  }

  stringEnd(): number {
    return this.stringEndFrom(this.#at);
  }

  stringEndFrom(at: number): number {
    const quote = closingQuote(this.text, at, '"');
    return quote === -1 ? this.end : quote + 1;
  }

  /** A cursor from here to an earlier end. */
  until(end: number): Words {
    return new Words(this.text, { begin: this.#at, end, brackets: this.brackets }, this.warnings);
  }

  takeBracket(): Bracket {
    const bracket = this.here === '[' ? this.brackets.get(this.#at) : undefined;
    if (!bracket) throw new QueryError(90011, this.isDone ? this.endSpan : this.token());
    this.moveTo(bracket.end);
    return bracket;
  }

  /**
   * A field name in a list: a word of names that is not reserved, or field("…"). A word with other characters can only be
   * meant as a name, so the error shows how to quote it.
   */
  takeName(keywords: Keywords, missing: () => QueryError): Name {
    if (this.here === ',') throw this.unexpected();
    const word = this.match(LISTED_WORD) ?? '';
    const isQuoted = this.#isQuotedName();
    const isBare = !isQuoted && isListedName(word);
    if (isBare || word.startsWith('"') || isQuoted) {
      this.#lastListed = this.#takeName(isBare ? word : undefined, keywords, missing);
      return this.#lastListed;
    }
    if (word === '*') throw new QueryError(90201, this.token(), { token: word }, { hints: [{ code: 91043 }] });
    if (/^[+-]/.test(word)) throw this.unexpected();
    if (isCall(word)) throw this.#computeIt();
    throw isNameLike(word) ? this.#quoteIt(word) : this.isDone ? missing() : this.unexpected();
  }

  /** A field name where no expression can stand; an operator may directly follow. */
  takeTarget(keywords: Keywords, missing: () => QueryError): Name {
    return this.#takeName(this.match(NAME_WORD) || undefined, keywords, missing);
  }

  /** A field name of an expression, which an operator may directly follow. */
  takeOperandName(keywords: Keywords, missing: () => QueryError, word = this.ident()): Name {
    return this.#takeName(word, keywords, missing);
  }

  #takeName(word: string | undefined, keywords: Keywords, missing: () => QueryError): Name {
    if (this.isDone) throw missing();
    const begin = this.#at;
    const quotedName = this.#takeQuotedName();
    if (quotedName !== undefined) return { text: quotedName, begin, end: this.#lastEnd, isQuoted: true };
    if (word === undefined) throw this.here === '"' ? this.#quoteIt(this.token().text) : missing();
    if (keywords.includes(word) || word.endsWith('.')) throw this.#quoteIt(word);
    this.moveTo(begin + word.length);
    return { text: word.normalize(), begin, end: begin + word.length };
  }

  /** `names`: each counts once, and a comma at the end of the list is tolerated. */
  *takeNames(
    keywords: Keywords,
    missing: () => QueryError,
    repetition: Repetition = 20100,
  ): SlicedWork<readonly Name[]> {
    const names = yield* this.takeList(() => this.takeName(keywords, missing), keywords);
    return yield* this.distinct(names, (name) => name, repetition);
  }

  /** `keys`: names with signs. */
  *takeKeys(keywords: Keywords, missing: () => QueryError, repetition: Repetition = 20100): SlicedWork<readonly Key[]> {
    const takeKey = (): Key => {
      const sign = this.take('-') ? '-' : this.take('+') ? '+' : '';
      return { sign, name: this.takeName(keywords, missing) };
    };
    const keys = yield* this.takeList(takeKey, keywords);
    return yield* this.distinct(keys, ({ name }) => name, repetition);
  }

  /** Elements with commas between them, at least one. */
  takeList<T>(takeElement: () => T, keywords: Keywords = []): SlicedWork<T[]> {
    return mapSliced(this.#elements(keywords), takeElement);
  }

  *#elements(keywords: Keywords): Iterable<undefined> {
    do yield;
    while (this.takeSeparator(keywords));
  }

  /** Consumes a comma; true if a further element of the list follows it. */
  takeSeparator(keywords: Keywords = []): boolean {
    if (!this.take(',')) return false;
    return !this.isDone && this.here !== '[' && !keywords.some((keyword) => this.isKeyword(keyword));
  }

  /** The elements of a list without those whose name stands before (6.2), with a warning about each name. */
  *distinct<T>(elements: readonly T[], nameOf: (element: T) => Name, repetition: Repetition): SlicedWork<readonly T[]> {
    if (repetition === 'kept') return elements;
    const times = new Map<string, number>();
    const isFirst = yield* mapSliced(elements, (element) => {
      const { text: name, begin, end } = nameOf(element);
      const before = times.get(name) ?? 0;
      times.set(name, before + 1);
      if (before === 1) this.warn({ code: repetition, begin, end, values: { name }, suggestions: [] });
      return before === 0;
    });
    return times.size === elements.length ? elements : elements.filter((_, index) => isFirst[index]);
  }

  warn(warning: QueryWarning): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  #lastEnd = 0;
  #lastListed: Name | undefined;

  /** The name of a list that ends directly before the cursor. */
  get nameBefore(): Name | undefined {
    const last = this.#lastListed;
    return last && this.text.slice(last.end, this.#at).trim() === '' ? last : undefined;
  }

  #isQuotedName(): boolean {
    return this.startsWith('field') && (this.match(QUOTED_NAME)?.endsWith('(') ?? false);
  }

  #takeQuotedName(): string | undefined {
    const opening = this.#isQuotedName() ? this.match(QUOTED_NAME) : undefined;
    if (opening === undefined) return undefined;
    this.moveTo(this.#at + opening.length);
    const token = this.takeString();
    if (!token) throw new QueryError(90302, this.isDone ? this.endSpan : this.token(), FIELD_NAME);
    if (this.isDone) throw new QueryError(90202, { begin: token.begin - 1, end: token.begin });
    if (this.here !== ')') throw this.unexpected();
    this.#lastEnd = this.#at + 1;
    this.moveTo(this.#lastEnd);
    return unescaped(token).text;
  }

  #quoteIt(word: string): QueryError {
    const span = { begin: this.#at, end: this.#at + word.length };
    const name = word.replace(/^["']|["']$/g, '');
    return new QueryError(90207, span, { name }, { hints: [quotedNameHint(name)] });
  }

  /** A call where only a name can stand. */
  #computeIt(): QueryError {
    const begin = this.#at;
    const end = this.callEnd();
    const call = this.text.slice(begin, end);
    return new QueryError(90207, { begin, end }, { name: call }, { hints: [{ code: 91059, values: { call } }] });
  }

  /** The position behind the parenthesis that closes the first one from the cursor on, or the end of the command. */
  callEnd(): number {
    const marks = /["()]/g;
    marks.lastIndex = this.#at;
    let depth = 0;
    for (let found = marks.exec(this.text); found && found.index < this.end; found = marks.exec(this.text)) {
      if (found[0] === '"') marks.lastIndex = this.stringEndFrom(found.index);
      else depth += found[0] === '(' ? 1 : -1;
      if (depth === 0 && found[0] === ')') return found.index + 1;
    }
    return this.end;
  }

  #taken(pattern: RegExp): Name | undefined {
    const found = this.match(pattern);
    if (!found) return undefined;
    const begin = this.#at;
    this.moveTo(begin + found.length);
    return { text: found, begin, end: begin + found.length };
  }

  #spanned(begin: number, end: number): Name {
    return { text: this.text.slice(begin, end), begin, end };
  }
}

const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;

/** A letter, `_`, `@`, or behind the first one a digit. */
const isPlainLetter = (code: number, mayBeDigit: boolean) =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x40 && code <= 0x5a) ||
  code === 0x5f ||
  (mayBeDigit && code >= 0x30 && code <= 0x39);

/** A dot, a colon, or anything outside of ASCII. */
const mayContinue = (code: number) => code === 0x2e || code === 0x3a || code >= 0x80;

const FIELD_NAME = { n: 1, name: 'field', type: { term: 'string' } } as const;
