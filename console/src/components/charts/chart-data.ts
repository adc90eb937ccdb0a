// What a result can be drawn as: a time series, bars, or one number.

import type { ColumnType } from '#console/results/columns.ts';
import { type Row, valueText } from '#console/results/row.ts';
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

type Bars = Extract<ChartData, { readonly kind: 'bars' }>['bars'];

/** The forms of a drawing; a form that does not fit the rows gives way to the one that does. */
export type ChartForm = 'number' | 'line' | 'area' | 'bar' | 'pie';

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

/** What is drawn in a chosen form: one number, a series where there is a time, bars otherwise. */
export function chartDataAs(
  form: ChartForm,
  columns: readonly ColumnType[],
  rows: readonly Row[],
): ChartData | undefined {
  const data = chartDataOf(columns, rows);
  if (form === 'number') return numbersOf(columns, rows) ?? data;
  return form === 'pie' && data?.kind === 'series' ? sumsOf(data) : data;
}

/** The numbers of the first row. */
function numbersOf(columns: readonly ColumnType[], rows: readonly Row[]): ChartData | undefined {
  const [first] = rows;
  const measures = columns.map(({ name }) => name).filter((name) => !name.startsWith('_') && isMeasure(name, rows));
  if (!first || measures.length === 0) return undefined;
  return { kind: 'number', numbers: measures.map((label) => ({ label, value: Number(first[label]) })) };
}

/** Each line as one part of a whole. */
const sumsOf = ({ lines }: Extract<ChartData, { readonly kind: 'series' }>): ChartData => ({
  kind: 'bars',
  measure: '',
  bars: lines.map(({ label, values }) => ({ label, value: values.reduce<number>((sum, one) => sum + (one ?? 0), 0) })),
});

/** The largest parts, and the others together under `others`. */
export function partsOf(bars: Bars, most: number, others: string): Bars {
  const sorted = bars.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  if (sorted.length <= most) return sorted;
  const rest = sorted.slice(most - 1).reduce((sum, { value }) => sum + value, 0);
  return [...sorted.slice(0, most - 1), { label: others, value: rest }];
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
