// Finds the ends and types of JSON values in bytes that are valid UTF-8. A value that is not plain is left to the parser:
// malformed ones, escapes by number that may hide what no text may hold, long names, and deep nesting.

import { isPlainWord } from '#kernel/text/byte-words.ts';
import { MAX_NAME_BYTES } from '#logs/log-store.ts';
import { typeOf } from '#logs/shape.ts';
import { BOOL, DOUBLE, FIELD_TYPES, isAt, LONG, NULL, OTHER, STRING } from './field-names.ts';

export const NOT_PLAIN = -1;
const MAX_DEPTH = 32;
/** Of a nested name, with its quotation marks. */
const MAX_KEY_BYTES = MAX_NAME_BYTES + 2;
/** So many digits are exact in a double, whatever they are. */
const MAX_DIGITS = 15;

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
const SMALL_U = 0x75;
const PLUS = 0x2b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const TAB = 0x09;
const BLANK = 0x20;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NOTHING = Buffer.from('null');

/** By byte, 1 for those that stand for themselves in a string. */
export const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** By byte, 1 for those that make an escape together with a backslash alone. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

export class JsonScanner {
  #bytes: Buffer = Buffer.alloc(0);
  #words: DataView = new DataView(new ArrayBuffer(0));
  /** The place behind the last one where a word begins. */
  #wordsEnd = 0;
  /** Where the next token begins. The bytes from there on have a line end, which no token goes beyond. */
  at = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  set bytes(bytes: Buffer) {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#wordsEnd = bytes.length - 3;
  }

