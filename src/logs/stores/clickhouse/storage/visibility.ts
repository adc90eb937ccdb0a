// Which records of a table a statement may see, as a condition with its parameters.

import type { ParamValue } from '#logs/stores/clickhouse/server/params.ts';
import type { DistantArrival } from './arrival-news.ts';
import type { HiddenRows } from './catalog.ts';

export interface Condition {
  readonly text: string;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** Of all records. */
export const EVERY: Condition = { text: 'true', params: {} };

/** Of records that are hidden. */
export function hiddenCondition({ lastUpload, uploads, removals }: HiddenRows): Condition {
  const conditions = [
    '_upload > {lastUpload:UInt64}',
    ...(uploads.length === 0 ? [] : ['has({uploads:Array(UInt64)}, _upload)']),
    ...(removals.length === 0
      ? []
      : ['arrayExists((d, a) -> _day = d and _arrived <= a, {days:Array(UInt32)}, {removed:Array(Int64)})']),
  ];
  const params = {
    lastUpload,
    ...(uploads.length === 0 ? {} : { uploads }),
    ...(removals.length === 0
      ? {}
      : { days: removals.map(({ day }) => day), removed: removals.map(({ arrived }) => arrived) }),
  };
  return { text: `(${conditions.join(' or ')})`, params };
}

/** Whether some records that may be there are hidden. */
export const hidesSome = ({ uploads, removals }: HiddenRows): boolean => uploads.length + removals.length > 0;

/** Of records that had arrived by then and are not hidden. */
export function visibleCondition(hidden: HiddenRows, until: number): Condition {
  const { text, params } = hiddenCondition(hidden);
  const arrived = '_arrived <= {until:Int64}';
  return { text: `${arrived} and not ${text}`, params: { ...params, until } };
}

export const ofUpload = (upload: number): Condition => ({ text: '_upload = {upload:UInt64}', params: { upload } });

/**
 * Of what has arrived on another node since a run began, which saw `hidden` and all arrivals up to `until`: nodes tell of the last
 * seconds, too. Undefined for an upload that the run has seen.
 */
export function newRowsOf(arrival: DistantArrival, hidden: HiddenRows | undefined, until: number) {
  if ('upload' in arrival) {
    const { upload } = arrival;
    const isNew = hidden && (upload > hidden.lastUpload || hidden.uploads.includes(upload));
    return isNew ? ofUpload(upload) : undefined;
  }
  const { firstId: first, rows } = arrival;
  const text = '_id between {first:UInt64} and {last:UInt64} and _arrived > {until:Int64}';
  return { text, params: { first, last: first + rows - 1, until } };
}
