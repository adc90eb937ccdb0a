// A row of the local evaluator, and how its fields are read.

import type { Overflow } from '#query/model/columns.ts';
import type { FieldRead } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';

/** Values by column id; an overflow is a map. Made for one record and changed in place, as no id is given twice. */
export type Row = Value[];

export function readField({ name, source }: FieldRead): (row: Row) => Value {
  if (source?.kind === 'column' || source?.kind === 'rest') {
    const { id } = source;
    return (row) => row[id] ?? null;
  }
  if (source?.kind !== 'overflow') return () => null;
  const { id } = source;
  return (row) => {
    const map = row[id];
    return map instanceof Map ? (map.get(name) ?? null) : null;
  };
}

/** The map of an overflow without the keys that count as absent. */
export function overflowOf(row: Row, { id, without }: Overflow): MapValue | null {
  const map = row[id];
  if (!(map instanceof Map)) return null;
  return without.length === 0 ? map : new Map([...map].filter(([name]) => !without.includes(name)));
}
