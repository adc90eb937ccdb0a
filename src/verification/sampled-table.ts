// What generated pipelines know of a table: its fields with some of their values, and some times.

import type { ColumnType, Value } from '#query/model/values.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Row } from './same-rows.ts';

export interface SampledField {
  readonly name: string;
  /** Of all of its values; `any` where they are of several types or of others, or have no column. */
  readonly type: 'long' | 'double' | 'bool' | 'string' | 'any';
  readonly values: readonly Value[];
  /** Whether its values have the same sum in any order, but for the last digits. */
  readonly isSummable: boolean;
}

export interface SampledTable {
  readonly name: string;
  readonly fields: readonly SampledField[];
  readonly times: readonly Temporal.Instant[];
}

/** Values of a field from which a pipeline chooses. */
const MAX_VALUES = 60;

/** So that no sum of a sample is infinite. */
const MAX_SUMMED = 1e290;

/** Of the rows of a table; fields of the service are none of the records. */
export function sampledTable({ name, columns }: KnownTable, rows: readonly Row[]): SampledTable {
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const values = new Map<string, Value[]>();
  for (const row of rows) {
    for (const [field, value] of row) {
      if (field.startsWith('_') || value === null) continue;
      const known = values.get(field);
      if (known) known.push(value);
      else values.set(field, [value]);
    }
  }
  const times = spread(rows.flatMap((row) => timeOf(row.get('_time'))));
  return { name, times, fields: [...values].map(([field, found]) => sampledField(field, found, types.get(field))) };
}

const timeOf = (value: Value | undefined): Temporal.Instant[] => (value instanceof Temporal.Instant ? [value] : []);

function sampledField(name: string, values: readonly Value[], declared: ColumnType | undefined): SampledField {
  const type = TYPES.find((one) => one === declared) ?? 'any';
  const numbers = values.filter((value) => typeof value === 'number');
  const hasOneSign = numbers.every((value) => value >= 0) || numbers.every((value) => value <= 0);
  const isSummable = hasOneSign && numbers.every((value) => Math.abs(value) < MAX_SUMMED);
  return { name, type, isSummable, values: spread(values) };
}

const TYPES = ['long', 'double', 'bool', 'string'] as const;

/** Some of them, from the first to the last. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(all.length / MAX_VALUES));
  return all.filter((_, index) => index % step === 0);
}
