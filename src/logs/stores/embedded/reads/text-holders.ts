// Which filters of a table know a text: the keys of a filter have the numbers of columns, and values of other types than that
// of their column stand in the overflow.

import { OVERFLOW_NUMBER } from '#logs/stores/embedded/storage/records.ts';
import type { ColumnType, StoredColumn, StoredColumns } from '#logs/stores/shared/columns.ts';
import type { Term } from '#query/functions/text-tests.ts';
import type { TableSource } from '#query/plan-nodes/shared/scans.ts';

/** A table as one scan reads it. */
export interface StoredTexts {
  readonly source: TableSource;
  /** As they are stored. */
  readonly columns: StoredColumns;
}

/** Columns of the values of a field, by its name: the first one, then those of other types. */
export function columnsOfFields(columns: StoredColumns): ReadonlyMap<string, readonly StoredColumn[]> {
  const ofFields = new Map<string, StoredColumn[]>();
  for (const [name, column] of columns) {
    const [field = name] = column.path ?? [];
    const known = ofFields.get(field);
    if (known) known.push(column);
    else ofFields.set(field, [column]);
  }
  return ofFields;
}

/** The numbers of those with texts. */
export const textNumbers = (columns: readonly StoredColumn[]): number[] =>
  columns.filter(({ type }) => type === 'VARCHAR').map(({ number }) => number);

/** A field that fulltext searches. */
export interface SearchedField {
  readonly name: string;
  /** Numbers of the columns that its texts stand in. */
  readonly numbers: readonly number[];
  /** Types of its other values that have columns. */
  readonly others: readonly Exclude<ColumnType, 'VARCHAR'>[];
  /** Whether it is nothing but text in a column of its own. */
  readonly isText: boolean;
}

export function searchedFields({ source, columns }: StoredTexts): SearchedField[] {
  const ofFields = columnsOfFields(columns);
  return source.columns.flatMap(({ name, type }) => {
    if (name.startsWith('_')) return [];
    const stored = ofFields.get(name) ?? [];
    const overflow = type === 'any' || stored.length === 0 ? [OVERFLOW_NUMBER] : [];
    const others = stored.flatMap((column) => (column.type === 'VARCHAR' ? [] : [column.type]));
    return [{ name, numbers: [...textNumbers(stored), ...overflow], others, isText: type === 'string' }];
  });
}

/** Whether a number or a boolean may hold all the words: filters do not know them. */
export const mayBeIn = (
  { others }: SearchedField,
  { words, openStart, openEnd }: Pick<Term, 'words' | 'openStart' | 'openEnd'>,
): boolean =>
  others.some((other) => {
    if (other !== 'BOOLEAN') return words.every((word) => /^[\de]+$/.test(word));
    return words.every((word) => (openStart || openEnd ? /^[aeflrstu]+$/ : /^(true|false)$/).test(word));
  });
