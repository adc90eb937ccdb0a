// The state of the page as its address holds it: a link reproduces the view.

import { choiceIn, numberIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';
import { LAST_DAY, rangeOf, type TimeRange } from '#console/time/ranges.ts';

export const VIEWS = ['table', 'raw', 'json', 'chart'] as const;
export type View = (typeof VIEWS)[number];

export interface SearchAddress {
  /** The text of the query. */
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
  readonly view?: View;
  /** Shown columns; those of the result where absent. */
  readonly columns?: readonly string[];
  /** From 1. */
  readonly page?: number;
  /** The `_id` of a row that is marked among the rows around it. */
  readonly mark?: number;
  readonly live?: true;
}

const MAX_COLUMNS = 100;

export function readAddress(search: RawSearch): SearchAddress {
  const page = numberIn(search, 'page');
  return present({
    q: textIn(search, 'q'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    view: choiceIn(search, 'view', VIEWS),
    columns: namesIn(search.columns),
    page: page !== undefined && page > 1 ? page : undefined,
    mark: numberIn(search, 'mark'),
    live: search.live === true ? (true as const) : undefined,
  });
}

const namesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? [...new Set(value.map(String))].slice(0, MAX_COLUMNS) : undefined;

export const rangeIn = ({ from, to }: SearchAddress): TimeRange => rangeOf(from, to, LAST_DAY);
