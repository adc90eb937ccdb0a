// The start of the bucket of a number or a date (bin).

import type { Duration } from '#query/model/durations.ts';
import type { Value } from '#query/model/values.ts';
import { finite } from '#query/values/conversions.ts';
import { bucketStart } from './dates.ts';

/** A number as size is for numbers, a duration for dates. */
export interface BinSize {
  readonly span: Duration | bigint | number;
  readonly offset?: Duration;
}

export function binned(value: Value, { span, offset }: BinSize, zone: string): Value {
  if (typeof span === 'object') {
    return value instanceof Temporal.Instant ? bucketStart(value, span, offset, zone) : null;
  }
  if (typeof value === 'bigint' && typeof span === 'bigint') return value - (((value % span) + span) % span);
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  return finite(Math.floor(Number(value) / Number(span)) * Number(span));
}
