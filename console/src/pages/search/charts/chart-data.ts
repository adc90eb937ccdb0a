// What a result can be drawn as: a time series, bars, or one number.

import type { ColumnType } from '#console/pages/search/rows/columns.ts';
import { type Row, valueText } from '#console/pages/search/rows/row.ts';
import { parseStamp } from '#console/time/moments.ts';

export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export type ChartData =
  | {
      readonly kind: 'series';
      readonly times: readonly number[];
      /** The largest ones, in the order of the columns. */
      readonly lines: readonly Line[];
      /** Lines that are not drawn. */
      readonly others: number;
    }
  | {
      readonly kind: 'bars';
      readonly measure: string;
      readonly bars: readonly { readonly label: string; readonly value: number }[];
    }
  | { readonly kind: 'number'; readonly numbers: readonly { readonly label: string; readonly value: number }[] };

export const MAX_LINES = 12;
export const MAX_BARS = 50;

/** Undefined for rows without numbers, and for records, which are no aggregates. */
export function chartDataOf(columns: readonly ColumnType[], rows: readonly Row[]): ChartData | undefined {
  if (rows.length === 0 || columns.some(({ name }) => name === '_id')) return undefined;
  const measures = columns.map(({ name }) => name).filter((name) => isMeasure(name, rows));
  const time = columns.find(({ name, type }) => type === 'date' || name === '_time')?.name;
  if (measures.length === 0) return undefined;
  if (time !== undefined) return seriesOf(time, measures, rows);
  const labels = columns.map(({ name }) => name).filter((name) => !measures.includes(name));
  if (rows.length === 1 && labels.length === 0) {
    return { kind: 'number', numbers: measures.map((label) => ({ label, value: Number(rows[0]?.[label]) })) };
  }
  return barsOf(labels, measures, rows);
}

const isMeasure = (name: string, rows: readonly Row[]): boolean => {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number' || typeof value === 'bigint');
};

function seriesOf(time: string, measures: readonly string[], rows: readonly Row[]): ChartData {
  const points = rows
    .map((row) => ({ row, at: parseStamp(String(row[time])) }))
    .filter((point): point is { row: Row; at: number } => point.at !== undefined)
    .toSorted((one, other) => one.at - other.at);
  const lines = measures.map((label) => ({ label, values: points.map(({ row }) => numberIn(row[label])) }));
  const largest = new Set(lines.toSorted((one, other) => sumOf(other) - sumOf(one)).slice(0, MAX_LINES));
  return {
    kind: 'series',
    times: points.map(({ at }) => at),
    lines: lines.filter((line) => largest.has(line)),
    others: lines.length - largest.size,
  };
}

const sumOf = ({ values }: Line): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** By the last measure where the first column has to serve as label: `stats count by status`. */
function barsOf(labels: readonly string[], measures: readonly string[], rows: readonly Row[]): ChartData | undefined {
  const names = labels.length > 0 ? labels : measures.slice(0, 1);
  const measure = measures.find((name) => !names.includes(name));
  if (measure === undefined) return undefined;
  const bars = rows.slice(0, MAX_BARS).map((row) => ({
    label: names.map((name) => valueText(row[name])).join(' · '),
    value: numberIn(row[measure]) ?? 0,
  }));
  return { kind: 'bars', measure, bars };
}

const numberIn = (value: unknown): number | null =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
