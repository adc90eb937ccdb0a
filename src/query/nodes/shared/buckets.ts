// Buckets of dates, for bin and timechart.

import type { Duration } from '#query/model/durations.ts';
import type { Value } from '#query/model/values.ts';
import type { PlanCompiler } from '#query/nodes/sql-compiler.ts';
import type { Timechart } from '#query/nodes/timechart.ts';
import { bucketSteps } from '#query/sql/forms/buckets.ts';
import type { Sql } from '#query/sql/scope.ts';
import { bucketStart, movedBy } from '#query/values/dates.ts';

/** Rows with the start of the bucket of a date, which nested SELECTs compute step by step. */
export function inBuckets(
  rows: string,
  value: Sql,
  { span, offset }: { readonly span: Duration; readonly offset?: Duration | undefined },
  compiler: PlanCompiler,
): { readonly from: string; readonly start: Sql } {
  const date = dateOnly(value, compiler);
  const steps = bucketSteps(span, offset, compiler.writer());
  let from = `(${rows})`;
  let text = date.text;
  for (const step of date.isPlain ? steps : [(t: string) => t, ...steps]) {
    const name = compiler.name('bucket');
    from = `(select *, ${step(text)} as ${name} from ${from})`;
    text = name;
  }
  return { from, start: { text, type: 'date', isPlain: true } };
}

/** A value that is a date, else null: values are not converted. */
function dateOnly(value: Sql, compiler: PlanCompiler): Sql {
  if (value.type === 'date') return value;
  if (value.type !== 'any') return { text: 'null::timestamptz', type: 'date', isPlain: true };
  const text = compiler.writer().once([value], (j) => `case when vigil_is_date(${j}) then vigil_tagged_date(${j}) end`);
  return { text, type: 'date' };
}

export const MAX_BUCKETS = 100_000;

/** Starts of all buckets from the first to the last in milliseconds (cont=t); at most one more than MAX_BUCKETS. */
export function bucketStarts({ span, offset }: Timechart, zone: string): (values: readonly Value[]) => Value {
  const startOf = (at: Temporal.Instant) => bucketStart(at, span, offset, zone);
  return ([first = null, last = null]) => {
    if (typeof first !== 'bigint' || typeof last !== 'bigint') return null;
    const starts: bigint[] = [];
    let at: Temporal.Instant | null = startOf(Temporal.Instant.fromEpochMilliseconds(Number(first)));
    while (at && at.epochMilliseconds <= last && starts.length <= MAX_BUCKETS) {
      starts.push(BigInt(at.epochMilliseconds));
      at = nextStart(at, startOf, movedBy(at, span, zone));
    }
    return starts;
  };
}

/** A span later, unless the clock is changed in between: then the first moment that belongs to another bucket. */
function nextStart(
  at: Temporal.Instant,
  startOf: (at: Temporal.Instant) => Temporal.Instant | null,
  guess: Temporal.Instant | null,
): Temporal.Instant | null {
  const from = at.epochMilliseconds;
  const isBeyond = (moment: number) => {
    const start = startOf(Temporal.Instant.fromEpochMilliseconds(moment));
    return start !== null && start.epochMilliseconds > from;
  };
  if (guess === null) return null;
  if (isBeyond(guess.epochMilliseconds) && !isBeyond(guess.epochMilliseconds - 1)) return guess;
  let [low, high] = [from, guess.epochMilliseconds + 2 * 86_400_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return startOf(Temporal.Instant.fromEpochMilliseconds(high));
}
