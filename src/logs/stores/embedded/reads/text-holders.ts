// Which filters of a table know a text: the keys of a filter have the numbers of columns, and values of other types than that
// of their column stand in the overflow.

import type { Columns, ColumnType } from '#logs/stores/shared/columns.ts';
import type { Term } from '#query/functions/text-tests.ts';
import type { TableSource } from '#query/nodes/shared/scans.ts';

/** The number of the column that holds the fields without a column, see `allColumns`. */
export const OVERFLOW = 3;
const FIRST_COLUMN = 4;

/** A table as one scan reads it. */
export interface StoredTexts {
  readonly source: TableSource;
  /** As they are stored. */
  readonly columns: Columns;
}

export const numberOf = (name: string, columns: Columns): number => FIRST_COLUMN + [...columns.keys()].indexOf(name);

/** A field that fulltext searches. */
export interface SearchedField {
  readonly name: string;
  /** Numbers of the columns that its texts stand in. */
  readonly numbers: readonly number[];
  /** How its values of one other type are stored, where it has any. */
  readonly other?: Exclude<ColumnType, 'VARCHAR'>;
  /** Whether it is nothing but text in a column of its own. */
  readonly isText: boolean;
}

export function searchedFields({ source, columns }: StoredTexts): SearchedField[] {
  return source.columns.flatMap(({ name, type }) => {
    if (name.startsWith('_')) return [];
    const stored = columns.get(name);
    const overflow = type === 'any' || stored === undefined ? [OVERFLOW] : [];
    if (stored === undefined) return [{ name, numbers: overflow, isText: false }];
    if (stored !== 'VARCHAR') return [{ name, numbers: overflow, other: stored, isText: false }];
    return [{ name, numbers: [numberOf(name, columns), ...overflow], isText: type === 'string' }];
  });
}

/** Whether a number or a boolean may hold all the words: filters do not know them. */
export const mayBeIn = (
  { other }: SearchedField,
  { words, openStart, openEnd }: Pick<Term, 'words' | 'openStart' | 'openEnd'>,
): boolean => {
  if (other === undefined) return false;
  if (other !== 'BOOLEAN') return words.every((word) => /^[\de]+$/.test(word));
  return words.every((word) => (openStart || openEnd ? /^[aeflrstu]+$/ : /^(true|false)$/).test(word));
};
