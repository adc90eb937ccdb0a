// The newest records of a live tail: the latest first, a bounded number, each once.

import type { Row } from './row.ts';

export const MAX_LIVE_ROWS = 2000;
/** Of their JSON: lines may be a megabyte long. */
const MAX_LIVE_CHARACTERS = 32_000_000;

export interface NewestRows {
  readonly rows: readonly Row[];
  /** How many have come since the beginning. */
  readonly arrived: number;
}

export const NO_ROWS: NewestRows = { rows: [], arrived: 0 };

/** `arriving` in the order of arrival. A record that two queries have given counts once, if they give its number at all. */
export function withArrived({ rows, arrived }: NewestRows, arriving: readonly Row[]): NewestRows {
  const known = new Set(rows.slice(0, arriving.length + MAX_OVERLAP).map(keyOf));
  const fresh = arriving.filter((row) => row._id === undefined || !known.has(keyOf(row)));
  if (fresh.length === 0) return { rows, arrived };
  return { rows: bounded([...fresh.toReversed(), ...rows]), arrived: arrived + fresh.length };
}

const MAX_OVERLAP = 1000;

const keyOf = ({ _table, _id }: Row): string => `${_table}/${_id}`;

function bounded(rows: readonly Row[]): readonly Row[] {
  let characters = 0;
  const end = rows.findIndex((row, index) => {
    characters += lengthOf(row);
    return index > 0 && (index >= MAX_LIVE_ROWS || characters > MAX_LIVE_CHARACTERS);
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 16), 0);
