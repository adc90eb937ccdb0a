// The shape of a record whose values are at hand.

import type { Json } from '#kernel/json/canonical-json.ts';
import type { Fields, FieldType, Shape } from './log-store.ts';

export const shapeOf = (fields: Fields): Shape => ({
  names: Object.keys(fields),
  types: Object.values(fields).map(typeOf),
});

export function typeOf(value: Json): FieldType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'null';
  if (typeof value !== 'number') return 'other';
  if (Number.isSafeInteger(value)) return 'long';
  // What JavaScript cannot hold exactly keeps its digits as text.
  return Number.isInteger(value) || !Number.isFinite(value) ? 'other' : 'double';
}
