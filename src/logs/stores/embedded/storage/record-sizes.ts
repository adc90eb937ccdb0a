// How long records are: what is read or computed of long ones is bounded by bytes, not by rows.

import type { Segment } from './catalog.ts';

/** DuckDB reads at least so many records of a row group at once. */
export const VECTOR_ROWS = 2048;
/** What a row group holds at most where its records allow it: a reader has one of it in memory for each of its threads. */
const MAX_GROUP_BYTES = 64 * 2 ** 20;
/** Files of versions that did not record how long their records are: so many times their own size. */
const ASSUMED_RATIO = 8;

interface Sized {
  readonly rows: number;
  readonly recordBytes: number;
}

export const recordBytesOf = ({ recordBytes, bytes }: Pick<Segment, 'recordBytes' | 'bytes'>): number =>
  recordBytes ?? ASSUMED_RATIO * bytes;

export const sizedOf = (segment: Pick<Segment, 'rows' | 'recordBytes' | 'bytes'>): Sized => ({
  rows: segment.rows,
  recordBytes: recordBytesOf(segment),
});

/** Of one record on average. */
export const rowBytesOf = ({ rows, recordBytes }: Sized): number => recordBytes / Math.max(1, rows);

/** Whether a segment of these has as much as one row group may have, because even a single vector of them is more than that. */
export const isFullOfLong = (sized: Sized): boolean =>
  sized.recordBytes >= MAX_GROUP_BYTES && rowBytesOf(sized) * VECTOR_ROWS > MAX_GROUP_BYTES;

/** As many rows as a row group may have. */
export const maxGroupRows = (sized: Sized): number =>
  Math.max(1, Math.floor(MAX_GROUP_BYTES / Math.max(1, rowBytesOf(sized)) / VECTOR_ROWS)) * VECTOR_ROWS;
