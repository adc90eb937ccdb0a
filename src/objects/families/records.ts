// From field values to the columns of a row, and from rows to records.

import { keptStampsIn } from '#contract/times.ts';
import { searchText } from '#kernel/text/search-text.ts';
import {
  describedFields,
  guidText,
  isOptional,
  type Optional,
  record,
  stamp,
  string,
  type Typed,
} from '#operations/answers/shapes.ts';
import {
  type AnyFamily,
  type AnyRow,
  type Derived,
  type Field,
  type Fields,
  familyMeanings,
  keyOf,
  type RecordContext,
} from './family.ts';

export type FieldInput = Readonly<Record<string, unknown>>;

/** Lists leave out fields that only `get` shows. */
type RecordDetail = 'listed' | 'alone';

/** Named for its family, `Summary` added where a list shows less than one object alone. */
export function recordShape(family: AnyFamily, extent: RecordDetail): Typed<object> {
  const { key = 'guid' } = family;
  const shapes: [string, Typed | Optional][] = shownOf(family, extent).map(([name, { shape }]) => [name, shape]);
  const isSummary = extent === 'listed' && shapes.length < shownOf(family, 'alone').length;
  const fields = {
    [key]: key === 'guid' ? guidText : string,
    ...Object.fromEntries(shapes),
    created: stamp,
    updated: stamp,
  };
  const name = `${schemaName(family.thing)}${isSummary ? 'Summary' : ''}`;
  return record(name, describedFields(fields, familyMeanings(family)));
}

/** `alarm group` is `AlarmGroup`. */
const schemaName = (thing: string): string =>
  thing.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

export async function recordsOf(rows: readonly AnyRow[], extent: RecordDetail, view: RecordContext): Promise<object[]> {
  const { family, zone } = view;
  const columns: { name: string; values: readonly unknown[]; isOptional: boolean }[] = [];
  for (const [name, shown] of shownOf(family, extent)) {
    columns.push({ name, values: await shown.of(rows, view), isOptional: isOptional(shown.shape) });
  }
  const stampOf = keptStampsIn(zone);
  return rows.map((row, at) => {
    const record: Record<string, unknown> = { [family.key ?? 'guid']: keyOf(family, row) };
    for (const { name, values, isOptional } of columns) {
      const value = values[at] ?? null;
      if (value !== null || !isOptional) record[name] = value;
    }
    record.created = stampOf(row.created_at);
    record.updated = stampOf(row.updated_at);
    return record;
  });
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
  return searchText(searched.map((column) => (row[column] ?? null) as string | null));
}

/** Derived once per family. */
const shownFields = new WeakMap<AnyFamily, Record<RecordDetail, [string, Derived][]>>();

function shownOf(family: AnyFamily, extent: RecordDetail): [string, Derived][] {
  const known = shownFields.get(family) ?? { listed: shownIn(family, 'listed'), alone: shownIn(family, 'alone') };
  shownFields.set(family, known);
  return known[extent];
}

/** Fields, then derived fields, in the order of declaration. */
function shownIn(family: AnyFamily, extent: RecordDetail): [string, Derived][] {
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
