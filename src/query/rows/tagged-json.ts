// Values as JSON in DuckDB (15.5): a date is `{"$date": ms}`, binary `{"$binary": base64}`; a double has a point or an
// exponent, so that it does not come back as a long.

import type { Value } from '#query/model/values.ts';
import { finite, long } from '#query/values/conversions.ts';
import { untagged } from '#query/values/formats/tags.ts';

export function taggedJson(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleJson(value);
  if (typeof value === 'string') return stringJson(value);
  if (value instanceof Temporal.Instant) return `{"$date":${value.epochMilliseconds}}`;
  if (value instanceof Uint8Array) return `{"$binary":"${value.toBase64()}"}`;
  if (Array.isArray(value)) return `[${value.map(taggedJson).join(',')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, item]) => `${stringJson(key)}:${taggedJson(item)}`).join(',')}}`;
  }
  return 'null';
}

/**
 * As DuckDB writes it, with capitals: texts of equal strings are compared as they are. It reads no half of a surrogate
 * pair, which a text of JSON can hold behind an escape.
 */
function stringJson(text: string): string {
  const json = JSON.stringify(text);
  // Most texts have none.
  if (!json.includes('\\u')) return json;
  return JSON.stringify(text.toWellFormed()).replace(/\\(?:\\|u([0-9a-f]{4}))/g, (found, code: string | undefined) =>
    code === undefined ? found : `\\u${code.toUpperCase()}`,
  );
}

function doubleJson(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
}

/** Whole numbers that fit are longs, all others doubles; keys keep their order, which the local evaluator's own objects would not. */
export const taggedValue = (json: string): Value => new Reader(json).value();

const STRING = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?[0-9][0-9.eE+-]*/y;

/** Reads JSON that DuckDB has written: compact, and valid. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Value {
    switch (this.#text.charAt(this.#at)) {
      case '"':
        return this.#string();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #list(): Value {
    const items: Value[] = [];
    this.#at += 1;
    while (!this.#isClosed(']')) items.push(this.value());
    return items;
  }

  #map(): Value {
    const map = new Map<string, Value>();
    let members = 0;
    this.#at += 1;
    while (!this.#isClosed('}')) {
      members += 1;
      const key = this.#string();
      this.#at += 1;
      const value = this.value();
      if (!map.has(key)) map.set(key, value);
    }
    return untagged(map, members);
  }

  /** Moves behind a comma or the closing mark. */
  #isClosed(mark: string): boolean {
    const character = this.#text.charAt(this.#at);
    if (character === mark || character === ',') this.#at += 1;
    if (character === '') throw new Error('JSON ends too soon');
    return character === mark;
  }

  #string(): string {
    return JSON.parse(this.#taken(STRING));
  }

  #number(): Value {
    const digits = this.#taken(NUMBER);
    const whole = /^-?\d+$/.test(digits) ? long(BigInt(digits)) : null;
    return whole ?? finite(Number(digits));
  }

  #word<T extends Value>(word: string, value: T): T {
    this.#at += word.length;
    return value;
  }

  #taken(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new Error(`not JSON at ${this.#at}`);
    this.#at += found.length;
    return found;
  }
}
