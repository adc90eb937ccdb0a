// Values of which each type is in a column of its own: operations on them take the columns apart, and make JSON only where
// nothing else will do.

import { toAny } from './conversion.ts';
import type { MixedParts, Sql, SqlType } from './scope.ts';
import type { Writer } from './writer.ts';

export type PartName = keyof MixedParts;

export const PART_NAMES = ['number', 'string', 'bool', 'other'] as const satisfies readonly PartName[];

/** The part that values of a type belong to. */
export function partOf(type: SqlType): PartName {
  if (type === 'string' || type === 'bool') return type;
  return type === 'long' || type === 'double' || type === 'number' ? 'number' : 'other';
}

export const partsIn = (parts: MixedParts): Sql[] => PART_NAMES.flatMap((name) => parts[name] ?? []);

/** The value of whichever part is not null, as JSON. */
export function mixedValue(parts: MixedParts, writer: Writer): Sql {
  const texts = partsIn(parts).map((part) => toAny(part, writer).text);
  return {
    text: texts.length === 1 ? (texts[0] ?? '') : `coalesce(${texts.join(', ') || 'null::json'})`,
    type: 'any',
    parts,
  };
}
