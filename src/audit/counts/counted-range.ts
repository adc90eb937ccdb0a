// The time range of counted runs, which may differ between them: their one entry has the earliest `from` and the latest `to`. A run
// without a bound has read without one, and so the entry has none.

import type { Draft } from '#audit/entry.ts';
import { fromStamp } from '#contract/times.ts';
import type { Json } from '#kernel/json/canonical-json.ts';

/** The later draft with the range of both. */
export function withRangeOf(earlier: Draft | undefined, later: Draft): Draft {
  if (!earlier) return later;
  const { from: _from, to: _to, ...params } = later.params ?? {};
  const from = boundOf(earlier.params?.from, later.params?.from, (one, other) => one <= other);
  const to = boundOf(earlier.params?.to, later.params?.to, (one, other) => one >= other);
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return { ...later, ...(later.params ? { params: { ...params, ...range } } : {}) };
}

/** As it was given; undefined where one of both is none. */
function boundOf(
  one: Json | undefined,
  other: Json | undefined,
  isFirst: (one: number, other: number) => boolean,
): Json | undefined {
  const at = momentOf(one);
  const otherAt = momentOf(other);
  if (at === undefined || otherAt === undefined) return undefined;
  return isFirst(at, otherAt) ? one : other;
}

const momentOf = (bound: Json | undefined): number | undefined =>
  typeof bound === 'string' ? fromStamp(bound)?.epochMilliseconds : undefined;
