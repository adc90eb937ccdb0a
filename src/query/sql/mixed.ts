// Values of which each type is in a column of its own: operations on them take the columns apart, and make JSON only where
// nothing else will do.

import { firstOf, toAny } from './conversion.ts';
import { type MixedParts, PART_NAMES, type PartName, type Sql, type SqlType } from './scope.ts';
import type { Writer } from './writer.ts';

/** The part that values of a type belong to. */
export function partOf(type: SqlType): PartName {
  if (type === 'string' || type === 'bool') return type;
  return type === 'long' || type === 'double' || type === 'number' ? 'number' : 'other';
}

export const partsIn = (parts: MixedParts): Sql[] => PART_NAMES.flatMap((name) => parts[name] ?? []);

/** The value of whichever part is not null, as JSON. */
export function mixedValue(parts: MixedParts, writer: Writer): Sql {
  const texts = partsIn(parts).map((part) => toAny(part, writer).text);
  return { text: texts.length === 0 ? 'null::json' : firstOf(texts), type: 'any', parts };
}

/** Whether the value is there. */
export const isThere = (parts: MixedParts): string =>
  `(${partsIn(parts)
    .map(({ text }) => `${text} is not null`)
    .join(' or ')})`;

/** SQL of each part; parts for which there is none are left out. */
export function ofEachPart(parts: MixedParts, write: Partial<Record<PartName, (part: Sql) => string>>): string[] {
  return PART_NAMES.flatMap((name) => {
    const part = parts[name];
    return part && write[name] ? [write[name](part)] : [];
  });
}
