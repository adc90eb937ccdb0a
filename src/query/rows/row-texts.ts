// Rows of a result as texts: a JSON array of its columns, and last the overflow where there is one. DuckDB writes them,
// which costs the main thread nothing; whoever needs values reads them back.

import type { Row } from '#query/host/row-steps.ts';
import { idsOf } from '#query/model/columns.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { Column, Overflow, PlanNode, Rows } from '#query/nodes/plan.ts';
import { alias, type PlanCompiler } from '#query/nodes/sql-compiler.ts';
import { keysOf } from '#query/nodes/steps.ts';
import { toAny } from '#query/sql/conversion.ts';
import { instantOf } from '#query/values/dates.ts';
import { taggedJson, taggedValue } from './tagged-json.ts';

/** A row of the host in the same form. */
export function rowTextOf(row: Row, { columns, overflow }: Rows): string {
  const cells = columns.map(({ id, type }) => cellJson(row[id] ?? null, type));
  return `[${[...cells, ...(overflow ? [taggedJson(row[overflow.id] ?? null)] : [])].join(',')}]`;
}

function cellJson(value: Value, type: ColumnType): string {
  if (type === 'date' && value instanceof Temporal.Instant) return String(value.epochMilliseconds);
  if (type === 'binary' && value instanceof Uint8Array) return `"${value.toBase64()}"`;
  return taggedJson(type === 'double' && typeof value === 'bigint' ? Number(value) : value);
}

/** All that `hostRowOf` reads. */
export function hostTextSql({ rows }: PlanNode, compiler: PlanCompiler): string {
  const cells = idsOf(rows).map((id) => toAny(compiler.column(id), compiler.writer()).text);
  return `json_array(${cells.join(', ')})::varchar`;
}

export function hostRowOf(text: string, rows: Rows): Row {
  const cells = taggedValue(text);
  if (!Array.isArray(cells)) throw new Error('a row is a JSON array');
  const row: Row = [];
  for (const [index, id] of idsOf(rows).entries()) row[id] = cells[index] ?? null;
  return row;
}

/** A row of the host with all that it carries along, for `hostStageStatement`. */
export const hostLineOf = (row: Row, rows: Rows): string =>
  `[${idsOf(rows)
    .map((id) => taggedJson(row[id] ?? null))
    .join(',')}]\n`;

/** Dates are milliseconds and binaries base64; tags are only where the type does not tell. */
export function rowTextSql({ rows: { columns, overflow } }: PlanNode, compiler: PlanCompiler): string {
  const cells = columns.map(({ id }) => WRITTEN[compiler.typeOf(id)]?.(alias(id)) ?? alias(id));
  return `json_array(${[...cells, ...(overflow ? [alias(overflow.id)] : [])].join(', ')})::varchar`;
}

const WRITTEN: Partial<Record<ColumnType, (column: string) => string>> = {
  date: (column) => `epoch_ms(${column})`,
  binary: (column) => `to_base64(${column})`,
};

/** Reads rows of a result. */
export class RowTexts {
  readonly #columns: readonly Column[];
  readonly #names: ReadonlySet<string>;
  readonly #overflow: Overflow | undefined;

  constructor({ rows: { columns, overflow } }: Pick<PlanNode, 'rows'>) {
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
