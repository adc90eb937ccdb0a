// Text as searches compare it: case and composition do not matter (한글 typed on another system may arrive decomposed).
// Made in the host because SQLite folds ASCII only.

/** Noncharacters of Unicode: no text has them. The first stands between fields, the second for it in a keyword. */
const BETWEEN = '\ufdd0';
const NOWHERE = '\ufdd1';

/** The two small letters of a Greek sigma are one. */
const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

/** What keywords are sought in. No keyword is found across two fields. */
export const searchable = (fields: readonly (string | null | undefined)[]): string =>
  folded(
    fields
      .filter((field) => field)
      .map((field) => field?.replaceAll(BETWEEN, NOWHERE))
      .join(BETWEEN),
  );

/** A keyword as it is sought. */
export const sought = (keyword: string): string => folded(keyword).replaceAll(BETWEEN, NOWHERE);
