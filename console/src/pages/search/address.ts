// The state of the page as its address holds it: a link reproduces the view.

import { addressOf, choice, flag, number, text } from '#console/address/address.ts';
import { LAST_DAY, rangeOf, type TimeRange } from '#console/time/ranges.ts';

export const VIEWS = ['table', 'raw', 'json', 'chart'] as const;
export type View = (typeof VIEWS)[number];

const MAX_COLUMNS = 100;

export const readAddress = addressOf({
  /** The text of the query. */
  q: text,
  from: text,
  to: text,
  view: choice(VIEWS),
  /** Shown columns; those of the result where absent. */
  columns: names,
  page: furtherPage,
  /** The `_id` of a row that is marked among the rows around it. */
  mark: number,
  live: flag,
});
export type SearchAddress = ReturnType<typeof readAddress>;

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? [...new Set(value.map(String))].slice(0, MAX_COLUMNS) : undefined;
}

/** From 1; the first needs no place in the address. */
function furtherPage(value: unknown): number | undefined {
  const page = number(value);
  return page !== undefined && page > 1 ? page : undefined;
}

export const rangeIn = ({ from, to }: SearchAddress): TimeRange => rangeOf(from, to, LAST_DAY);
