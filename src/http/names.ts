// Names as they are checked, compared and kept: without blanks around them, and in one form of Unicode, so that two that look
// the same are the same.

import type { Given, Givens } from './given.ts';
import { type Params, type Reader, single, text } from './params.ts';

/** Parameters of a body that are names. */
const NAMES = ['name', 'login', 'code', 'title'];
/** No name that may be kept is as long in any form. */
const MAX_CHARACTERS = 64 * 1024;

export function normalizedName(given: string): string {
  const trimmed = given.trim();
  return trimmed.length > MAX_CHARACTERS ? trimmed : trimmed.normalize('NFC');
}

export function normalizedNames(givens: Givens, params: Params): Givens {
  const names = NAMES.filter((name) => givens.has(name) && !params[name]?.isNamedAsSent);
  if (names.length === 0) return givens;
  const normalized = new Map<string, readonly Given[]>(givens);
  for (const name of names) {
    const values = givens.get(name) ?? [];
    normalized.set(
      name,
      values.map((value) => (typeof value === 'string' ? normalizedName(value) : value)),
    );
  }
  return normalized;
}

/** A name whose length counts as it was sent, blanks around it included. */
export function nameAsSent(most: number): Reader<string | undefined> {
  const reader = text(most);
  return {
    ...single({ type: 'string', maxLength: most }, (given, name, circumstances) => {
      const isBlank = typeof given === 'string' && given.trim() === '';
      const sent = isBlank ? undefined : reader.read([given], name, circumstances);
      return sent === undefined ? undefined : normalizedName(sent);
    }),
    isNamedAsSent: true,
  };
}
