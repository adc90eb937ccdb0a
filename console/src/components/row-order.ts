// The order of rows by a column. Rows without a value come last in both directions.

export interface Sorting {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

interface SortableColumn<T> {
  readonly id: string;
  sortValue?(row: T): string | number | undefined;
}

export function sortRows<T>(
  rows: readonly T[],
  columns: readonly SortableColumn<T>[],
  sorting: Sorting | undefined,
): readonly T[] {
  const sortValue = columns.find(({ id }) => id === sorting?.column)?.sortValue;
  if (!sorting || !sortValue) return rows;
  const factor = sorting.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const a = sortValue(one);
    const b = sortValue(other);
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return factor * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
  });
}
