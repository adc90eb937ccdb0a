// Parses the JSON of records (RFC 8259) to values: whole numbers that fit are longs, of equal keys the first counts.
// JSON.parse keeps neither, and a second pass would double the time of ingestion.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { finite, long } from './conversions.ts';
import { trimmed } from './strings.ts';
import { mapOf, untagged } from './tags.ts';

const MAX_DEPTH = 512;

/** Undefined if the text is no JSON or is nested too deeply. The members of maps count as steps if there is a meter. */
export const strictJson = (text: string, meter?: Steps): Value | undefined => readJson(text, false, meter);

/** As `strictJson`, with the two liberties of the command `json`: single-quoted strings and bare keys. */
export const lenientJson = (text: string, meter?: Steps): Value | undefined => readJson(text, true, meter);

function readJson(text: string, isLenient: boolean, meter: Steps | undefined): Value | undefined {
  try {
    return new Reader(text, isLenient, meter).whole();
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined;
    throw failure;
  }
}

/**
 * The fields that a text of JSON holds: the members of a map with trimmed names, without empty ones, or the elements of a
 * list; undefined for any other text.
 */
export function strictFields(text: string, meter?: Steps): ReadonlyMap<string, Value> | readonly Value[] | undefined {
  try {
    const value = new Reader(text, false, meter, true).whole();
    return value instanceof Map || Array.isArray(value) ? value : undefined;
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined;
    throw failure;
  }
}

/**
 * The fields of a record as a new mutable map: a record itself is never a date or binary, even if it has the form of
 * one.
 */
export const recordIn = (text: string): Map<string, Value> => asRecord(strictJson(text));

/** The same of a text that may have very many members and elements. */
export function* recordInSlices(text: string): SlicedWork<Map<string, Value>> {
  return asRecord(yield* new Reader(text, false, undefined).slices());
}

function asRecord(value: Value | undefined): Map<string, Value> {
  if (value instanceof Map) return value;
  if (value === undefined) throw new Error('the text of a record is no JSON');
  return new Map(mapOf(value));
}

/** Members and elements between two slices. */
const SLICE_VALUES = 512;

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** The number of digits that always fits a long. */
const SHORT = 18;

/** The number of digits that a double represents exactly. */
const COUNTED = 15;

const ZERO = 0x30;
const POINT = 0x2e;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
const QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

const BARE_KEY = /[\p{L}\p{Nd}\p{M}_@.-]+/uy;
const ESCAPED = /\\.|"/gsu;

const doubleQuoted = (part: string): string => (part === "\\'" ? "'" : part === '"' ? '\\"' : part);

class Reader {
  readonly #text: string;
  readonly #isLenient: boolean;
  readonly #meter: Steps | undefined;
  /** Of the outermost map, whose empty names are left out. */
  readonly #trimsNames: boolean;
  #at = 0;
  /** Whether the string that was read last has escapes. */
  #isEscaped = false;
  /** Members and elements that were read in slices. */
  #sliced = 0;

  constructor(text: string, isLenient: boolean, meter: Steps | undefined, trimsNames = false) {
    this.#text = text;
    this.#isLenient = isLenient;
    this.#meter = meter;
    this.#trimsNames = trimsNames;
  }

  whole(): Value {
    const value = this.#value(0);
    this.#requireEnd();
    return value;
  }

  #requireEnd(): void {
    this.#next();
    if (this.#at < this.#text.length) throw malformed();
  }

  /** The same in slices; a scalar is read at once. */
  *slices(depth = 0): SlicedWork<Value> {
    if (depth > MAX_DEPTH) throw malformed();
    const code = this.#next();
    const value =
      code === OPEN_MAP
        ? yield* this.#slicedMap(depth)
        : code === OPEN_LIST
          ? yield* this.#slicedList(depth)
          : this.#value(depth);
    if (depth === 0) this.#requireEnd();
    return value;
  }

