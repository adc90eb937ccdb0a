// Parses the JSON of records (RFC 8259) to values: whole numbers that fit are longs, of equal keys the first counts.
// JSON.parse keeps neither, and a second pass would double the time of ingestion.

import { type JsonGrammar, type JsonLimits, JsonReader, MalformedJson } from '#kernel/json/json-reader.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { finite, long } from './conversions.ts';
import { trimmed } from './strings.ts';
import { mapOf, untagged } from './tags.ts';

const LIMITS: JsonLimits = { depth: 512, values: Number.POSITIVE_INFINITY };

/** Undefined if the text is no JSON or is nested too deeply. The members of maps count as steps if there is a meter. */
export const strictJson = (text: string, meter?: Steps): Value | undefined =>
  readValue(new MeteredReader(text, 'strict', meter));

/** As `strictJson`, with the two liberties of the command `json`: single-quoted strings and bare keys. */
export const lenientJson = (text: string, meter?: Steps): Value | undefined =>
  readValue(new MeteredReader(text, 'lenient', meter));

/**
 * The fields that a text of JSON holds: the members of a map with trimmed names, without empty ones, or the elements of a
 * list; undefined for any other text.
 */
export function strictFields(text: string, meter?: Steps): ReadonlyMap<string, Value> | readonly Value[] | undefined {
  const value = readValue(new FieldReader(text, 'strict', meter));
  return value instanceof Map || Array.isArray(value) ? value : undefined;
}

function readValue(reader: ValueReader): Value | undefined {
  try {
    return reader.whole();
  } catch (failure) {
    if (failure instanceof MalformedJson) return undefined;
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
  return asRecord(yield* new ValueReader(text).slices());
}

function asRecord(value: Value | undefined): Map<string, Value> {
  if (value instanceof Map) return value;
  if (value === undefined) throw new Error('the text of a record is no JSON');
  return new Map(mapOf(value));
}

/** The number of digits that always fits a long. */
const SHORT = 18;

/** Tagged dates and binaries become values as in a stored record. */
export class ValueReader extends JsonReader<Value, Value[], Map<string, Value>> {
  constructor(text: string, grammar: JsonGrammar = 'strict') {
    super(text, LIMITS, grammar);
  }

  protected override openList(): Value[] {
    return [];
  }

  protected override openMap(): Map<string, Value> {
    return new Map();
  }

  protected override element(list: Value[], value: Value): void {
    list.push(value);
  }

  protected override member(map: Map<string, Value>, key: string, value: Value, _members: number): void {
    if (!map.has(key)) map.set(key, value);
  }

  /** The outermost map is a record, never a date or binary. */
  protected override closed(map: Map<string, Value>, members: number): Value {
    return this.depth === 0 ? map : untagged(map, members);
  }

  protected override word(value: boolean | null): Value {
    return value;
  }

  protected override fewDigits(value: number): Value {
    return BigInt(value);
  }

  protected override number(digits: string, isWhole: boolean): Value | undefined {
    if (!isWhole) return finite(Number(digits));
    if (digits.length <= SHORT) return BigInt(digits);
    return long(BigInt(digits)) ?? finite(Number(digits));
  }

  protected override string(text: string): Value {
    return text;
  }
}

class MeteredReader extends ValueReader {
  readonly #meter: Steps | undefined;

  constructor(text: string, grammar: JsonGrammar, meter: Steps | undefined) {
    super(text, grammar);
    this.#meter = meter;
  }

  protected override member(map: Map<string, Value>, key: string, value: Value, members: number): void {
    super.member(map, key, value, members);
    this.#meter?.takeMember();
  }
}

class FieldReader extends MeteredReader {
  protected override member(map: Map<string, Value>, key: string, value: Value, members: number): void {
    const name = this.depth === 1 ? trimmed(key) : key;
    if (name !== '' || this.depth > 1) super.member(map, name, value, members);
  }
}
