// A stored lookup as queries read it: its columns with the types of the file that is in force.

import type { FileColumn, LookupFile } from '#logs/lookup-files.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { LookupRow } from '#store/schema/schema.ts';

type Columns = Pick<LookupRow, 'columns' | 'file_columns'>;

export const columnNames = ({ columns }: Pick<LookupRow, 'columns'>): readonly string[] => JSON.parse(columns);

export const fileColumns = ({ file_columns }: Pick<LookupRow, 'file_columns'>): readonly FileColumn[] =>
  JSON.parse(file_columns);

/** Columns that the file does not have are null in every row. */
export function knownColumns(row: Columns): KnownColumn[] {
  const types = new Map(fileColumns(row).map(({ name, type }) => [name, type]));
  return columnNames(row).map((name) => ({ name, type: types.get(name) ?? 'any' }));
}

/** Undefined before the first load. */
export function fileOf(row: Pick<LookupRow, 'file' | 'file_columns'>): LookupFile | undefined {
  return row.file === null ? undefined : { file: row.file, columns: fileColumns(row) };
}
