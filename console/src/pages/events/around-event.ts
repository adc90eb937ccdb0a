// Queries that show what else happened around an event.

import { stringText } from '#console/query-text/literals.ts';
import { parseStamp } from '#console/time/moments.ts';
import { absoluteRange, type TimeRange } from '#console/time/ranges.ts';
import type { EventRecord } from './events-search.ts';

const AROUND_MS = 3_600_000;

/** An hour before the first match to an hour after the last. */
export function rangeAround({ first_time, last_time }: Pick<EventRecord, 'first_time' | 'last_time'>): TimeRange {
  const first = parseStamp(first_time) ?? 0;
  const last = parseStamp(last_time) ?? 0;
  return absoluteRange({ from: first - AROUND_MS, to: last + AROUND_MS });
}

const MAX_TERM = 200;

/** All records of all tables that hold the value; undefined for a value without a letter or digit, which has no words. */
export function everywhereQuery(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  // A star has a meaning of its own, and a term is no place for a whole document.
  if (!/[\p{L}\p{Nd}]/u.test(text) || text.includes('*') || text.length > MAX_TERM) return undefined;
  return `fulltext ${stringText(text)}`;
}

/** IPv4, or IPv6 in eight groups or with `::`: a time of day and a MAC address are none. */
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$|^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$|^(?=.*::)[0-9a-f:]+$/i;

/** The fields that matched; none where they are sealed, and the reader may not read their table. */
export const fieldsOf = ({ fields }: Pick<EventRecord, 'fields'>): readonly (readonly [string, unknown])[] =>
  typeof fields === 'string' ? [] : Object.entries(fields);

/** The addresses among the fields that matched, and the fields they are in. */
export const addressesIn = (event: Pick<EventRecord, 'fields'>): readonly { field: string; value: string }[] =>
  fieldsOf(event).flatMap(([field, value]) =>
    typeof value === 'string' && ADDRESS.test(value) ? [{ field, value }] : [],
  );
