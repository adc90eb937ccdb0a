// Parses the JSON of records (RFC 8259) to values: whole numbers that fit are longs, of equal keys the first counts.
// JSON.parse keeps neither, and a second pass would double the time of ingestion.

import { type JsonForm, MalformedJson } from '#kernel/json/json-form.ts';
import { JsonReader } from '#kernel/json/json-reader.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { finite, long } from '#query/values/conversions.ts';
import { trimmed } from '#query/values/text/strings.ts';
import { mapOf, untagged } from './tags.ts';

/** Undefined if the text is no JSON or is nested too deeply. The members of maps count as steps if there is a meter. */
export const strictJson = (text: string, meter?: Steps): Value | undefined => readValue(text, metered(STRICT, meter));

/** As `strictJson`, with the two liberties of the command `json`: single-quoted strings and bare keys. */
export const lenientJson = (text: string, meter?: Steps): Value | undefined => readValue(text, metered(LENIENT, meter));

/**
 * The fields that a text of JSON holds: the members of a map with trimmed names, without empty ones, or the elements of a
 * list; undefined for any other text.
 */
export function strictFields(text: string, meter?: Steps): ReadonlyMap<string, Value> | readonly Value[] | undefined {
  const value = readValue(text, metered(FIELDS, meter));
  return value instanceof Map || Array.isArray(value) ? value : undefined;
}

function readValue(text: string, form: ValueForm): Value | undefined {
  try {
    return new JsonReader(text, form).whole();
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
  return asRecord(yield* new JsonReader(text, STRICT).slices());
}

function asRecord(value: Value | undefined): Map<string, Value> {
  if (value instanceof Map) return value;
  if (value === undefined) throw new Error('the text of a record is no JSON');
  return new Map(mapOf(value));
}

/** Numbers of digits that always fit a long, and, with a sign, that may fit one. */
const SHORT = 18;
const LONGEST = 20;

type ValueForm = JsonForm<Value, Map<string, Value>>;

/** Tagged dates and binaries become values as in a stored record. */
const STRICT: ValueForm = {
  limits: { depth: 512, values: Number.POSITIVE_INFINITY },
  grammar: 'strict',
  openMap: () => new Map(),
  member(map, key, value) {
    if (!map.has(key)) map.set(key, value);
  },
  // The outermost map is a record, never a date or binary.
  closed: (map, { depth }, members) => (depth === 0 ? map : untagged(map, members)),
  fewDigits: (value) => (value === 0 ? 0n : BigInt(value)),
  number(digits, isWhole) {
    if (!isWhole) return finite(Number(digits));
    if (digits.length <= SHORT) return BigInt(digits);
    // Millions of digits take a bigint seconds.
    return (digits.length <= LONGEST ? long(BigInt(digits)) : null) ?? finite(Number(digits));
  },
};

export const LENIENT: ValueForm = { ...STRICT, grammar: 'lenient' };

const FIELDS: ValueForm = {
  ...STRICT,
  member(map, key, value, { depth }) {
    const name = depth === 1 ? trimmed(key) : key;
    if ((name !== '' || depth > 1) && !map.has(name)) map.set(name, value);
  },
};

function metered(form: ValueForm, meter: Steps | undefined): ValueForm {
  if (!meter) return form;
  return {
    ...form,
    member(map, key, value, reader, members) {
      form.member(map, key, value, reader, members);
      meter.takeMember();
    },
  };
}
