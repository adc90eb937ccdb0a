// Parses the JSON of the `json` command: strict except for single-quoted strings and bare keys. It keeps its own stack,
// so the depth is bounded by a constant and not by the call stack.

import { mapSliced, type SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import type { InnerText } from '#query/model/expression.ts';
import type { TermCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { numberOfText } from '#query/values/conversions.ts';

const MAX_DEPTH = 512;

/** Reads one object, or the objects of a list. */
export function* readObjects(inner: InnerText): SlicedWork<MapValue[]> {
  const { value, starts } = yield* new JsonReader(inner).whole();
  const rows = Array.isArray(value) ? value : [value];
  return yield* mapSliced(rows.entries(), ([index, row]) => {
    if (row instanceof Map) return row;
    const begin = (Array.isArray(value) ? starts[index] : 0) ?? 0;
    throw new QueryError(10201, { begin: inner.offset(begin), end: inner.offset(begin + 1) });
  });
}

interface Container {
  readonly list?: Value[];
  readonly map?: Map<string, Value>;
  key?: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BARE_KEY = /[\p{L}\p{Nd}\p{M}_@.-]+/uy;
const WORDS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly #text: string;
  readonly #offset: InnerText['offset'];
  readonly #open: Container[] = [];
  /** Positions of the elements of an outermost list. */
  readonly #starts: number[] = [];
  #at = 0;

  constructor({ text, offset }: InnerText) {
    this.#text = text;
    this.#offset = offset;
  }

  *whole(): SlicedWork<{ value: Value; starts: readonly number[] }> {
    const steps = new SliceSteps();
    let done = this.#value();
    while (this.#open.length > 0) {
      if (steps.isEnd()) yield;
      if (done !== undefined) done = this.#placed(done);
      else done = this.#value();
    }
    this.#space();
    if (done === undefined) throw this.#error('json-end');
    if (this.#at < this.#text.length) throw this.#error('json-rest');
    return { value: done, starts: this.#starts };
  }

  /** A complete value, or undefined after the opening of a container, when its first value has to follow. */
  #value(): Value | undefined {
    this.#space();
    if (this.#open.length === 1 && this.#open[0]?.list) this.#starts.push(this.#at);
    const character = this.#text.charAt(this.#at);
    if (character === '{') return this.#openMap();
    if (character === '[') return this.#openList();
    if (character === '"' || character === "'") return this.#string();
    const word = Object.keys(WORDS).find((one) => this.#text.startsWith(one, this.#at));
    if (word !== undefined) {
      this.#at += word.length;
      return WORDS[word] ?? null;
    }
    return this.#number();
  }

  #openMap(): Value | undefined {
    const begin = this.#at;
    this.#at += 1;
    if (this.#take('}')) return new Map();
    this.#push({ map: new Map(), key: this.#key() }, begin);
    return undefined;
  }

  #openList(): Value | undefined {
    const begin = this.#at;
    this.#at += 1;
    if (this.#take(']')) return [];
    this.#push({ list: [] }, begin);
    return undefined;
  }

  #push(container: Container, begin: number): void {
    if (this.#open.length >= MAX_DEPTH) throw this.#error('json-depth', begin);
    this.#open.push(container);
  }

  /** Adds a value to the open container; returns the container once it is complete. */
  #placed(value: Value): Value | undefined {
    const container = this.#open.at(-1) ?? {};
    const { list, map, key = '' } = container;
    list?.push(value);
    if (map && !map.has(key)) map.set(key, value);
    if (this.#take(',')) {
      if (map) container.key = this.#key();
      return undefined;
    }
    if (!this.#take(map ? '}' : ']')) throw this.#error(this.#isEnd() ? 'json-end' : 'json-separator');
    this.#open.pop();
    return list ?? map;
  }

  #key(): string {
    this.#space();
    const character = this.#text.charAt(this.#at);
    const isQuoted = character === '"' || character === "'";
    const key = isQuoted ? this.#string() : this.#match(BARE_KEY)?.normalize();
    if (key === undefined) throw this.#error(this.#isEnd() ? 'json-end' : 'json-key');
    if (!this.#take(':')) throw this.#error(this.#isEnd() ? 'json-end' : 'json-colon');
    return key;
  }

  #string(): string {
    const begin = this.#at;
    const quote = this.#text.charAt(begin);
    const pieces: string[] = [];
    const stops = quote === '"' ? /["\\]/g : /['\\]/g;
    for (let from = begin + 1; ; ) {
      stops.lastIndex = from;
      const stop = stops.exec(this.#text);
      const piece = this.#text.slice(from, stop?.index);
      if (!stop || hasControl(piece)) throw this.#error('json-string', begin);
      pieces.push(piece);
      this.#at = stop.index + 1;
      if (stop[0] === quote) return pieces.join('').normalize();
      pieces.push(this.#escape());
      from = this.#at;
    }
  }

  #escape(): string {
    const character = this.#text.charAt(this.#at);
    const [code] = /^u[0-9A-Fa-f]{4}/.exec(this.#text.slice(this.#at, this.#at + 5)) ?? [];
    const meant = code ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : ESCAPES[character];
    if (meant === undefined) throw this.#error('json-escape', this.#at - 1);
    this.#at += code ? 5 : 1;
    return meant;
  }

  #number(): Value {
    const begin = this.#at;
    const digits = this.#match(NUMBER);
    if (!digits) throw this.#error(this.#isEnd() ? 'json-end' : 'json-value');
    const value = numberOfText(digits);
    if (value === null || /[\p{L}\d.]/u.test(this.#text.charAt(this.#at))) throw this.#error('json-number', begin);
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(mark: string): boolean {
    this.#space();
    if (this.#text.charAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at += 1;
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #error(detail: TermCode, at = this.#at): QueryError {
    const span = { begin: this.#offset(at), end: this.#offset(Math.min(at + 1, this.#text.length)) };
    return new QueryError(10200, span, { detail: { term: detail } });
  }
}

/** Line breaks and other control characters must be escaped in a string. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}
