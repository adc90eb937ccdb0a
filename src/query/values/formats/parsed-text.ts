// Extracts fields from a value (the parse family, 7.2). An unreadable value gives undefined; of equal keys the first
// counts, keys are trimmed, an empty key is skipped.

import { type CsvMarks, parseCsvLine } from '#kernel/text/csv-line.ts';
import { captureOf, type FieldGroups } from '#query/model/regex.ts';
import type { Steps } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { captures, regexOf } from '#query/values/regexes/regexes.ts';
import { isLongerThan, trimmed } from '#query/values/text/strings.ts';
import { lenientJson, strictFields, strictJson } from './strict-json.ts';
import { syslogMessage } from './syslog.ts';
import { shortTimes } from './syslog-times.ts';
import { mapOf } from './tags.ts';
import { parsedXml } from './xml-fields.ts';

export type ParseMethod =
  /** The input is a map, not a text. */
  | { readonly format: 'map' }
  | {
      readonly format: 'json';
      readonly flatten: boolean;
      /** Allows single-quoted strings and bare keys. */
      readonly lenient: boolean;
      /** Code points of the longest text that is read. */
      readonly cutoff?: number;
    }
  | {
      readonly format: 'kv';
      readonly pairDelimiter: string;
      readonly keyDelimiter: string;
      readonly quote: boolean;
      /** A text in which no key has a value is unreadable. */
      readonly needsPair?: true;
    }
  | {
      readonly format: 'csv';
      readonly tab: boolean;
      readonly strict: boolean;
      readonly names: readonly string[];
      /** In place of those that `tab` tells. */
      readonly marks?: CsvMarks;
    }
  | { readonly format: 'xml' }
  /** Named groups of the first match. */
  | { readonly format: 'regex'; readonly groups: FieldGroups }
  | { readonly format: 'syslog' }
  /** The whole text is the field `line`. */
  | { readonly format: 'text' };

type ParsedFields = ReadonlyMap<string, Value>;

/**
 * The fields of a value by a method. `field` is the name of the input field, which a JSON list replaces because it has
 * no names of its own.
 */
export function parsedValue(
  value: Value,
  method: ParseMethod,
  { field, zone, meter }: { field: string; zone: string; meter?: Steps },
): ParsedFields | undefined {
  if (method.format === 'map') return value instanceof Map ? parsedMap(value) : undefined;
  const text = textOf(value, zone);
  return text === null ? undefined : parsedText(text, method, { field, meter });
}

interface ParseContext {
  readonly field: string;
  readonly meter: Steps | undefined;
}

function parsedText(text: string, method: TextMethod, context: ParseContext): ParsedFields | undefined {
  if (method.format === 'json') return parsedJson(text, method, context);
  if (method.format === 'xml') return parsedXml(text);
  if (method.format === 'kv') return parsedKeyValues(text, method);
  if (method.format === 'csv') return parsedCsv(text, method);
  if (method.format === 'text') return new Map([['line', text]]);
  return method.format === 'regex' ? parsedGroups(text, method.groups, context.meter) : parsedSyslog(text);
}

/** The second map merged over the first. */
export function laidOver([below = null, above = null]: readonly Value[]): Value {
  const all = new Map<string, Value>(mapOf(below));
  for (const [name, value] of mapOf(above)) all.set(name, value);
  return all;
}

type TextMethod = Exclude<ParseMethod, { format: 'map' }>;

function parsedMap(map: MapValue): ParsedFields {
  const fields = new Fields();
  for (const [key, item] of map) fields.put(key, item);
  return fields.map;
}

class Fields {
  readonly map = new Map<string, Value>();

  put(key: string, value: Value): void {
    const { map } = this;
    const name = trimmed(key);
    if (name !== '' && !map.has(name)) map.set(name, value);
  }
}

function parsedJson(
  text: string,
  { flatten, lenient, cutoff = Number.POSITIVE_INFINITY }: Extract<ParseMethod, { format: 'json' }>,
  { field, meter }: ParseContext,
): ParsedFields | undefined {
  if (isLongerThan(text, cutoff)) return undefined;
  const isPlain = !flatten && !lenient;
  const found = isPlain ? strictFields(text, meter) : lenient ? lenientJson(text, meter) : strictJson(text, meter);
  if (isPlain && found instanceof Map) return found;
  const list = Array.isArray(found) ? [[field, found] as const] : undefined;
  const members = list ?? (found instanceof Map ? found : undefined);
  if (!members) return undefined;
  const fields = new Fields();
  for (const [key, item] of members) {
    if (flatten) flattened(trimmed(key), item, fields);
    else fields.put(key, item);
  }
  return fields.map;
}

