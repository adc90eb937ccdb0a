// Walks JSON in bytes, over several lines and without making values of it. What the scanner of lines leaves to a parser is
// read here, too: deep nesting, and text that cannot be stored. A NUL inside of a string stands for bytes that are not UTF-8.

import { markUnpaired } from '#kernel/text/storable-text.ts';
import { markMalformed } from '#kernel/text/utf8.ts';
import { isAt, OTHER, STRING } from '#logs/lines/field-names.ts';
import { JsonScanner, NOT_PLAIN, PLAIN } from '#logs/lines/json-scanner.ts';
import type { DecodeReason } from '#senders/decoded.ts';

/** Lists and maps inside each other that a value may have. */
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const SMALL_N = 0x6e;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;

/** Stands for a member that a map does not have. */
export const ABSENT = -1;

/** The bytes are no JSON. */
export class MalformedText extends Error {}

export class JsonText extends JsonScanner {
  /** Why a value that was read since the fault was cleared cannot be kept, although the text is JSON. */
  fault: DecodeReason | undefined;
  /** The name that was read last, without quotation marks and escapes: its offset, and the bytes that it stands in. */
  nameBytes: Buffer;
  nameFrom = 0;
  nameEnd = 0;
  /** A part of the line that was asked for last: a search goes on to its end, however far that is. */
  #lineFrom = 0;
  #lineEnd = -1;
  #hasOddValue = false;
  /** Of the text, and whether a line feed ends it, too. */
  #end: number;
  #isOneLine = false;

  constructor(bytes: Buffer) {
    super();
    this.bytes = markMalformed(bytes);
    this.nameBytes = this.bytes;
    this.#end = this.bytes.length;
  }

  /** Goes to a text that is one line of the bytes. */
  openLine(from: number, end: number): void {
    this.at = from;
    this.#end = end;
    this.#isOneLine = true;
    this.fault = undefined;
  }

  /** Whether something was read that the scanner of lines would leave to the parser. */
  get isOdd(): boolean {
    return this.#hasOddValue || this.bytes.includes(CARRIAGE_RETURN);
  }

  get isMap(): boolean {
    return this.bytes[this.at] === OPENING_BRACE;
  }

  get isList(): boolean {
    return this.bytes[this.at] === OPENING_BRACKET;
  }

  get isString(): boolean {
    return this.bytes[this.at] === QUOTE;
  }

  isStringAt(offset: number): boolean {
    return this.bytes[offset] === QUOTE;
  }

  get isNull(): boolean {
    return this.bytes[this.at] === SMALL_N;
  }

  /** Goes into the map or list that begins here; false where it is empty, and then behind it. */
  begin(): boolean {
    const end = this.#closing();
    this.at += 1;
    this.skipBlanks();
    return !this.take(end);
  }

  /** Goes to the next member or element; false at the end, and then behind the map or list. */
  next(isMap: boolean): boolean {
    if (this.takeBetweenBlanks(COMMA)) return true;
    if (!this.take(isMap ? CLOSING_BRACE : CLOSING_BRACKET)) throw new MalformedText('a comma is missing');
    return false;
  }

  /** Reads the name of a member with its colon. */
  readName(): void {
    const { bytes, at: from } = this;
    if (bytes[from] !== QUOTE) throw new MalformedText('a name is missing');
    let end = from + 1;
    while (PLAIN[bytes[end] ?? 0] === 1) end += 1;
    if (bytes[end] === QUOTE) {
      this.at = end + 1;
      this.nameBytes = bytes;
      this.nameFrom = from + 1;
      this.nameEnd = end;
    } else this.#unescapeName(from);
    if (!this.takeBetweenBlanks(COLON)) throw new MalformedText('a colon is missing');
  }

  /** Reads this name, in quotation marks, with its colon, where it is the next. */
  readKnownName(key: Uint8Array): boolean {
    const { bytes, at } = this;
    if (!isAt(bytes, at, key)) return false;
    this.at = at + key.length;
    if (!this.takeBetweenBlanks(COLON)) throw new MalformedText('a colon is missing');
    return true;
  }

  isName(name: Uint8Array): boolean {
    const { nameBytes, nameFrom, nameEnd } = this;
    if (nameEnd - nameFrom !== name.length) return false;
    for (let at = 0; at < name.length; at += 1) if (nameBytes[nameFrom + at] !== name[at]) return false;
    return true;
  }

  /** Goes behind the value and gives its type by number. */
  override value(): number {
    const from = this.at;
    const type = super.value();
    if (type !== NOT_PLAIN) return type;
    this.#hasOddValue = true;
    this.at = from;
    if (!this.isMap && !this.isList) throw new MalformedText('a value is missing');
    return this.#nested(1);
  }

  override string(): number {
    return super.string() === NOT_PLAIN ? this.#oddString() : STRING;
  }

  override skipBlanks(): void {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at];
    while (byte === BLANK || byte === CARRIAGE_RETURN || byte === TAB || (byte === LINE_FEED && !this.#isOneLine)) {
      at += 1;
      byte = bytes[at];
    }
    this.at = at;
  }

