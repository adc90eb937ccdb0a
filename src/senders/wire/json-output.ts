// JSON as growing bytes: strings are escaped while they are copied. A fault ends the writing; nothing is thrown. What cannot be
// stored becomes a NUL, which the reader of lines replaces.

import { markUnpaired } from '#kernel/text/storable-text.ts';
import { letterBytes, malformedBytes } from '#kernel/text/utf8.ts';
import type { DecodeReason } from '#senders/decoded.ts';

const FIRST_BYTES = 4096;
/** Of a control character. */
export const MAX_ESCAPE_BYTES = 6;
/** From this length on, a copy by the runtime is quicker than a loop. */
const MIN_LONG_COPY = 48;
/** Whole numbers up to this one are written without a text of them. */
const MAX_SHORT = 99_999;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const ZERO = 0x30;
const SMALL_U = 0x75;
const LINE_FEED = 0x0a;
const BLANK = 0x20;
const HEX = Buffer.from('0123456789abcdef');
/** A string of these needs no escape. */
const UNESCAPED = /^[\w .:/-]*$/;

/** By byte, 1 for those that stand for themselves in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** By byte, the letter that makes its escape; 0 where it has none of its own. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const escaped = JSON.stringify(String.fromCharCode(byte));
  return escaped.length === 4 ? escaped.charCodeAt(2) : 0;
});

export class JsonOutput {
  bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  /** Behind the last byte that was written. */
  length = 0;
  /** Why the text cannot be kept. */
  fault: DecodeReason | undefined;
  /** Whether NULs stand for something in a string that was written. */
  protected hasMarks = false;
  readonly #maxBytes: number;

  /** More bytes are the fault `line-too-long`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The first fault counts. */
  fail(fault: DecodeReason): void {
    this.fault ??= fault;
  }

  /** UTF-8 as a string. */
  text(source: Buffer, from: number, end: number): void {
    if (!this.reserve(end - from + 2, MAX_ESCAPE_BYTES * (end - from) + 2)) return;
    if (end - from < MIN_LONG_COPY || !isPlain(source, from, end)) {
      this.quoted(source, from, end);
      return;
    }
    this.put(QUOTE);
    source.copy(this.bytes, this.length, from, end);
    this.length += end - from;
    this.put(QUOTE);
  }

  /** A text that is at hand already, as a string. */
  string(text: string): void {
    if (UNESCAPED.test(text)) this.ascii(`"${text}"`);
    else {
      const bytes = Buffer.from(markUnpaired(text));
      this.text(bytes, 0, bytes.length);
    }
  }

  /** Letters of ASCII as they are: digits, and words of JSON. */
  ascii(letters: string): void {
    if (!this.reserve(letters.length)) return;
    const { bytes, length } = this;
    if (letters.length >= MIN_LONG_COPY) bytes.write(letters, length, 'latin1');
    else for (let at = 0; at < letters.length; at += 1) bytes[length + at] = letters.charCodeAt(at);
    this.length += letters.length;
  }

  /** What JSON has no number for becomes null. */
  number(value: number): void {
    this.ascii(Number.isFinite(value) ? String(value) : 'null');
  }

  whole(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > MAX_SHORT) {
      this.ascii(String(value));
      return;
    }
    const digits = digitsOf(value);
    if (this.reserve(digits)) this.lastDigits(value, digits);
  }

  null(): void {
    this.ascii('null');
  }

  base64(source: Buffer, from: number, end: number): void {
    this.ascii(`"${source.toString('base64', from, end)}"`);
  }

  /** JSON as it stands in the source. Line feeds, which stand between tokens only, become blanks. */
  json(source: Buffer, from: number, end: number, hasLineFeeds = false): void {
    if (!this.reserve(end - from)) return;
    const { bytes, length } = this;
    if (end - from >= MIN_LONG_COPY) source.copy(bytes, length, from, end);
    else for (let at = from; at < end; at += 1) bytes[length + at - from] = source[at] ?? 0;
    this.length += end - from;
    if (!hasLineFeeds) return;
    for (let at = length; at < this.length; at += 1) if (bytes[at] === LINE_FEED) bytes[at] = BLANK;
  }

  beginMap(): void {
    this.#mark(OPENING_BRACE);
  }

  endMap(): void {
    this.#mark(CLOSING_BRACE);
  }

  beginList(): void {
    this.#mark(OPENING_BRACKET);
  }

  endList(): void {
    this.#mark(CLOSING_BRACKET);
  }

  comma(): void {
    this.#mark(COMMA);
  }

  colon(): void {
    this.#mark(COLON);
  }

  /** False where there is a fault by now: the text grows by `least` bytes for sure, and by `most` perhaps. */
  protected reserve(least: number, most = least): boolean {
    if (this.fault !== undefined) return false;
    if (this.length + least > this.#maxBytes) {
      this.fault = 'line-too-long';
      return false;
    }
    if (this.length + most > this.bytes.length) this.#grow(this.length + most);
    return true;
  }

  /** The string with what stands before it inside, all of it reserved. */
  protected quoted(source: Uint8Array, from: number, end: number): void {
    this.put(QUOTE);
    if (!this.escaped(source, from, end)) this.hasMarks = true;
    this.put(QUOTE);
  }

  protected put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** Returns false if NULs stand for something in it. */
  protected escaped(source: Uint8Array, from: number, end: number): boolean {
    const { bytes } = this;
    let isStorable = true;
    let to = this.length;
    for (let at = from; at < end; ) {
      const byte = source[at] ?? 0;
      if (PLAIN[byte] === 1) {
        bytes[to] = byte;
        to += 1;
        at += 1;
        continue;
      }
      const letter = ESCAPES[byte] ?? 0;
      if (letter !== 0) {
        bytes[to] = BACKSLASH;
        bytes[to + 1] = letter;
        to += 2;
        at += 1;
        continue;
      }
      const length = byte < 0x80 ? Math.min(byte, 1) : letterBytes(source, at, end);
      if (length === 0) {
        isStorable = false;
        bytes[to] = 0;
        to += 1;
        at += malformedBytes(source, at, end);
        continue;
      }
      if (length === 1) to = escapeInto(bytes, to, byte);
      else for (let index = 0; index < length; index += 1, to += 1) bytes[to] = source[at + index] ?? 0;
      at += length;
    }
    this.length = to;
    return isStorable;
  }

  /** So many digits of a whole number of up to 31 bits, with zeros before them; all of them reserved. */
  protected lastDigits(value: number, count: number): void {
    let rest = value | 0;
    for (let at = this.length + count - 1; at >= this.length; at -= 1) {
      this.bytes[at] = ZERO + (rest % 10);
      rest = (rest / 10) | 0;
    }
    this.length += count;
  }

  #mark(byte: number): void {
    if (this.reserve(1)) this.put(byte);
  }

  #grow(needed: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, 2 * this.bytes.length)));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function isPlain(source: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end && PLAIN[source[at] ?? 0] === 1) at += 1;
  return at === end;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}

/** A control character that has no letter of its own. Gives the place behind its escape. */
function escapeInto(bytes: Buffer, to: number, byte: number): number {
  bytes[to] = BACKSLASH;
  bytes[to + 1] = SMALL_U;
  bytes[to + 2] = ZERO;
  bytes[to + 3] = ZERO;
  bytes[to + 4] = HEX[byte >>> 4] ?? 0;
  bytes[to + 5] = HEX[byte & 15] ?? 0;
  return to + 6;
}
