// Numbers and dates cut into buckets (bin).

import type { Value } from '#query/model/values.ts';
import type { Bin } from '#query/nodes/plan.ts';
import { finite } from './conversions.ts';
import { bucketStart } from './dates.ts';

export function binned(value: Value, { span, offset }: Pick<Bin, 'span' | 'offset'>, zone: string): Value {
  if (typeof span === 'object') {
    return value instanceof Temporal.Instant ? bucketStart(value, span, offset, zone) : null;
  }
  if (typeof value === 'bigint' && typeof span === 'bigint') return value - (((value % span) + span) % span);
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  return finite(Math.floor(Number(value) / Number(span)) * Number(span));
}
