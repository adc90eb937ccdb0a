// Reads the text of JSON, in slices where it is long. Every text that becomes values by this house's own rules is read here; what
// becomes of it is told by a subclass. The stack is its own, so that the depth is bounded by a number and not by the call stack.

import type { SlicedWork } from '#kernel/sliced-work.ts';

export interface JsonLimits {
  /** Lists and maps inside each other. */
  readonly depth: number;
  /** Members and elements at every depth; containers are not counted in addition, the outermost value not at all. */
  readonly values: number;
}

export type JsonFault =
  | 'json-colon'
  | 'json-depth'
  | 'json-end'
  | 'json-escape'
  | 'json-key'
  | 'json-number'
  | 'json-rest'
  | 'json-separator'
  | 'json-string'
  | 'json-value';

/** The text is not JSON, nests too deep, or holds a text that the reader does not take. */
export class MalformedJson extends Error {
  readonly fault: JsonFault;
  readonly at: number;

  constructor(fault: JsonFault, at: number) {
    super(`${fault} at ${at}`);
    this.fault = fault;
    this.at = at;
  }
}

export class TooManyValues extends Error {}

/** `strict` is RFC 8259. `lenient` has single-quoted strings, the escape `\'` and keys without quotes besides. */
export type JsonGrammar = 'strict' | 'lenient';

/** Characters, and values, of a slice. */
const SLICE_CHARACTERS = 64 * 1024;
const SLICE_VALUES = 512;