/** Empty objects and lists are kept as values. */
function flattened(path: string, value: Value, fields: Fields): void {
  const inner: (readonly [string, Value])[] = Array.isArray(value)
    ? value.map((item: Value, index) => [String(index), item])
    : value instanceof Map
      ? [...value]
      : [];
  if (inner.length === 0) fields.put(path, value);
  for (const [key, item] of inner) flattened(`${path}_${trimmed(key)}`, item, fields);
}

type Pairs = Extract<ParseMethod, { format: 'kv' }>;

function parsedKeyValues(text: string, method: Pairs): ParsedFields | undefined {
  const map = parsedPairs(text, method);
  return method.needsPair && map.values().every((value) => value === null) ? undefined : map;
}

export function parsedPairs(text: string, method: Pairs): ParsedFields {
  const reader = new PairReader(text, method);
  while (!reader.isDone) reader.next();
  return reader.fields.map;
}

class PairReader {
  readonly fields = new Fields();
  readonly #text: string;
  readonly #method: Pairs;
  #at = 0;
  /** The next key delimiter from some earlier index on: searching for every pair anew would be quadratic. */
  #delimiter = -1;

  constructor(text: string, method: Pairs) {
    this.#text = text;
    this.#method = method;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads the next pair; a quoted value may contain delimiters. */
  next(): void {
    const text = this.#text;
    const { pairDelimiter, keyDelimiter, quote } = this.#method;
    const begin = this.#at;
    const pieceEnd = indexOr(text, pairDelimiter, begin);
    if (this.#delimiter < begin) this.#delimiter = indexOr(text, keyDelimiter, begin);
    if (this.#delimiter >= pieceEnd) {
      this.fields.put(text.slice(begin, pieceEnd), null);
      this.#at = pieceEnd + pairDelimiter.length;
      return;
    }
    const key = text.slice(begin, this.#delimiter);
    const from = this.#delimiter + keyDelimiter.length;
    const opening = quote && startsQuoted(text, from) ? QUOTED.exec(text.slice(from)) : null;
    const end = Math.max(from, opening ? indexOr(text, pairDelimiter, from + opening[0].length) : pieceEnd);
    const value = opening ? (opening[1] ?? '').replace(/\\(["\\])/g, '$1') : trimmed(text.slice(from, end));
    this.fields.put(key, value);
    this.#at = Math.min(text.length, end) + pairDelimiter.length;
  }
}

/** True if a quote is the first character after white space. */
function startsQuoted(text: string, from: number): boolean {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return code === 0x22;
  }
}

/** A value without a closing quote extends to the end. */
const QUOTED = /^[ \t\r\n]*"((?:\\[\s\S]|[^"\\])*)(?:"|\\?$)/;

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}

function parsedCsv(
  text: string,
  { tab, strict, names, marks = { separator: tab ? '\t' : ',', quote: '"' } }: Extract<ParseMethod, { format: 'csv' }>,
): ParsedFields | undefined {
  const { values, isWellFormed } = parseCsvLine(text, marks);
  if (strict && (!isWellFormed || (names.length > 0 && values.length !== names.length))) return undefined;
  const fields = new Map<string, Value>();
  const count = Math.max(values.length, names.length);
  for (let index = 0; index < count; index += 1) {
    const name = names[index] ?? `column${index}`;
    if (!fields.has(name)) fields.set(name, values[index] ?? null);
  }
  return fields;
}

/** As `rex`: a group that matched nothing is null. */
function parsedGroups(
  text: string,
  { pattern, fields }: FieldGroups,
  meter: Steps | undefined,
): ParsedFields | undefined {
  const found = captures(text, regexOf(pattern), meter);
  return found && new Map(fields.map((field) => [field.name, captureOf(found, field)]));
}

/** A time without a year is a time in some year; no field depends on which. */
const SOME_LEAP_YEAR = Temporal.Instant.from('2024-12-31T00:00:00Z').epochMilliseconds;

const parsedSyslog = (text: string): ParsedFields | undefined =>
  syslogMessage(text, SOME_LEAP_YEAR, shortTimes('UTC'))?.fields;
