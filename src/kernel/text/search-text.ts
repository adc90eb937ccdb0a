// Text as searches compare it: case and composition do not matter (한글 typed on another system may arrive decomposed).
// Folded in the host because SQLite folds ASCII only.

/** Noncharacters of Unicode, which no valid text contains. */
const FIELD_SEPARATOR = '\ufdd0';
const SEPARATOR_REPLACEMENT = '\ufdd1';

/** Greek has two small letters sigma; they compare equal. */
const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

/** The text that keywords are searched in. No keyword matches across two fields. */
export const searchText = (fields: readonly (string | null | undefined)[]): string =>
  foldCase(
    fields
      .filter((field) => field)
      .map((field) => field?.replaceAll(FIELD_SEPARATOR, SEPARATOR_REPLACEMENT))
      .join(FIELD_SEPARATOR),
  );

/** A keyword in the form in which `searchText` contains it. */
export const searchKeyword = (keyword: string): string =>
  foldCase(keyword).replaceAll(FIELD_SEPARATOR, SEPARATOR_REPLACEMENT);
