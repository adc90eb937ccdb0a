// A cursor over the text of one command. Commands differ in what they read next, so there is no token list: each reads
// the words its syntax asks for. What stands outside strings is plain by now (segments.ts).

import type { Span } from '#query/model/expression.ts';
import type { HoleValue } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Bracket, Segment } from './segments.ts';
import { closingQuote, type StringToken, unescaped } from './strings.ts';

export interface Name extends Span {
  readonly text: string;
}

/** Keywords of a place: fields of that name are written field("…") there (2.5). */
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
  /** Always at something, or at the end: white space is behind it. */
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

  /** The character here, empty at the end. */
  get here(): string {
    return this.isDone ? '' : this.text.charAt(this.#at);
  }

  /** Zero width, behind the last word. */
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

  /** What a sticky expression matches here, within the command. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    return this.#at + found.length > this.end ? found.slice(0, Math.max(0, this.end - this.#at)) : found;
  }

  startsWith(mark: string): boolean {
    return this.text.startsWith(mark, this.#at) && this.#at + mark.length <= this.end;
  }

  /** Takes a mark if it stands here. */
  take(mark: string): boolean {
    if (!this.startsWith(mark)) return false;
    this.moveTo(this.#at + mark.length);
    return true;
  }

  /** The identifier here, if one is; nothing is taken. */
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

  /** Everything up to the next white space, comma, bracket, parenthesis or quote. */
  takeWord(): Name | undefined {
    return this.#taken(WORD);
  }

  /** What stands here, for a message about it. */
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
    const help = /^['‘’]/.test(token.text) ? ({ hint: 'double-quotes' } as const) : {};
    return new QueryError(90201, token, { token: token.text }, help);
  }

  /** Where the command ends too early; anything else that stands here is not what was asked for. */
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

  /** From here to an earlier end. */
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
   * A field name in a list: an identifier that is no keyword here, or field("…"). Here a word with other marks in it can
   * only be meant as a name, so it is answered with how to write it.
   */
  takeName(keywords: Keywords, missing: () => QueryError): Name {
    const ident = this.ident() ?? '';
    const word = this.match(WORD) ?? '';
    if (/^[+-]/.test(word)) throw this.unexpected();
    if (word.length > ident.length && isNameLike(word.slice(ident.length))) throw this.#quoteIt(word);
    return this.takeOperandName(keywords, missing);
  }

  /** A field name where an operator may follow at once. */
  takeOperandName(keywords: Keywords, missing: () => QueryError): Name {
    if (this.isDone) throw missing();
    const begin = this.#at;
    const quotedName = this.#takeQuotedName();
    if (quotedName !== undefined) return { text: quotedName, begin, end: this.#lastEnd };
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
    const name = word.startsWith('"') ? word : `"${word}"`;
    return new QueryError(90207, { begin: this.#at, end: this.#at + word.length }, { name }, { hint: 'quote-name' });
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

/** Holds a letter or digit, so that it may be meant as a name. */
const isNameLike = (word: string) => /[\p{L}\p{Nd}]/u.test(word);

/** How a name is written where these words are keywords. */
export function nameText(name: string, keywords: Keywords, quote: (text: string) => string): string {
  const ident = /^[\p{L}_@][\p{L}\p{Nd}\p{M}_@.]*$/u.test(name) && !name.endsWith('.');
  return ident && !keywords.includes(name) ? name : `field(${quote(name)})`;
}
