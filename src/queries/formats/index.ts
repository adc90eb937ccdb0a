// Rows of a query in the formats of the interface.

import { toStamp } from '#contract/times.ts';
import type { RowText } from '#engines/plan-run.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import type { ColumnType } from '#query/values.ts';

export const FORMATS = ['html', 'txt', 'xml', 'csv', 'json', 'json-single'] as const;
export type Format = (typeof FORMATS)[number];

export interface RowsAbout {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly hasOverflow: boolean;
  /** Names that an overflow must not show. */
  readonly hidden: readonly string[];
  /** The wanted columns in their order; absent: all. */
  readonly fields?: readonly string[];
  readonly zone: string;
  /** Asked when the last row has gone by. */
  total(): number;
}

export const contentTypeOf = (format: Format): string =>
  format === 'json-single' ? 'application/json' : 'application/x-ndjson';

/** What an answer in the format says of itself. */
export const headersOf = (format: Format): Record<string, string> => ({ 'content-type': contentTypeOf(format) });

export async function* rendered(
  format: Format,
  rows: AsyncIterable<readonly RowText[]>,
  about: RowsAbout,
): AsyncGenerator<string> {
  const isSingle = format === 'json-single';
  let separator = '';
  if (isSingle) yield '{"rows":[';
  for await (const block of rows) {
    const texts = block.map((row) => JSON.stringify(shown(row, about)));
    yield isSingle ? separator + texts.join(',') : texts.map((text) => `${text}\n`).join('');
    if (texts.length > 0) separator = ',';
  }
  const order = about.fields ?? about.columns.map(({ name }) => name);
  const types = new Map(about.columns.map(({ name, type }) => [name, type]));
  const field_types = Object.fromEntries(order.map((name) => [name, types.get(name) ?? 'any']));
  const tail = { total: about.total(), field_order: order, field_types };
  if (isSingle) yield `],${JSON.stringify(tail).slice(1)}`;
}

function shown(row: RowText, { columns, hasOverflow, hidden, fields, zone }: RowsAbout): object {
  const values = parseExactly(row) as unknown[];
  const known = columns.map(({ name, type }, index): [string, unknown] => [
    name,
    shownValue(values[index], type, zone),
  ]);
  const overflow = hasOverflow ? Object.entries(values[columns.length] ?? {}) : [];
  const names = new Set([...hidden, ...columns.map(({ name }) => name)]);
  const all = new Map([...known, ...overflow.filter(([name]) => !names.has(name))]);
  const present = [...all].filter(([, value]) => value !== null);
  if (!fields) return Object.fromEntries(present);
  return Object.fromEntries(fields.filter((name) => all.has(name)).map((name) => [name, all.get(name)]));
}

const shownValue = (value: unknown, type: ColumnType, zone: string): unknown =>
  type === 'date' && typeof value === 'number' ? toStamp(Temporal.Instant.fromEpochMilliseconds(value), zone) : value;