  /** The type of the value, by number, with `at` behind it; or `NOT_PLAIN`. */
  value(): number {
    const byte = this.bytes[this.at] ?? 0;
    if (byte === QUOTE) return this.string();
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.#number();
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) return this.#nested();
    return this.#literal(byte);
  }

  string(): number {
    const { bytes } = this;
    let at = this.at + 1;
    for (;;) {
      at = this.#behindPlainWords(at);
      while (PLAIN[bytes[at] ?? 0] === 1) at += 1;
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) return NOT_PLAIN;
      if (ESCAPED[bytes[at + 1] ?? 0] === 1) at += 2;
      else if (bytes[at + 1] === SMALL_U && isPlainLetter(bytes, at + 2)) at += 6;
      else return NOT_PLAIN;
    }
    this.at = at + 1;
    return STRING;
  }

  /** Behind the words of four bytes from `at` on that stand for themselves in a string. */
  #behindPlainWords(from: number): number {
    const words = this.#words;
    const end = this.#wordsEnd;
    let at = from;
    while (at < end && isPlainWord(words.getInt32(at))) at += 4;
    return at;
  }

  skipBlanks(): void {
    let byte = this.bytes[this.at];
    while (byte === BLANK || byte === TAB) {
      this.at += 1;
      byte = this.bytes[this.at];
    }
  }

  /** The same with the blanks before the token, and those behind it where it is the next. */
  takeBetweenBlanks(token: number): boolean {
    const { bytes, at } = this;
    if (bytes[at] === token && (bytes[at + 1] ?? 0) > BLANK) {
      this.at = at + 1;
      return true;
    }
    this.skipBlanks();
    if (!this.take(token)) return false;
    this.skipBlanks();
    return true;
  }

  /** Goes behind the token where it is the next. */
  take(token: number): boolean {
    if (this.bytes[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  #literal(first: number): number {
    const word = first === TRUE[0] ? TRUE : first === FALSE[0] ? FALSE : NOTHING;
    if (!isAt(this.bytes, this.at, word)) return NOT_PLAIN;
    this.at += word.length;
    return word === NOTHING ? NULL : BOOL;
  }

  #number(): number {
    const { bytes } = this;
    const from = bytes[this.at] === MINUS ? this.at + 1 : this.at;
    const wholeEnd = endOfDigits(bytes, from);
    if (wholeEnd === from || (bytes[from] === ZERO && wholeEnd > from + 1)) return NOT_PLAIN;
    const byte = bytes[wholeEnd];
    if (byte === POINT || byte === SMALL_E || byte === LARGE_E) return this.#fraction(from, wholeEnd);
    return this.#numberOf(LONG, wholeEnd, wholeEnd - from);
  }

  #fraction(from: number, wholeEnd: number): number {
    const { bytes } = this;
    let end = wholeEnd;
    let type = LONG as number;
    if (bytes[end] === POINT) {
      end = endOfDigits(bytes, wholeEnd + 1);
      if (end === wholeEnd + 1) return NOT_PLAIN;
      for (let at = wholeEnd + 1; at < end && type === LONG; at += 1) if (bytes[at] !== ZERO) type = DOUBLE;
    }
    if (bytes[end] !== SMALL_E && bytes[end] !== LARGE_E) return this.#numberOf(type, end, end - from - 1);
    const isSigned = bytes[end + 1] === PLUS || bytes[end + 1] === MINUS;
    const digits = end + (isSigned ? 2 : 1);
    const whole = endOfDigits(bytes, digits);
    return whole === digits ? NOT_PLAIN : this.#numberOf(DOUBLE, whole, Number.POSITIVE_INFINITY);
  }

  /** `type` is right for so few digits that no double rounds them. */
  #numberOf(type: number, end: number, digits: number): number {
    const from = this.at;
    this.at = end;
    return digits <= MAX_DIGITS ? type : FIELD_TYPES.indexOf(typeOf(Number(this.bytes.toString('latin1', from, end))));
  }

  #nested(): number {
    /** Whether each of the lists and maps around is a map. */
    let depth = 0;
    let maps = 0;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (depth === MAX_DEPTH - 1) return NOT_PLAIN;
        [depth, maps] = [depth + 1, (maps << 1) | (byte === OPENING_BRACE ? 1 : 0)];
        this.at += 1;
        this.skipBlanks();
        if (!this.take((maps & 1) === 1 ? CLOSING_BRACE : CLOSING_BRACKET)) {
          if ((maps & 1) === 1 && !this.#key()) return NOT_PLAIN;
          continue;
        }
        [depth, maps] = [depth - 1, maps >>> 1];
      } else if (this.#scalar(byte ?? 0) === NOT_PLAIN) return NOT_PLAIN;
      for (; depth > 0; [depth, maps] = [depth - 1, maps >>> 1]) {
        this.skipBlanks();
        if (this.take(COMMA)) break;
        if (!this.take((maps & 1) === 1 ? CLOSING_BRACE : CLOSING_BRACKET)) return NOT_PLAIN;
      }
      if (depth === 0) return OTHER;
      this.skipBlanks();
      if ((maps & 1) === 1 && !this.#key()) return NOT_PLAIN;
    }
  }

  #scalar(byte: number): number {
    if (byte === QUOTE) return this.string();
    return byte === MINUS || (byte >= ZERO && byte <= NINE) ? this.#number() : this.#literal(byte);
  }

  /** A name in a nested map, with its colon. */
  #key(): boolean {
    const from = this.at;
    if (this.bytes[from] !== QUOTE || this.string() === NOT_PLAIN || this.at - from > MAX_KEY_BYTES) return false;
    this.skipBlanks();
    if (!this.take(COLON)) return false;
    this.skipBlanks();
    return true;
  }
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  let byte = bytes[at] ?? 0;
  while (byte >= ZERO && byte <= NINE) {
    at += 1;
    byte = bytes[at] ?? 0;
  }
  return at;
}

/** Whether four digits of an escape are a letter by itself: neither NUL nor half of a surrogate pair. */
function isPlainLetter(bytes: Buffer, from: number): boolean {
  const digits = bytes.toString('latin1', from, from + 4);
  return /^[\da-f]{4}$/i.test(digits) && !/^(?:0000|d[89a-f])/i.test(digits);
}
