// Rows of a result as texts: a JSON array of its columns, and last the overflow where there is one. DuckDB writes them,
// which costs the main thread nothing; only clients that need values read them back.

import { type Column, idsOf, type Overflow, type Rows } from '#query/model/columns.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { instantOf } from '#query/values/dates/dates.ts';
import type { Row } from './row.ts';
import { taggedJson, taggedValue } from './tagged-json.ts';
import { keysOf } from './whole-rows.ts';

/** A row of the local evaluator in the same form. */
export function rowTextOf(row: Row, { columns, overflow }: Rows): string {
  const cells = columns.map(({ id, type }) => cellJson(row[id] ?? null, type));
  return `[${[...cells, ...(overflow ? [taggedJson(row[overflow.id] ?? null)] : [])].join(',')}]`;
}

function cellJson(value: Value, type: ColumnType): string {
  if (type === 'date' && value instanceof Temporal.Instant) return String(value.epochMilliseconds);
  if (type === 'binary' && value instanceof Uint8Array) return `"${value.toBase64()}"`;
  return taggedJson(type === 'double' && typeof value === 'bigint' ? Number(value) : value);
}

export function localRowOf(text: string, rows: Rows): Row {
  const cells = taggedValue(text);
  if (!Array.isArray(cells)) throw new Error('a row is a JSON array');
  const row: Row = [];
  for (const [index, id] of idsOf(rows).entries()) row[id] = cells[index] ?? null;
  return row;
}

/** A row of the local evaluator with its hidden columns, for `localStageStatement`. */
export const localLineOf = (row: Row, rows: Rows): string =>
  `[${idsOf(rows)
    .map((id) => taggedJson(row[id] ?? null))
    .join(',')}]\n`;

/** Reads rows of a result. */
export class RowTexts {
  readonly #columns: readonly Column[];
  readonly #names: ReadonlySet<string>;
  readonly #overflow: Overflow | undefined;

  constructor({ rows: { columns, overflow } }: { readonly rows: Rows }) {
    this.#columns = columns;
    this.#overflow = overflow;
    this.#names = new Set([...columns.map(({ name }) => name), ...(overflow?.without ?? [])]);
  }

  /** Fields in the order of columns, then those of the overflow that have a value, by code point. */
  fields(text: string): Map<string, Value> {
    const cells = taggedValue(text);
    if (!Array.isArray(cells)) throw new Error('a row is a JSON array');
    const fields = new Map(this.#columns.map(({ name, type }, index) => [name, cellValue(cells[index] ?? null, type)]));
    if (!this.#overflow) return fields;
    for (const [name, value] of keysOf(cells[this.#columns.length] ?? null)) {
      if (value !== null && !this.#names.has(name)) fields.set(name, value);
    }
    return fields;
  }
}

function cellValue(written: Value, type: ColumnType): Value {
  if (type === 'date' && typeof written === 'bigint') return instantOf(Number(written));
  return type === 'binary' && typeof written === 'string' ? Uint8Array.fromBase64(written) : written;
}