  /** The string that begins here, with NULs for what cannot be stored; undefined for any other value. Goes behind it. */
  stringValue(): string | undefined {
    const from = this.at;
    if (this.value() !== STRING) return undefined;
    const text = this.bytes.toString('utf8', from, this.at);
    return text.includes('\\') ? parsedString(text) : text.slice(1, -1);
  }

  /** Goes behind the value without looking into it. What it holds need not be JSON. */
  pass(): void {
    if (!this.isMap && !this.isList) {
      this.value();
      return;
    }
    const { bytes } = this;
    let depth = 0;
    for (let at = this.at; at < this.#end; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) at = endOfString(bytes, at, this.#end) - 1;
      else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
      if (depth > 0) continue;
      this.at = at + 1;
      return;
    }
    throw new MalformedText('a bracket is missing');
  }

  /**
   * The offsets of the values of these members in the map that begins here, which the reader goes behind: ABSENT for those that it
   * does not have, and for null. What they hold is not looked into.
   */
  offsets(names: readonly Uint8Array[]): number[] {
    const offsets = names.map(() => ABSENT);
    if (this.isNull) {
      this.value();
      return offsets;
    }
    if (!this.isMap) throw new MalformedText('a map is missing');
    for (let more = this.begin(); more; more = this.next(true)) {
      this.readName();
      const known = names.findIndex((name) => this.isName(name));
      if (known === -1 || this.isNull) this.value();
      else {
        offsets[known] = this.at;
        this.pass();
      }
    }
    return offsets;
  }

  offsetsAt(at: number, names: readonly Uint8Array[]): number[] {
    if (at === ABSENT) return names.map(() => ABSENT);
    this.at = at;
    return this.offsets(names);
  }

  /** Goes to each element of the list at this offset, and is to be behind it before the next. */
  *elementsAt(at: number): Generator<undefined> {
    if (at === ABSENT) return;
    this.at = at;
    if (!this.isList) throw new MalformedText('a list is missing');
    for (let more = this.begin(); more; more = this.next(false)) yield;
  }

  /** The text of a string, or of a number, at this offset; undefined where there is none. */
  scalarAt(at: number): string | undefined {
    if (at === ABSENT) return undefined;
    this.at = at;
    if (this.isString) return this.stringValue();
    this.value();
    return this.bytes.toString('utf8', at, this.at);
  }

  /** Nothing but blanks may follow. */
  requireEnd(): void {
    this.skipBlanks();
    if (this.at < this.#end) throw new MalformedText('text follows the end');
  }

  hasLineFeed(from: number, end: number): boolean {
    if (this.#isOneLine) return false;
    if (from < this.#lineFrom) return this.bytes.subarray(from, end).includes(LINE_FEED);
    if (from > this.#lineEnd) {
      const found = this.bytes.indexOf(LINE_FEED, from);
      this.#lineFrom = from;
      this.#lineEnd = found === -1 ? this.bytes.length : found;
    }
    return this.#lineEnd < end;
  }

  #closing(): number {
    return this.isMap ? CLOSING_BRACE : CLOSING_BRACKET;
  }

  #unescapeName(from: number): void {
    if (this.string() === NOT_PLAIN) throw new MalformedText('a name is missing');
    this.nameBytes = Buffer.from(parsedString(this.bytes.toString('utf8', from, this.at)) ?? '');
    this.nameFrom = 0;
    this.nameEnd = this.nameBytes.length;
  }

  /** One with escapes by number that are no letters by themselves, or with NULs. */
  #oddString(): number {
    const from = this.at;
    const end = endOfString(this.bytes, from, this.#end);
    this.#hasOddValue = true;
    if (parsedString(this.bytes.toString('utf8', from, end)) === undefined) {
      throw new MalformedText('a string is not well-formed');
    }
    this.at = end;
    return STRING;
  }

  /** A list or map that is deeper than the scanner of lines reads. */
  #nested(depth: number): number {
    if (depth > MAX_DEPTH) {
      this.fault ??= 'nested-too-deep';
      this.pass();
      return OTHER;
    }
    const { isMap } = this;
    for (let more = this.begin(); more; more = this.next(isMap)) {
      if (isMap) this.readName();
      if (this.isMap || this.isList) this.#nested(depth + 1);
      else this.value();
    }
    return OTHER;
  }
}

/** Behind the quotation mark that ends it, or at the end of the text. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  let at = start + 1;
  for (let byte = bytes[at]; at < end && byte !== QUOTE; byte = bytes[at]) at += byte === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, end);
}

/** A backslash that is not itself escaped, before bytes that are not UTF-8: no escape at all. */
const BROKEN_ESCAPE = /(?<!\\)(?:\\\\)*\\\0/;

/** Undefined where the text is not a string of JSON. */
function parsedString(text: string): string | undefined {
  if (BROKEN_ESCAPE.test(text)) return undefined;
  try {
    return markUnpaired(JSON.parse(text.replaceAll('\0', '\\u0000')));
  } catch {
    return undefined;
  }
}
