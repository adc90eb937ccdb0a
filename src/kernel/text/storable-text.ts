// Text that every database, file and language can store: no NUL, no lone surrogates. JSON can hide both behind escapes.

import type { Json } from '#kernel/json/canonical-json.ts';

export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Whether `value`, parsed by JSON.parse from `source`, holds only storable text. Walks the value only if `source` has a
 * suspicious escape.
 */
export const isStorableJson = (value: Json, source: string): boolean =>
  !SUSPICIOUS_ESCAPE.test(source) || hasStorableText(value);

const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function hasStorableText(value: Json): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && hasStorableText(item));
}

/** Replaces each NUL and each lone surrogate by U+FFFD. Returns a storable text as it is. */
export function repairText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
}

/** The same for JSON source, in which they may also be escaped. */
export function repairJson(source: string): string {
  const text = repairText(source);
  return SUSPICIOUS_ESCAPE.test(text) ? repairEscapes(text) : text;
}

const ESCAPE_LENGTH = '\\uffff'.length;

function repairEscapes(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\\'); at !== -1; ) {
    const end = at + escapeLength(text, at);
    if (isUnstorableEscape(text, at, end)) {
      pieces.push(text.slice(from, at), '\\ufffd');
      from = end;
    }
    at = text.indexOf('\\', end);
  }
  return pieces.join('') + text.slice(from);
}

/** A surrogate pair counts as one escape. */
function escapeLength(text: string, at: number): number {
  if (text[at + 1] !== 'u') return 2;
  const isPair = HIGH_SURROGATE.test(digitsAt(text, at)) && LOW_SURROGATE.test(digitsAt(text, at + ESCAPE_LENGTH));
  return isPair && text.startsWith('\\u', at + ESCAPE_LENGTH) ? 2 * ESCAPE_LENGTH : ESCAPE_LENGTH;
}

const HIGH_SURROGATE = /^d[89ab]/i;
const LOW_SURROGATE = /^d[c-f]/i;

const isUnstorableEscape = (text: string, at: number, end: number): boolean =>
  end - at === ESCAPE_LENGTH && UNSTORABLE_DIGITS.test(digitsAt(text, at));

const UNSTORABLE_DIGITS = /^(?:0000|d[89a-f][\da-f]{2})$/i;

/** The digits of an escape by number. */
const digitsAt = (text: string, at: number): string => text.slice(at + 2, at + ESCAPE_LENGTH);

/** Puts a NUL in the place of each lone surrogate, which UTF-8 cannot hold: `repairText` replaces both. */
export const markUnpaired = (text: string): string =>
  text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, '\0');
