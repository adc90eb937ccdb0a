// From field values to the columns of a row, and from rows to records.

import { toStamp } from '#contract/times.ts';
import type { JsonSchema } from '#http/params.ts';
import { guidText, type Optional, object, stamp, string } from '#http/shapes.ts';
import { searchable } from '#kernel/folded.ts';
import {
  type AnyFamily,
  type AnyRow,
  type Derived,
  type Field,
  type Fields,
  keyOf,
  type RecordContext,
} from './family.ts';

export type FieldInput = Readonly<Record<string, unknown>>;

/** Lists leave out fields that only `get` shows. */
export type RecordDetail = 'listed' | 'alone';

export function recordShape(family: AnyFamily, extent: RecordDetail): JsonSchema {
  const { key = 'guid' } = family;
  const shapes: [string, JsonSchema | Optional][] = shownOf(family, extent).map(([name, { shape }]) => [name, shape]);
  return object({
    [key]: key === 'guid' ? guidText : string,
    ...Object.fromEntries(shapes),
    created: stamp,
    updated: stamp,
  });
}

export async function recordsOf(rows: readonly AnyRow[], extent: RecordDetail, view: RecordContext): Promise<object[]> {
  const { family, zone } = view;
  const columns: { name: string; values: readonly unknown[]; isOptional: boolean }[] = [];
  for (const [name, shown] of shownOf(family, extent)) {
    columns.push({ name, values: await shown.of(rows, view), isOptional: 'optional' in shown.shape });
  }
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  return rows.map((row, at) => ({
    [family.key ?? 'guid']: keyOf(family, row),
    ...Object.fromEntries(
      columns
        .map(({ name, values, isOptional }) => ({ name, value: values[at] ?? null, isOptional }))
        .filter(({ value, isOptional }) => value !== null || !isOptional)
        .map(({ name, value }) => [name, value]),
    ),
    created: stampOf(row.created_at),
    updated: stampOf(row.updated_at),
  }));
}

/** The columns of fields. */
export function columnsOf(fields: Fields, given: FieldInput): Record<string, string | number | null> {
  const kept = Object.entries(fields).flatMap(([name, { column }]) => {
    if (!column) return [];
    const value = given[name];
    return [[name, value === undefined ? null : column.write(value)] as const];
  });
  return Object.fromEntries(kept);
}

/** The text for keyword search. */
export function searchOf({ searched = ['name', 'description'] }: AnyFamily, row: FieldInput): string {
  return searchable(searched.map((column) => (row[column] ?? null) as string | null));
}

/** Fields, then derived fields, in the order of declaration. */
function shownOf(family: AnyFamily, extent: RecordDetail): [string, Derived][] {
  const fields = Object.entries({ ...family.fields, ...family.newFields }).flatMap(([name, field]) => {
    const shown = derivedOf(name, field);
    return shown ? [[name, shown] as [string, Derived]] : [];
  });
  const all = [...fields, ...Object.entries(family.derived ?? {})];
  return all.filter(([, { onlyInDetail }]) => extent === 'alone' || !onlyInDetail);
}

function derivedOf(name: string, { shape, onlyInDetail, column, show }: Field): Derived | undefined {
  if (!shape) return undefined;
  const alone = onlyInDetail ? ({ onlyInDetail } as const) : {};
  if (show) return { shape, ...alone, of: show };
  const read = (kept: unknown) => (kept === null || !column ? null : column.read(kept as string | number));
  return { shape, ...alone, of: async (rows) => rows.map((row) => read(row[name])) };
}
