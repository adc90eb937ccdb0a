// Top values of fields: counted by the service over all records of the filtering part, or here over the rows that are shown.

import { type FilterPart, filtersText } from '#console/query-text/parts.ts';
import type { ColumnType } from '#console/results/columns.ts';
import { type Row, valueText } from '#console/results/row.ts';

export interface FieldCounts {
  readonly field: string;
  /** Rows that have a value. */
  readonly count: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: unknown; readonly count: number }[];
}

export interface FieldSummary {
  readonly rows: number;
  readonly isPartial: boolean;
  /** Whether the service counted: over all records, not over those that are shown. */
  readonly isOfRecords: boolean;
  readonly fields: readonly FieldCounts[];
}

const MAX_VALUES = 10;

/** The request for the facets of a text; undefined where its driver is not one table in the range of the page. */
export function facetsRequest(text: string, part: FilterPart | undefined) {
  if (
    part?.table === undefined ||
    part.hasOwnRange ||
    /(?:^|\s)(?:offset|limit)=/.test(text.slice(part.driver.begin, part.driver.end))
  ) {
    return undefined;
  }
  const q = filtersText(text, part);
  return { table: part.table, limit: MAX_VALUES, ...(q === '' ? {} : { q }) };
}

/** Counts over rows that are here. */
export function countsOf(columns: readonly ColumnType[], rows: readonly Row[]): FieldSummary {
  const fields = columns.map(({ name }) => {
    const counts = new Map<string, { value: unknown; count: number }>();
    for (const row of rows) {
      const value = row[name];
      if (value === null || value === undefined) continue;
      const key = `${typeof value} ${valueText(value)}`;
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { value, count: 1 });
    }
    const values = [...counts.values()].toSorted((one, other) => other.count - one.count);
    const count = values.reduce((sum, one) => sum + one.count, 0);
    return { field: name, count, distinct: values.length, values: values.slice(0, MAX_VALUES) };
  });
  return { rows: rows.length, isPartial: false, isOfRecords: false, fields };
}
