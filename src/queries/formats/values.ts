// Values of a result from their source, the JSON that an engine writes, to the JSON that an answer shows. Sources are
// rewritten as text and not parsed: so whole numbers keep their digits and maps the order of their keys.

import { type Precision, stampsIn } from '#contract/times.ts';
import { endOfString } from '#kernel/json/json-members.ts';
import type { ColumnType, ValueType } from '#query/model/values.ts';
import { long } from '#query/values/conversions.ts';
import { instantOf } from '#query/values/dates/dates.ts';
import { DATE_DIGITS, isBase64 } from '#query/values/formats/tags.ts';

/** A value that is not null. */
export interface ShownValue {
  readonly type: ValueType;
  /** As JSON: a date is its stamp, binary its base64. */
  readonly json: string;
}

/** The result of `string()`: text as it is, everything else as JSON. */
export function textOf({ json }: ShownValue): string {
  if (!json.startsWith('"')) return json;
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const DATE = new RegExp(`\\{\\s*"\\$date"\\s*:\\s*(${DATE_DIGITS})\\s*\\}`, 'y');
const BINARY_BEGIN = /\{\s*"\$binary"\s*:\s*(?=")/y;
const BINARY_END = /\s*\}/y;
/** A list or map without any of these needs no rewriting. */
const TO_REWRITE = /\d[.eE]|"\$date"|"\$binary"|\s|\\/;

/** A date or binary inside a list, a map or a column of several types. */
interface Tagged {
  readonly value: ShownValue;
  readonly end: number;
}

export class Values {
  readonly #stamp: (epochMilliseconds: number) => string;

  constructor(zone: string, times?: Precision) {
    this.#stamp = stampsIn(zone, times);
  }

  /** Undefined for null. `source` has no surrounding blanks. */
  shown(source: string, type: ColumnType): ShownValue | undefined {
    if (source === 'null') return undefined;
    switch (type) {
      case 'date':
        return { type, json: this.#stampOf(Number(source)) };
      case 'double':
        return double(source);
      case 'any':
        return this.#untyped(source);
      case 'list':
      case 'map':
        return { type, json: this.#rewritten(source) };
      case 'string':
        return { type, json: string(source) };
      default:
        return { type, json: source };
    }
  }

  #untyped(source: string): ShownValue | undefined {
    const code = source.charCodeAt(0);
    if (code === QUOTE) return { type: 'string', json: string(source) };
    if (isNumeric(code)) return numeric(source);
    if (code === OPENING_BRACKET) return { type: 'list', json: this.#rewritten(source) };
    if (code !== OPENING_BRACE) return { type: 'bool', json: source };
    const tagged = this.#tagged(source, 0);
    return tagged ? tagged.value : { type: 'map', json: this.#rewritten(source) };
  }

  /** Compact, with numbers, dates and binaries as they are written outside of lists and maps. */
  #rewritten(source: string): string {
    if (!TO_REWRITE.test(source)) return source;
    const pieces: string[] = [];
    for (let at = 0; at < source.length; ) {
      const { json, end } = this.#token(source, at);
      pieces.push(json);
      at = end;
    }
    return pieces.join('');
  }

  #token(source: string, at: number): { json: string; end: number } {
    const code = source.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(source, at) + 1;
      return { json: string(source.slice(at, end)), end };
    }
    if (isNumeric(code)) {
      const digits = matched(NUMBER, source, at)?.[0] ?? '';
      return { json: numeric(digits)?.json ?? 'null', end: at + digits.length };
    }
    if (isBlank(code)) return { json: '', end: at + 1 };
    const tagged = code === OPENING_BRACE ? this.#tagged(source, at) : undefined;
    if (tagged) return { json: tagged.value.json, end: tagged.end };
    return { json: source.charAt(at), end: at + 1 };
  }

  #tagged(source: string, at: number): Tagged | undefined {
    const date = matched(DATE, source, at);
    const instant = date && instantOf(Number(date[1]));
    if (instant) {
      const value = { type: 'date' as const, json: this.#stampOf(instant.epochMilliseconds) };
      return { value, end: at + date[0].length };
    }
    const begin = matched(BINARY_BEGIN, source, at);
    if (!begin) return undefined;
    const from = at + begin[0].length;
    const to = endOfString(source, from) + 1;
    const end = isBase64(source.slice(from + 1, to - 1)) ? matched(BINARY_END, source, to) : null;
    return end ? { value: { type: 'binary', json: source.slice(from, to) }, end: to + end[0].length } : undefined;
  }

  #stampOf(epochMilliseconds: number): string {
    return `"${this.#stamp(epochMilliseconds)}"`;
  }
}

/** Normalizes escapes to those of `string()`. */
const string = (source: string): string => (source.includes('\\') ? JSON.stringify(JSON.parse(source)) : source);

/** Digits are a long while they fit into 64 bits, else a double that keeps its digits. */
function numeric(source: string): ShownValue | undefined {
  if (!/^-?\d+$/.test(source)) return double(source);
  const isLong = source.length < 19 || long(BigInt(source)) !== null;
  return { type: isLong ? 'long' : 'double', json: source };
}

/** A number too large for a double is null, as in queries. */
function double(source: string): ShownValue | undefined {
  const number = Number(source);
  return Number.isFinite(number) ? { type: 'double', json: JSON.stringify(number) } : undefined;
}

function matched(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const isNumeric = (code: number): boolean => code === MINUS || (code >= ZERO && code <= NINE);

const isBlank = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
