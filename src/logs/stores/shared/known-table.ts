// A table as a plan knows it: the columns that were learnt from its records.

import { pathKey } from '#logs/leaf-shapes.ts';
import type { Layout } from '#logs/log-store.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { ColumnType as ValueType } from '#query/model/values.ts';
import type { FurtherTypes, LeafTypes } from '#query/plan-nodes/shared/compile-context.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Columns, ColumnType, LearntColumn, LearntColumns, StoredColumns } from './columns.ts';
import type { LeafColumn, Leaves } from './leaves.ts';

export const VALUE_TYPES: Readonly<Record<ColumnType, ValueType>> = {
  BIGINT: 'long',
  DOUBLE: 'double',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
};

/** The types of the values in columns. */
export const valueTypes = (columns: Columns): ReadonlyMap<string, ValueType> =>
  new Map([...columns].map(([name, type]) => [name, VALUE_TYPES[type]]));

/** By field how its values are stored beside its first column. */
export function furtherTypes(stored: StoredColumns, isMixed: (name: string) => boolean): Map<string, FurtherTypes> {
  const further = new Map<string, FurtherTypes['columns']>();
  for (const [name, { type, path }] of stored) {
    const [field = name] = path ?? [];
    const known = further.get(field) ?? [];
    further.set(field, path ? [...known, { name, type: VALUE_TYPES[type] }] : known);
  }
  return new Map(further.entries().map(([field, columns]) => [field, { columns, isInRest: isMixed(field) }]));
}

/** The columns of leaves as queries read them. */
export function leafTypes({ fields, columns }: Leaves): LeafTypes {
  const shapes = new Map(fields.map(({ field, name }) => [field, name]));
  const inner = new Set(columns.flatMap(({ path }) => path.slice(1).map((_, at) => pathKey(path.slice(0, at + 1)))));
  const ofPaths = Map.groupBy(columns, ({ path }) => pathKey(path));
  return {
    columns: [...columns.map(typedLeaf), ...fields.map(({ name }) => ({ name, type: 'long' as const }))],
    columnsOf: (path) => (inner.has(pathKey(path)) ? undefined : ofPaths.get(pathKey(path))?.map(typedLeaf)),
    shapeOf: (field) => shapes.get(field),
  };
}

const typedLeaf = ({ name, type }: LeafColumn) =>
  ({ name, type: type === 'JSON' ? 'any' : VALUE_TYPES[type] }) as const;

/** `isOneKind`: all numbers of a column with fractions are doubles. */
export function knownTable(
  name: string,
  layout: Layout,
  learnt: LearntColumns,
  { isOneKind = false } = {},
): KnownTable {
  if (layout === 'row') return { name, columns: [], isOpen: true };
  const known = new Map(learnt.columns.map((column) => [column.name, knownColumn(column, isOneKind)]));
  for (const [name] of learnt.further?.map(({ path }) => path) ?? []) {
    if (name !== undefined) known.set(name, { name, type: 'any' });
  }
  const columns = [...known.values()];
  const { others, nulls, isCountless, hasNulls } = learnt;
  const isOpen = isCountless || hasNulls || others.length > 0;
  // A table of an earlier version has nulls whose names were not recorded.
  if (isCountless || (hasNulls && !nulls)) return { name, columns, isOpen };
  return { name, columns, isOpen, keys: new Set([...others, ...(nulls ?? [])]) };
}

/** Whole numbers among fractions are longs: JSON does not tell 5.0 from 5, and neither do stored records. */
function knownColumn({ name, type, isMixed, isFraction }: LearntColumn, isOneKind: boolean): KnownColumn {
  if (isMixed) return { name, type: 'any' };
  return type === 'DOUBLE' && !isFraction && !isOneKind
    ? { name, type: 'any', isNumber: true }
    : { name, type: VALUE_TYPES[type] };
}
