// Normalization of names before they are validated, compared and stored: trimmed, and in one Unicode form, so that
// names that look the same are equal.

/** Longer than any valid name in any Unicode form. */
const MAX_CHARACTERS = 64 * 1024;

export function normalizeName(name: string): string {
  const trimmed = name.trim();
  return trimmed.length > MAX_CHARACTERS ? trimmed : trimmed.normalize('NFC');
}
