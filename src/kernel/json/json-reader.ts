// Reads the text of JSON, in slices where it is long. Every text that becomes values by this house's own rules is read here; what
// becomes of it is told by a `JsonForm`. The stack is its own, so that the depth is bounded by a number and not by the call stack.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import {
  type JsonFault,
  type JsonForm,
  type MalformedJson,
  malformed,
  type Reading,
  TooManyValues,
} from './json-form.ts';

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
interface Frame<Value, Members> {
  readonly outer: Frame<Value, Members> | undefined;
  inner: Frame<Value, Members> | undefined;
  list: Value[] | undefined;
  map: Members | undefined;
  /** Of the present member. */
  key: string;
  /** So far, those with equal keys included. */
  members: number;
  begin: number;
}

/** One class for all forms: its own state is quick to reach only where V8 meets objects of one shape. */
export class JsonReader<Value, Members extends Value> implements Reading {
  readonly text: string;
  begin = 0;
  at = 0;
  depth = 0;
  readonly #form: JsonForm<Value, Members>;
  readonly #maxDepth: number;
  readonly #maxValues: number;
  readonly #isLenient: boolean;
  #outermost: Frame<Value, Members> | undefined;
  #frame: Frame<Value, Members> | undefined;
  #awaitsKey = false;
  #count = -1;
  #sliceEnd = 0;
  /** Of a string that is longer than a slice. */
  #pieces: string[] | undefined;
  #quote = QUOTE;
  /** Of a number that is longer than a slice: how far its digits were read, by where they begin. */
  #digits: Map<number, number> | undefined;
  #result: Value | typeof NOTHING = NOTHING;

  constructor(text: string, form: JsonForm<Value, Members>) {
    this.text = text;
    this.#form = form;
    this.#maxDepth = form.limits.depth;
    this.#maxValues = form.limits.values;
    this.#isLenient = form.grammar === 'lenient';
  }

  /** Throws MalformedJson or TooManyValues. */
  whole(): Value {
    this.#sliceEnd = Number.POSITIVE_INFINITY;
    while (this.#result === NOTHING) this.#step();
    return this.#result;
  }

  *slices(): SlicedWork<Value> {
    for (;;) {
      const lastCount = this.#count + SLICE_VALUES;
      this.#sliceEnd = this.at + SLICE_CHARACTERS;
      while (this.#count < lastCount && this.at < this.#sliceEnd) {
        this.#step();
        if (this.#result !== NOTHING) return this.#result;
      }
      yield;
    }
  }

  /** A key, a value, or as much of either as the slice has. */
  #step(): void {
    if (this.#awaitsKey) {
      this.#readKey();
      return;
    }
    const value = this.#value();
    if (value !== NOTHING) this.#insert(value);
  }

  #value(): Value | typeof NOTHING {
    if (this.#pieces) return this.#stringValue();
    if (this.#digits) return this.#anyNumber();
    const code = this.#next();
    this.begin = this.at;
    this.#count += 1;
    if (this.#count > this.#maxValues) throw new TooManyValues();
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
        throw malformed('json-value', this.at);
      default:
        return this.#number(code);
    }
  }

  #openMap(): Value | typeof NOTHING {
    this.#requireDepth();
    const map = this.#form.openMap();
    if (this.#isEmpty(CLOSING_BRACE)) return this.#form.closed(map, this, 0);
    this.#push(undefined, map);
    this.#awaitsKey = true;
    return NOTHING;
  }

  #openList(): Value | typeof NOTHING {
    this.#requireDepth();
    const list: Value[] = [];
    if (this.#isEmpty(CLOSING_BRACKET)) return list as Value; // Every form has lists.
    this.#push(list, undefined);
    return NOTHING;
  }

  #requireDepth(): void {
    if (this.depth >= this.#maxDepth) throw malformed('json-depth', this.at);
  }

  #isEmpty(closing: number): boolean {
    this.at += 1;
    if (this.#next() !== closing) return false;
    this.at += 1;
    return true;
  }

  #push(list: Value[] | undefined, map: Members | undefined): void {
    const { begin } = this;
    const outer = this.#frame;
    const used = outer ? outer.inner : this.#outermost;
    this.depth += 1;
    if (used) {
      used.list = list;
      used.map = map;
      used.members = 0;
      used.begin = begin;
      this.#frame = used;
      return;
    }
    const frame: Frame<Value, Members> = { outer, inner: undefined, list, map, key: '', members: 0, begin };
    if (outer) outer.inner = frame;
    else this.#outermost = frame;
    this.#frame = frame;
  }

  /** Adds a value to the list or map around it, and that to its own once it is complete. */
  #insert(given: Value): void {
    let value = given;
    for (;;) {
      const frame = this.#frame;
      if (!frame) {
        this.#finish(value);
        return;
      }
      const { list, map } = frame;
      if (map !== undefined) {
        this.#form.member(map, frame.key, value, this, frame.members);
        frame.members += 1;
      } else if (this.#form.element) this.#form.element(list ?? [], value, this);
      else list?.push(value);
      const code = this.#next();
      if (code === COMMA) {
        this.at += 1;
        this.#awaitsKey = map !== undefined;
        return;
      }
      if (code !== (map === undefined ? CLOSING_BRACKET : CLOSING_BRACE)) throw this.#missing('json-separator');
      this.at += 1;
      this.depth -= 1;
      this.#frame = frame.outer;
      this.begin = frame.begin;
      value = map === undefined ? (list as Value) : this.#form.closed(map, this, frame.members); // Every form has lists.
    }
  }

  #finish(value: Value): void {
    this.#next();
    if (this.at < this.text.length) throw malformed('json-rest', this.at);
    this.#result = value;
  }

