// JSON of data (RFC 8259) as values: whole numbers that fit are longs, of equal keys the first counts.

import { finite, long } from '#query/evaluate/conversions.ts';
import type { Value } from '#query/values.ts';

const DEPTH_MOST = 512;

/** Undefined where the text is no JSON, or nested too deeply to be meant. */
export function strictJson(text: string): Value | undefined {
  try {
    JSON.parse(text);
    return new Reader(text).value(0);
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof RangeError) return undefined;
    throw failure;
  }
}

const TOKEN = /[ \t\r\n]*("(?:[^"\\]|\\.)*"|[-+.0-9eE]+|true|false|null|[[\]{},:])/y;

/** Reads what is known to be JSON; the host's own reader keeps neither long numbers nor first keys. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number, token = this.#token()): Value {
    if (depth > DEPTH_MOST) throw new RangeError('too deep');
    if (token === '[') return this.#list(depth);
    if (token === '{') return this.#map(depth);
    if (token.startsWith('"')) return JSON.parse(token);
    if (token === 'true' || token === 'false') return token === 'true';
    return token === 'null' ? null : numberOf(token);
  }

  #list(depth: number): Value {
    const items: Value[] = [];
    for (let token = this.#token(); token !== ']'; token = this.#token()) {
      if (token !== ',') items.push(this.value(depth + 1, token));
    }
    return items;
  }

  #map(depth: number): Value {
    const map = new Map<string, Value>();
    for (let token = this.#token(); token !== '}'; token = this.#token()) {
      if (token === ',') continue;
      const key: string = JSON.parse(token);
      this.#token();
      const value = this.value(depth + 1);
      if (!map.has(key)) map.set(key, value);
    }
    return map;
  }

  #token(): string {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    this.#at = TOKEN.lastIndex;
    return found?.[1] ?? '';
  }
}

function numberOf(digits: string): Value {
  const whole = /^-?\d+$/.test(digits) ? long(BigInt(digits)) : null;
  return whole ?? finite(Number(digits));
}
