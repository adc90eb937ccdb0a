// Hints about single tokens that have another meaning in other languages.

import type { Hint } from '#query/model/query-error.ts';
import { quoted } from './strings.ts';

/** Of a token that has another meaning in other languages. */
export function tokenHints(token: string): Hint[] {
  if (token.startsWith('#')) return [{ code: 91005 }];
  if (!/^['‘’]/.test(token)) return [];
  const text = token.slice(1).replace(/['‘’]$/, '');
  return [{ code: 91002, values: { text }, ...(/.['‘’]$/.test(token) ? { replacement: quoted(text) } : {}) }];
}

/** Of a word that is a field, and no name where it stands. */
export const quotedNameHint = (name: string): Hint => ({
  code: 91006,
  values: { name },
  replacement: `field(${quoted(name)})`,
});
