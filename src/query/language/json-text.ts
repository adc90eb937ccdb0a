// Parses the JSON of the `json` command: strict except for single-quoted strings and bare keys.

import { MalformedJson } from '#kernel/json/json-reader.ts';
import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import type { InnerText } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { ValueReader } from '#query/values/strict-json.ts';

/** Reads one object, or the objects of a list. */
export function* readObjects(inner: InnerText): SlicedWork<MapValue[]> {
  const reader = new RowReader(inner.text, 'lenient');
  const value = yield* wholeOf(reader, inner);
  const rows = Array.isArray(value) ? value : [value];
  return yield* mapSliced(rows.entries(), ([index, row]) => {
    if (row instanceof Map) return row;
    const begin = (Array.isArray(value) ? reader.begins[index] : 0) ?? 0;
    throw new QueryError(10201, { begin: inner.offset(begin), end: inner.offset(begin + 1) });
  });
}

function* wholeOf(reader: RowReader, { text, offset }: InnerText): SlicedWork<Value> {
  try {
    return yield* reader.slices();
  } catch (failure) {
    if (!(failure instanceof MalformedJson)) throw failure;
    const { fault, at } = failure;
    const span = { begin: offset(at), end: offset(Math.min(at + 1, text.length)) };
    throw new QueryError(10200, span, { detail: { term: fault } });
  }
}

/** Constants of a query are normalized texts, and its numbers are finite. A map is never a date or binary. */
class RowReader extends ValueReader {
  /** Positions of the elements of an outermost list. */
  readonly begins: number[] = [];

  protected override element(list: Value[], value: Value): void {
    if (this.depth === 1) this.begins.push(this.begin);
    super.element(list, value);
  }

  protected override closed(map: Map<string, Value>): Value {
    return map;
  }

  protected override key(text: string): string {
    return text.normalize();
  }

  protected override number(digits: string, isWhole: boolean): Value | undefined {
    return super.number(digits, isWhole) ?? undefined;
  }

  protected override string(text: string): Value {
    return text.normalize();
  }
}