/** So many digits are exact in a double, whatever they are. */
const EXACT_DIGITS = 15;
const FEW_BLANKS = 32;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LARGE_E = 0x45;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const SMALL_E = 0x65;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const SMALL_U = 0x75;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const BARE_KEY = /[\p{L}\p{Nd}\p{M}_@.-]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const LENIENT_ESCAPE = /\\(?:["'\\/bfnrt]|u[\da-fA-F]{4})/y;
/** What makes a number wrong that ends before it. */
const GOES_ON = /[\p{L}\d.]/u;

/** There is no value yet: a list or map was opened, or the slice is over inside of a string. */
const NOTHING = Symbol('nothing');

/** A list or map around the present value. Frames are used again at their depth. */
interface Frame<List, Map> {
  list: List | undefined;
  map: Map | undefined;
  /** Of the present member. */
  key: string;
  /** So far, those with equal keys included. */
  members: number;
  begin: number;
}

export abstract class JsonReader<Value, List extends Value, Map extends Value> {
  protected readonly text: string;
  /** Where the present value begins; after the end of a list or map, where that began. */
  protected begin = 0;
  /** Behind what was read last: in `element` and `member` this is the value. */
  protected at = 0;
  /** Lists and maps around the present value. */
  protected depth = 0;
  readonly #limits: JsonLimits;
  readonly #isLenient: boolean;
  readonly #frames: Frame<List, Map>[] = [];
  #awaitsKey = false;
  #count = -1;
  #sliceEnd = 0;
  /** Of a string that is longer than a slice. */
  #pieces: string[] | undefined;
  #quote = QUOTE;
  #result: Value | typeof NOTHING = NOTHING;

  constructor(text: string, limits: JsonLimits, grammar: JsonGrammar = 'strict') {
    this.text = text;
    this.#limits = limits;
    this.#isLenient = grammar === 'lenient';
  }

  /** Throws MalformedJson or TooManyValues. */
  whole(): Value {
    return this.#advanced(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) as Value; // The only slice.
  }

  *slices(): SlicedWork<Value> {
    for (;;) {
      const value = this.#advanced(SLICE_VALUES, SLICE_CHARACTERS);
      if (value !== NOTHING) return value;
      yield;
    }
  }

  protected abstract openList(): List;
  protected abstract openMap(): Map;
  protected abstract element(list: List, value: Value): void;
  /** `members` were added before, those with equal keys included. */
  protected abstract member(map: Map, key: string, value: Value, members: number): void;
  protected abstract word(value: boolean | null): Value;
  /** A whole number that a double holds. */
  protected abstract fewDigits(value: number): Value;
  /** Undefined where the number is out of bounds. */
  protected abstract number(digits: string, isWhole: boolean): Value | undefined;
  protected abstract string(text: string): Value;

  protected key(text: string): string {
    return text;
  }

  protected closed(map: Map, _members: number): Value {
    return map;
  }

  protected malformed(fault: JsonFault, at = this.at): MalformedJson {
    return new MalformedJson(fault, at);
  }

  #advanced(values: number, characters: number): Value | typeof NOTHING {
    const lastCount = this.#count + values;
    this.#sliceEnd = this.at + characters;
    while (this.#count < lastCount && this.at < this.#sliceEnd) {
      if (this.#awaitsKey) {
        this.#readKey();
        continue;
      }
      const value = this.#value();
      if (value !== NOTHING && this.#isLast(value)) return this.#result;
    }
    return NOTHING;
  }

  #value(): Value | typeof NOTHING {
    if (this.#pieces) return this.#stringValue();
    const code = this.#next();
    this.begin = this.at;
    this.#count += 1;
    if (this.#count > this.#limits.values) throw new TooManyValues();
    switch (code) {
      case QUOTE:
        return this.#beginString(code);
      case OPENING_BRACE:
        return this.#openMap();
      case OPENING_BRACKET:
        return this.#openList();
      case SMALL_T:
        return this.#word('true', true);
      case SMALL_F:
        return this.#word('false', false);
      case SMALL_N:
        return this.#word('null', null);
      case SINGLE_QUOTE:
        if (this.#isLenient) return this.#beginString(code);
        throw this.malformed('json-value');
      default:
        return this.#number(code);
    }
  }

  #openMap(): Value | typeof NOTHING {
    this.#requireDepth();
    const map = this.openMap();
    if (this.#isEmpty(CLOSING_BRACE)) return this.closed(map, 0);
    this.#push(undefined, map);
    this.#awaitsKey = true;
    return NOTHING;
  }

  #openList(): Value | typeof NOTHING {
    this.#requireDepth();
    const list = this.openList();
    if (this.#isEmpty(CLOSING_BRACKET)) return list;
    this.#push(list, undefined);
    return NOTHING;
  }

  #requireDepth(): void {
    if (this.depth >= this.#limits.depth) throw this.malformed('json-depth');
  }

  #isEmpty(closing: number): boolean {
    this.at += 1;
    if (this.#next() !== closing) return false;
    this.at += 1;
    return true;
  }

  #push(list: List | undefined, map: Map | undefined): void {
    const { begin } = this;
    const frame = this.#frames[this.depth];
    if (frame) Object.assign(frame, { list, map, members: 0, begin });
    else this.#frames.push({ list, map, key: '', members: 0, begin });
    this.depth += 1;
  }

  /** Adds a value to the list or map around it, and that to its own once it is complete. True for the outermost value. */
  #isLast(given: Value): boolean {
    let value = given;
    for (;;) {
      const frame = this.#frames[this.depth - 1];
      if (this.depth === 0 || !frame) return this.#finish(value);
      const { list, map } = frame;
      if (map !== undefined) {
        this.member(map, frame.key, value, frame.members);
        frame.members += 1;
      } else if (list !== undefined) this.element(list, value);
      const code = this.#next();
      if (code === COMMA) {
        this.at += 1;
        this.#awaitsKey = map !== undefined;
        return false;
      }
      if (code !== (map === undefined ? CLOSING_BRACKET : CLOSING_BRACE)) throw this.#missing('json-separator');
      this.at += 1;
      this.depth -= 1;
      this.begin = frame.begin;
      value = map === undefined ? (list as List) : this.closed(map, frame.members); // One of both is there.
    }
  }

  #finish(value: Value): boolean {
    this.#next();
    if (this.at < this.text.length) throw this.malformed('json-rest');
    this.#result = value;
    return true;
  }

  /** The key of the next member with its colon, or as much of it as the slice has. */
  #readKey(): void {
    const written = this.#writtenKey();
    if (written === NOTHING) return;
    const key = this.key(written);
    if (this.#next() !== COLON) throw this.#missing('json-colon');
    this.at += 1;
    this.#awaitsKey = false;
    const frame = this.#frames[this.depth - 1];
    if (frame) frame.key = key;
  }

  #writtenKey(): string | typeof NOTHING {
    if (this.#pieces) return this.#string();
    const code = this.#next();
    this.begin = this.at;
    if (code === QUOTE || (code === SINGLE_QUOTE && this.#isLenient)) return this.#quoted(code);
    BARE_KEY.lastIndex = this.at;
    const [key] = (this.#isLenient && BARE_KEY.exec(this.text)) || [];
    if (key === undefined) throw this.#missing('json-key');
    this.at += key.length;
    return key;
  }

  #word(word: string, value: boolean | null): Value {
    if (!this.text.startsWith(word, this.at)) throw this.malformed('json-value');
    this.at += word.length;
    return this.word(value);
  }

  #beginString(quote: number): Value | typeof NOTHING {
    const text = this.#quoted(quote);
    return text === NOTHING ? text : this.string(text);
  }

  #stringValue(): Value | typeof NOTHING {
    const text = this.#string();
    return text === NOTHING ? text : this.string(text);
  }

  #quoted(quote: number): string | typeof NOTHING {
    this.#quote = quote;
    this.at += 1;
    return this.#string();
  }

  /** The rest of the string, or nothing where the slice ends before it. A piece never ends inside of an escape. */
  #string(): string | typeof NOTHING {
    const { text, at: from } = this;
    let isEscaped = false;
    let at = from;
    for (; at < text.length && at < this.#sliceEnd; at += 1) {
      const code = text.charCodeAt(at);
      if (code === this.#quote) {
        this.at = at + 1;
        return this.#joined(this.#unescaped(from, at, isEscaped));
      }
      if (code < BLANK) throw this.#wrongString();
      if (code !== BACKSLASH) continue;
      isEscaped = true;
      at += text.charCodeAt(at + 1) === SMALL_U ? 5 : 1;
    }
    if (at >= text.length) throw this.#wrongString();
    this.#pieces ??= [];
    this.#pieces.push(this.#unescaped(from, at, isEscaped));
    this.at = at;
    return NOTHING;
  }

  #joined(last: string): string {
    const pieces = this.#pieces;
    if (!pieces) return last;
    this.#pieces = undefined;
    return pieces.join('') + last;
  }

  #unescaped(from: number, end: number, isEscaped: boolean): string {
    const written = this.text.slice(from, end);
    if (!isEscaped) return written;
    try {
      return JSON.parse(`"${this.#isLenient ? written.replace(MARKS, doubleQuoted) : written}"`);
    } catch {
      throw this.#wrongString();
    }
  }

  /** The first fault of the string that began last, which has one. */
  #wrongString(): MalformedJson {
    const escapes = this.#isLenient ? LENIENT_ESCAPE : ESCAPE;
    for (let at = this.begin + 1; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code < BLANK || code === this.#quote) break;
      if (code !== BACKSLASH) continue;
      escapes.lastIndex = at;
      const [found] = escapes.exec(this.text) ?? [];
      if (found === undefined) return this.malformed('json-escape', at);
      at += found.length - 1;
    }
    return this.malformed('json-string', this.begin);
  }

  /** Most numbers have few digits and neither a sign nor a fraction. */
  #number(first: number): Value {
    const { text, at: from } = this;
    let value = first - ZERO;
    if (!(value > 0 && value <= 9)) return this.#anyNumber();
    let at = from + 1;
    for (; at < from + EXACT_DIGITS; at += 1) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (!this.#isTokenEnd(at)) return this.#anyNumber();
    this.at = at;
    return this.fewDigits(value);
  }

  #anyNumber(): Value {
    const { text, at: from } = this;
    const wholeFrom = text.charCodeAt(from) === MINUS ? from + 1 : from;
    const isZero = text.charCodeAt(wholeFrom) === ZERO;
    const wholeEnd = isZero ? wholeFrom + 1 : endOfDigits(text, wholeFrom);
    if (wholeEnd === wholeFrom) throw this.#missing('json-value');
    const end = endOfExponent(text, endOfFraction(text, wholeEnd));
    if (GOES_ON.test(text.charAt(end))) throw this.malformed('json-number', from);
    const value = this.number(text.slice(from, end), end === wholeEnd);
    if (value === undefined) throw this.malformed('json-number', from);
    this.at = end;
    return value;
  }

  #isTokenEnd(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET || code <= BLANK || Number.isNaN(code);
  }

  #missing(fault: JsonFault): MalformedJson {
    return this.malformed(this.at < this.text.length ? fault : 'json-end');
  }

  /** Skips blanks and returns the code of the next character, NaN at the end. */
  #next(): number {
    const { text } = this;
    let code = text.charCodeAt(this.at);
    for (const few = this.at + FEW_BLANKS; isBlank(code); code = text.charCodeAt(this.at)) {
      this.at = this.at < few ? this.at + 1 : behindBlanks(text, this.at);
    }
    return code;
  }
}

/** What a string in single quotes writes otherwise than one in double quotes. */
const MARKS = /\\.|"/gsu;
const doubleQuoted = (mark: string): string => (mark === "\\'" ? "'" : mark === '"' ? '\\"' : mark);

const isBlank = (code: number): boolean =>
  code === BLANK || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;

/** Of a long run: a regular expression is faster there. */
function behindBlanks(text: string, at: number): number {
  const other = /[^\t\n\r ]/g;
  other.lastIndex = at;
  return other.exec(text)?.index ?? text.length;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1;
  return at;
}

/** `from` where no fraction begins. */
function endOfFraction(text: string, from: number): number {
  if (text.charCodeAt(from) !== POINT) return from;
  const end = endOfDigits(text, from + 1);
  return end === from + 1 ? from : end;
}

/** `from` where no exponent begins. */
function endOfExponent(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== SMALL_E && code !== LARGE_E) return from;
  const sign = text.charCodeAt(from + 1);
  const digits = sign === PLUS || sign === MINUS ? from + 2 : from + 1;
  const end = endOfDigits(text, digits);
  return end === digits ? from : end;
}