  /** The key of the next member with its colon, or as much of it as the slice has. */
  #readKey(): void {
    const written = this.#writtenKey();
    if (written === NOTHING) return;
    const key = this.#form.key?.(written, this) ?? written;
    if (this.#next() !== COLON) throw this.#missing('json-colon');
    this.at += 1;
    this.#awaitsKey = false;
    if (this.#frame) this.#frame.key = key;
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
    if (!this.text.startsWith(word, this.at)) throw malformed('json-value', this.at);
    this.at += word.length;
    return value as Value; // Every form has words and strings.
  }

  #beginString(quote: number): Value | typeof NOTHING {
    const text = this.#quoted(quote);
    return text === NOTHING ? text : this.#stringOf(text);
  }

  #stringValue(): Value | typeof NOTHING {
    const text = this.#string();
    return text === NOTHING ? text : this.#stringOf(text);
  }

  #stringOf(text: string): Value {
    return (this.#form.string?.(text, this) ?? text) as Value;
  }

  #quoted(quote: number): string | typeof NOTHING {
    this.#quote = quote;
    this.at += 1;
    return this.#string();
  }

  /** The rest of the string, or nothing where the slice ends before it. A piece never ends inside of an escape. */
  #string(): string | typeof NOTHING {
    const { text, at: from } = this;
    const quote = this.#quote;
    const end = Math.min(text.length, this.#sliceEnd);
    let isEscaped = false;
    let at = from;
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.at = at + 1;
        const last = this.#unescaped(from, at, isEscaped);
        return this.#pieces ? this.#joined(last) : last;
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
    const before = this.#pieces?.join('') ?? '';
    this.#pieces = undefined;
    return before + last;
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
      if (found === undefined) return malformed('json-escape', at);
      at += found.length - 1;
    }
    return malformed('json-string', this.begin);
  }

  /** Most numbers have few digits and neither a sign nor a fraction. */
  #number(first: number): Value | typeof NOTHING {
    const { text, at: from } = this;
    let value = first - ZERO;
    if (!(value >= 0 && value <= 9)) return this.#anyNumber();
    let at = from + 1;
    for (; value > 0 && at < from + EXACT_DIGITS; at += 1) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (!this.#isTokenEnd(at)) return this.#anyNumber();
    this.at = at;
    return this.#form.fewDigits(value);
  }

  /** Any number, or nothing where the slice ends before it does. */
  #anyNumber(): Value | typeof NOTHING {
    const { text, at: from } = this;
    const wholeFrom = text.charCodeAt(from) === MINUS ? from + 1 : from;
    const isZero = text.charCodeAt(wholeFrom) === ZERO;
    const wholeEnd = isZero ? wholeFrom + 1 : this.#endOfDigits(wholeFrom);
    if (wholeEnd === wholeFrom) throw this.#missing('json-value');
    const end = this.#endOfExponent(this.#endOfFraction(wholeEnd));
    if (end === undefined) {
      this.#sliceEnd = from;
      return NOTHING;
    }
    if (!this.#isTokenEnd(end) && GOES_ON.test(text.charAt(end))) throw malformed('json-number', from);
    const value = this.#form.number(text.slice(from, end), end === wholeEnd);
    if (value === undefined) throw malformed('json-number', from);
    this.#digits = undefined;
    this.at = end;
    return value;
  }

  /** Undefined where the slice ends before the digits do. */
  #endOfDigits(from: number): number | undefined {
    const { text } = this;
    let at = this.#digits?.get(from) ?? from;
    const sliceEnd = Math.max(at + SLICE_CHARACTERS, this.#sliceEnd);
    for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE && at < sliceEnd; code = text.charCodeAt(at))
      at += 1;
    if (at < sliceEnd) return at;
    this.#digits ??= new Map();
    this.#digits.set(from, at);
    return undefined;
  }

  /** `from` where no fraction begins. */
  #endOfFraction(from: number | undefined): number | undefined {
    if (from === undefined || this.text.charCodeAt(from) !== POINT) return from;
    const end = this.#endOfDigits(from + 1);
    return end === from + 1 ? from : end;
  }

  /** `from` where no exponent begins. */
  #endOfExponent(from: number | undefined): number | undefined {
    if (from === undefined) return from;
    const code = this.text.charCodeAt(from);
    if (code !== SMALL_E && code !== LARGE_E) return from;
    const sign = this.text.charCodeAt(from + 1);
    const digits = sign === PLUS || sign === MINUS ? from + 2 : from + 1;
    const end = this.#endOfDigits(digits);
    return end === digits ? from : end;
  }

  #isTokenEnd(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET || code <= BLANK || Number.isNaN(code);
  }

  #missing(fault: JsonFault): MalformedJson {
    return malformed(this.at < this.text.length ? fault : 'json-end', this.at);
  }

  /** Skips blanks and returns the code of the next character, NaN at the end. */
  #next(): number {
    const code = this.text.charCodeAt(this.at);
    return code <= BLANK ? this.#behindBlanks() : code;
  }

  #behindBlanks(): number {
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
