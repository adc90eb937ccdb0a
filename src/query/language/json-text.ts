// Parses the JSON of the `json` command: strict except for single-quoted strings and bare keys.

import { type JsonForm, MalformedJson } from '#kernel/json/json-form.ts';
import { JsonReader } from '#kernel/json/json-reader.ts';
import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import type { InnerText } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { LENIENT } from '#query/values/formats/strict-json.ts';

/** Reads one object, or the objects of a list. */
export function* readObjects(inner: InnerText): SlicedWork<MapValue[]> {
  const begins: number[] = [];
  const value = yield* wholeOf(inner, begins);
  const rows = Array.isArray(value) ? value : [value];
  return yield* mapSliced(rows.entries(), ([index, row]) => {
    if (row instanceof Map) return row;
    const begin = (Array.isArray(value) ? begins[index] : 0) ?? 0;
    throw new QueryError(10201, { begin: inner.offset(begin), end: inner.offset(begin + 1) });
  });
}

/** `begins` gets the positions of the elements of an outermost list. */
function* wholeOf({ text, offset }: InnerText, begins: number[]): SlicedWork<Value> {
  try {
    return yield* new JsonReader(text, rowForm(begins)).slices();
  } catch (failure) {
    if (!(failure instanceof MalformedJson)) throw failure;
    const { fault, at } = failure;
    const span = { begin: offset(at), end: offset(Math.min(at + 1, text.length)) };
    throw new QueryError(10200, span, { detail: { term: fault } });
  }
}

/** Constants of a query are normalized texts, and its numbers are finite. A map is never a date or binary. */
const rowForm = (begins: number[]): JsonForm<Value, Map<string, Value>> => ({
  ...LENIENT,
  closed: (map) => map,
  number: (digits, isWhole) => LENIENT.number(digits, isWhole) ?? undefined,
  element(list, value, { depth, begin }) {
    if (depth === 1) begins.push(begin);
    list.push(value);
  },
  string: (text) => text.normalize(),
  key: (text) => text.normalize(),
});
