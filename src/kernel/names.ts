// Names as they are checked, compared and kept: without blanks around them, and in one form of Unicode, so that two that look
// the same are the same.

/** No name that may be kept is as long in any form. */
const MAX_CHARACTERS = 64 * 1024;

export function normalizeName(given: string): string {
  const trimmed = given.trim();
  return trimmed.length > MAX_CHARACTERS ? trimmed : trimmed.normalize('NFC');
}