  *#slicedList(depth: number): SlicedWork<Value> {
    const items: Value[] = [];
    if (this.#isEmpty(CLOSE_LIST)) return items;
    do {
      if (this.#isSliceDone()) yield;
      items.push(yield* this.slices(depth + 1));
    } while (this.#hasNext(CLOSE_LIST));
    return items;
  }

  *#slicedMap(depth: number): SlicedWork<Value> {
    const map = new Map<string, Value>();
    let members = 0;
    if (this.#isEmpty(CLOSE_MAP)) return untaggedWithin(map, members, depth);
    do {
      if (this.#isSliceDone()) yield;
      const key = this.#key();
      this.#addMember(map, key, yield* this.slices(depth + 1), depth);
      members += 1;
    } while (this.#hasNext(CLOSE_MAP));
    return untaggedWithin(map, members, depth);
  }

  #isSliceDone(): boolean {
    this.#sliced += 1;
    return this.#sliced % SLICE_VALUES === 0;
  }

  /** Skips white space and returns the code of the next character. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at += 1;
    }
  }

  #value(depth: number): Value {
    if (depth > MAX_DEPTH) throw malformed();
    switch (this.#next()) {
      case QUOTE:
        return this.#string();
      case OPEN_MAP:
        return this.#map(depth);
      case OPEN_LIST:
        return this.#list(depth);
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      case SINGLE_QUOTE:
        return this.#singleQuoted();
      default:
        return this.#number();
    }
  }

  #word(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw malformed();
    this.#at += word.length;
    return value;
  }

  #list(depth: number): Value {
    const items: Value[] = [];
    if (this.#isEmpty(CLOSE_LIST)) return items;
    do {
      items.push(this.#value(depth + 1));
    } while (this.#hasNext(CLOSE_LIST));
    return items;
  }

  /** Reads a map; tagged dates and binaries become values as in a stored record. */
  #map(depth: number): Value {
    const map = new Map<string, Value>();
    let members = 0;
    if (this.#isEmpty(CLOSE_MAP)) return untaggedWithin(map, members, depth);
    do {
      const key = this.#key();
      this.#addMember(map, key, this.#value(depth + 1), depth);
      members += 1;
    } while (this.#hasNext(CLOSE_MAP));
    return untaggedWithin(map, members, depth);
  }

  /** Reads the mark that opens a list or map, and the one that closes it if that follows. */
  #isEmpty(close: number): boolean {
    this.#at += 1;
    if (this.#next() !== close) return false;
    this.#at += 1;
    return true;
  }

  /** Reads a key and the colon after it. */
  #key(): string {
    const key = this.#next() === QUOTE ? this.#string() : this.#lenientKey();
    if (this.#next() !== COLON) throw malformed();
    this.#at += 1;
    return key;
  }

  #addMember(map: Map<string, Value>, key: string, value: Value, depth: number): void {
    const name = depth === 0 && this.#trimsNames ? trimmed(key) : key;
    if (!map.has(name) && (name !== '' || depth > 0 || !this.#trimsNames)) map.set(name, value);
    this.#meter?.takeMember();
  }

  /** True if another element follows, false at the end of the list or map. */
  #hasNext(close: number): boolean {
    const code = this.#next();
    if (code !== COMMA && code !== close) throw malformed();
    this.#at += 1;
    return code === COMMA;
  }

  #string(): string {
    const begin = this.#at;
    const at = this.#stringEnd(QUOTE);
    this.#at = at;
    return this.#isEscaped ? JSON.parse(this.#text.slice(begin, at)) : this.#text.slice(begin + 1, at - 1);
  }

  /** The position after the closing quote of the string at the cursor. */
  #stringEnd(quote: number): number {
    const text = this.#text;
    this.#isEscaped = false;
    for (let at = this.#at + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return at + 1;
      if (code < 0x20) throw malformed();
      if (code === BACKSLASH) {
        this.#isEscaped = true;
        at += 1;
      }
    }
    throw malformed();
  }

  #lenientKey(): string {
    if (this.#next() === SINGLE_QUOTE) return this.#singleQuoted();
    BARE_KEY.lastIndex = this.#at;
    const [key] = (this.#isLenient && BARE_KEY.exec(this.#text)) || [];
    if (key === undefined) throw malformed();
    this.#at += key.length;
    return key;
  }

  /** `\'` is an escape in it, and `"` needs none. */
  #singleQuoted(): string {
    if (!this.#isLenient) throw malformed();
    const begin = this.#at + 1;
    const at = this.#stringEnd(SINGLE_QUOTE);
    this.#at = at;
    const inner = this.#text.slice(begin, at - 1);
    return this.#isEscaped ? JSON.parse(`"${inner.replace(ESCAPED, doubleQuoted)}"`) : inner;
  }

  #number(): Value {
    return this.#small() ?? this.#anyNumber();
  }

  /** Reads a number of few digits without sign or fraction, the most frequent form. */
  #small(): bigint | undefined {
    const text = this.#text;
    let number = text.charCodeAt(this.#at) - ZERO;
    if (!(number > 0 && number <= 9))
      return number === 0 && !continuesNumber(text.charCodeAt(this.#at + 1)) ? this.#zero() : undefined;
    let at = this.#at + 1;
    for (; at < this.#at + COUNTED; at += 1) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
    }
    if (continuesNumber(text.charCodeAt(at))) return undefined;
    this.#at = at;
    return BigInt(number);
  }

  #zero(): bigint {
    this.#at += 1;
    return 0n;
  }

  #anyNumber(): Value {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (!found) throw malformed();
    const [digits, fraction, exponent] = found;
    this.#at += digits.length;
    if (fraction !== undefined || exponent !== undefined) return finite(Number(digits));
    if (digits.length <= SHORT) return BigInt(digits);
    return long(BigInt(digits)) ?? finite(Number(digits));
  }
}

/** The outermost map is a record, never a date or binary. */
const untaggedWithin = (map: Map<string, Value>, members: number, depth: number): Value =>
  depth === 0 ? map : untagged(map, members);

/** True if the character may continue a number. */
const continuesNumber = (code: number): boolean =>
  (code >= ZERO && code <= ZERO + 9) || code === POINT || code === SMALL_E || code === LARGE_E;

const malformed = (): SyntaxError => new SyntaxError('no JSON');
