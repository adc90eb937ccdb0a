// A cursor over the text of one command. There is no token list, because each command reads the words that its own
// syntax expects. Text outside of strings is already plain (segments.ts).

import type { Span } from '#query/model/expression.ts';
import type { HoleValue } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Bracket, Segment } from './segments.ts';
import { closingQuote, type StringToken, unescaped } from './strings.ts';

export interface Name extends Span {
  readonly text: string;
  /** Written field("…"). */
  readonly isQuoted?: true;
}

/** Reserved words at a position: a field with such a name is written field("…") there (2.5). */
export type Keywords = readonly string[];

const SPACE = /[ \t\r\n]*/y;
const IDENT = /[\p{L}_@][\p{L}\p{Nd}\p{M}_@.]*/uy;
const WORD = /[^ \t\r\n,()[\]"|]+/y;
const QUOTED_NAME = /field[ \t\r\n]*\(/y;
const LOOSE_WORD = /[^ \t\r\n]+/y;

export class Words {
  readonly text: string;
  readonly end: number;
  readonly brackets: ReadonlyMap<number, Bracket>;
  /** Never at white space, which is skipped at once. */
  #at: number;

  constructor(plain: string, segment: Pick<Segment, 'begin' | 'end' | 'brackets'>) {
    this.text = plain;
    this.end = segment.end;
    this.brackets = segment.brackets;
    this.#at = segment.begin;
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
    this.#at += this.match(SPACE)?.length ?? 0;
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
    return this.match(IDENT) || undefined;
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
    const help = /^['‘’]/.test(token.text)
      ? { hints: [{ code: 91002 as const, values: { text: token.text.slice(1).replace(/['‘’]$/, '') } }] }
      : {};
    return new QueryError(90201, token, { token: token.text }, help);
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
    return new Words(this.text, { begin: this.#at, end, brackets: this.brackets });
  }

  takeBracket(): Bracket {
    const bracket = this.here === '[' ? this.brackets.get(this.#at) : undefined;
    if (!bracket) throw new QueryError(90011, this.isDone ? this.endSpan : this.token());
    this.moveTo(bracket.end);
    return bracket;
  }

  /**
   * A field name in a list: an identifier that is not reserved, or field("…"). A word with other characters can only be
   * meant as a name, so the error shows how to quote it.
   */
  takeName(keywords: Keywords, missing: () => QueryError): Name {
    const ident = this.ident() ?? '';
    const word = this.match(WORD) ?? '';
    if (/^[+-]/.test(word)) throw this.unexpected();
    if (word.length > ident.length && isNameLike(word.slice(ident.length))) throw this.#quoteIt(word);
    return this.takeOperandName(keywords, missing);
  }

  /** A field name that an operator may directly follow. */
  takeOperandName(keywords: Keywords, missing: () => QueryError): Name {
    if (this.isDone) throw missing();
    const begin = this.#at;
    const quotedName = this.#takeQuotedName();
    if (quotedName !== undefined) return { text: quotedName, begin, end: this.#lastEnd, isQuoted: true };
    const ident = this.ident();
    if (ident === undefined) throw this.here === '"' ? this.#quoteIt(this.token().text) : missing();
    if (keywords.includes(ident) || ident.endsWith('.')) throw this.#quoteIt(ident);
    this.moveTo(begin + ident.length);
    return { text: ident.normalize(), begin, end: begin + ident.length };
  }

  takeNames(keywords: Keywords, missing: () => QueryError): Name[] {
    const names = [this.takeName(keywords, missing)];
    while (this.take(',')) names.push(this.takeName(keywords, missing));
    return names;
  }

  #lastEnd = 0;

  #takeQuotedName(): string | undefined {
    const opening = this.ident() === 'field' ? this.match(QUOTED_NAME) : undefined;
    if (opening === undefined || !opening.endsWith('(')) return undefined;
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
    const name = word.replace(/^"|"$/g, '');
    return new QueryError(90207, span, { name }, { hints: [{ code: 91006, replacement: `field("${name}")` }] });
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

const FIELD_NAME = { n: 1, name: 'field', type: { term: 'string' } } as const;

/** True if the word has a letter or digit, so that it may be meant as a name. */
const isNameLike = (word: string) => /[\p{L}\p{Nd}]/u.test(word);

/** Quotes a name that is not an identifier or is reserved. */
export function nameText(name: string, keywords: Keywords, quote: (text: string) => string): string {
  const ident = /^[\p{L}_@][\p{L}\p{Nd}\p{M}_@.]*$/u.test(name) && !name.endsWith('.');
  return ident && !keywords.includes(name) ? name : `field(${quote(name)})`;
}
