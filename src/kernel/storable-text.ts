// Text that every database, file and language can hold: no NUL, no lone surrogates. In JSON both hide behind escapes.

import type { Json } from './canonical-json.ts';

export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Whether `value`, which JSON.parse made of `source`, holds sound text alone. Looks closer only where an escape could hide one. */
export const isStorableJson = (value: Json, source: string): boolean =>
  !/\\u(?:0000|d[89a-f])/i.test(source) || hasStorableText(value);

function hasStorableText(value: Json): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && hasStorableText(item));
}
