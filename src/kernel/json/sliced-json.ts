// JSON parsed in slices: a body of many megabytes does not block the main thread. Numbers that no double holds exactly
// stay raw JSON, and text that no database can store is rejected.

import { isStorableText } from '#kernel/text/storable-text.ts';
import type { Json } from './canonical-json.ts';
import { exactNumber } from './exact-json.ts';
import { attachKeys, MIN_LARGE_MEMBERS, setMember } from './large-objects.ts';

export interface JsonLimits {
  readonly depth: number;
  /** Members and elements at every depth; containers are not counted in addition, the outermost value not at all. */
  readonly values: number;
}

/** The text is not JSON, nests too deep, has a name that is too long, or holds text that cannot be stored. */
export class MalformedJson extends Error {}

export class TooManyValues extends Error {}

/** Called for each member of the outermost object, in order, also repeated ones. `source` is the text of a number. */
export type MemberSink = (name: string, value: Json, source: string | undefined) => void;

/** Yields often enough for slices of a few milliseconds. Throws MalformedJson or TooManyValues. */
export const parseSliced = (text: string, limits: JsonLimits, sink?: MemberSink): Generator<undefined, Json> =>
  new SlicedParser(text, limits, sink).parse();

/** Whether the text is well-formed JSON of any depth and number of values; builds no value. */
export function* isJsonSliced(text: string): Generator<undefined, boolean> {
  try {
    yield* new SlicedParser(text, ANY, undefined, 'check').parse();
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

export type NumberKind = 'doubles' | 'exact';
type Purpose = 'store' | 'check' | NumberKind;

/** Any well-formed text, also one that no database can store. */
export const parsePlain = (text: string, numbers: NumberKind): Generator<undefined, Json> =>
  new SlicedParser(text, ANY, undefined, numbers).parse();

const ANY: JsonLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** V8 has one hash for all longer texts of one length: an object with many such names takes minutes to build. */
export const MAX_HASHED_CHARACTERS = 16_383;

/** Characters, and values, between two yields. */
const SLICE_CHARACTERS = 64 * 1024;
const SLICE_VALUES = 512;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_U = 0x75;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

interface Frame {
  readonly container: Record<string, Json> | Json[];
  /** Key of the member being parsed; unused in an array. */
  key: string;
  /** For an object: the number of members parsed, repeated ones included, and its keys once it is large. */
  count: number;
  keys: string[] | undefined;
}

class SlicedParser {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #sink: MemberSink | undefined;
  readonly #purpose: Purpose;
  readonly #frames: Frame[] = [];
  #at = 0;
  #count = -1;
  #yieldedAt = 0;
  /** Text of the number parsed last. */
  #source: string | undefined;

  constructor(text: string, limits: JsonLimits, sink?: MemberSink, purpose: Purpose = 'store') {
    this.#purpose = purpose;
    this.#text = text;
    this.#limits = limits;
    this.#sink = sink;
  }

  *parse(): Generator<undefined, Json> {
    for (;;) {
      this.#countValue();
      if (this.#isDue()) yield;
      let value = this.#opened() ?? (yield* this.#scalar());
      if (value instanceof Opened) {
        if (!value.isArray) yield* this.#key();
        continue;
      }
      for (;;) {
        const frame = this.#frames.at(-1);
        if (!frame) return this.#finished(value);
        this.#attach(frame, value);
        if (this.#isNext(COMMA)) {
          if (!Array.isArray(frame.container)) yield* this.#key();
          break;
        }
        this.#expect(Array.isArray(frame.container) ? CLOSING_BRACKET : CLOSING_BRACE);
        this.#frames.pop();
        value = frame.container;
        this.#source = undefined;
      }
    }
  }

  #countValue(): void {
    this.#count += 1;
    if (this.#count > this.#limits.values) throw new TooManyValues();
  }

  #isDue(): boolean {
    if (this.#count % SLICE_VALUES !== 0 && this.#at - this.#yieldedAt < SLICE_CHARACTERS) return false;
    this.#yieldedAt = this.#at;
    return true;
  }

  #finished(value: Json): Json {
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw new MalformedJson();
    return value;
  }

  /** An empty container is complete at once; undefined if no container begins here. */
  #opened(): Opened | Json | undefined {
    this.#skipBlanks();
    const code = this.#text.charCodeAt(this.#at);
    if (code !== OPENING_BRACE && code !== OPENING_BRACKET) return undefined;
    if (this.#frames.length >= this.#limits.depth) throw new MalformedJson();
    this.#at += 1;
    this.#source = undefined;
    const isArray = code === OPENING_BRACKET;
    const container = isArray ? [] : {};
    if (this.#isNext(isArray ? CLOSING_BRACKET : CLOSING_BRACE)) return container;
    this.#frames.push({ container, key: '', count: 0, keys: undefined });
    return isArray ? OPENED_ARRAY : OPENED_OBJECT;
  }

  #attach(frame: Frame, value: Json): void {
    if (this.#purpose === 'check') return;
    const { container, key } = frame;
    if (Array.isArray(container)) container.push(value);
    else if (this.#sink && this.#frames.length === 1) this.#sink(key, value, this.#source);
    else addMember(frame, container, value);
  }

  *#key(): Generator<undefined, void> {
    this.#skipBlanks();
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw new MalformedJson();
    const key = yield* this.#string();
    if (this.#purpose === 'store' && key.length > MAX_HASHED_CHARACTERS) throw new MalformedJson();
    this.#expect(COLON);
    const frame = this.#frames.at(-1);
    if (frame) frame.key = key;
  }

  *#scalar(): Generator<undefined, Json> {
    const code = this.#text.charCodeAt(this.#at);
    this.#source = undefined;
    if (code === QUOTE) return yield* this.#string();
    if (code === MINUS || isDigit(code)) return yield* this.#number();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw new MalformedJson();
  }

  /** A long string is parsed in pieces of one slice each. */
  *#string(): Generator<undefined, string> {
    const pieces: string[] = [];
    let from = this.#at + 1;
    let hasEscape = false;
    for (let at = from; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === BACKSLASH) {
        hasEscape = true;
        // Skips the whole escape: a piece never ends inside of one.
        at += this.#text.charCodeAt(at + 1) === LETTER_U ? 5 : 1;
      } else if (code === QUOTE) {
        this.#at = at + 1;
        const last = stringOf(this.#text.slice(from, at), hasEscape);
        return this.#valid(pieces.length === 0 ? last : pieces.join('') + last);
      } else if (code < BLANK) throw new MalformedJson();
      if (at - from < SLICE_CHARACTERS) continue;
      const piece = stringOf(this.#text.slice(from, at + 1), hasEscape);
      if (this.#purpose !== 'check') pieces.push(piece);
      from = at + 1;
      yield;
    }
    throw new MalformedJson();
  }

  #valid(text: string): string {
    if (this.#purpose === 'store' && !isStorableText(text)) throw new MalformedJson();
    return text;
  }

  *#number(): Generator<undefined, Json> {
    const from = this.#at;
    if (this.#code() === MINUS) this.#at += 1;
    if (this.#code() === ZERO) this.#at += 1;
    else yield* this.#digits();
    if (this.#code() === POINT) {
      this.#at += 1;
      yield* this.#digits();
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at += 1;
      yield* this.#digits();
    }
    this.#source = this.#text.slice(from, this.#at);
    const value = Number(this.#source);
    return this.#purpose === 'doubles' ? value : exactNumber(value, this.#source);
  }

  *#digits(): Generator<undefined, void> {
    const from = this.#at;
    while (isDigit(this.#code())) {
      this.#at += 1;
      if ((this.#at - from) % SLICE_CHARACTERS === 0) yield;
    }
    if (this.#at === from) throw new MalformedJson();
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #isNext(code: number): boolean {
    this.#skipBlanks();
    if (this.#code() !== code) return false;
    this.#at += 1;
    return true;
  }

  #expect(code: number): void {
    if (!this.#isNext(code)) throw new MalformedJson();
  }

  #skipBlanks(): void {
    const text = this.#text;
    let at = this.#at;
    for (const few = at + FEW_BLANKS; isBlank(text.charCodeAt(at)); at += 1) {
      if (at < few) continue;
      // A regular expression skips a long run faster.
      const rest = /[^\t\n\r ]/g;
      rest.lastIndex = at;
      at = rest.exec(text)?.index ?? text.length;
      break;
    }
    this.#at = at;
  }
}

function addMember(frame: Frame, container: Record<string, Json>, value: Json): void {
  const { key } = frame;
  if (frame.keys && !Object.hasOwn(container, key)) frame.keys.push(key);
  setMember(container, key, value);
  frame.count += 1;
  if (frame.count !== MIN_LARGE_MEMBERS) return;
  frame.keys = Object.keys(container);
  attachKeys(container, frame.keys);
}

class Opened {
  readonly isArray: boolean;

  constructor(isArray: boolean) {
    this.isArray = isArray;
  }
}

const OPENED_ARRAY = new Opened(true);
const OPENED_OBJECT = new Opened(false);

const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

const FEW_BLANKS = 32;

const isBlank = (code: number) => code === BLANK || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;

const isDigit = (code: number) => code >= ZERO && code <= NINE;

function stringOf(content: string, hasEscape: boolean): string {
  if (!hasEscape) return content;
  try {
    return JSON.parse(`"${content}"`);
  } catch (cause) {
    throw new MalformedJson('an escape that is none', { cause });
  }
}
