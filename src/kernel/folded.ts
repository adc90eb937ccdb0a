// Text as searches compare it: case and composition do not matter (한글 typed on another system may arrive decomposed).
// Made in the host because SQLite folds ASCII only.

export const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** What keywords are sought in: the fields, a line each. */
export const searchable = (fields: readonly (string | null | undefined)[]): string =>
  folded(fields.filter((field) => field).join('\n'));
