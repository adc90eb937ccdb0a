// Text that every database, file and language can store: no NUL, no lone surrogates. JSON can hide both behind escapes.

import type { Json } from './canonical-json.ts';

export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Whether `value`, parsed by JSON.parse from `source`, holds only storable text. Walks the value only if `source` has a
 * suspicious escape.
 */
export const isStorableJson = (value: Json, source: string): boolean =>
  !/\\u(?:0000|d[89a-f])/i.test(source) || hasStorableText(value);

function hasStorableText(value: Json): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && hasStorableText(item));
}
