// Parameters that are moments or days.

import * as refuse from '#contract/errors.ts';
import { fromStamp, isDay } from '#contract/times.ts';
import { meaning, single } from './params.ts';

const TIME = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}[+\\- ]\\d{4}$',
  $comment: 'Format: `yyyy-MM-dd HH:mm:ssZ`.',
  examples: ['2024-03-01 09:00:00+0900'],
};

export const time = single(TIME, (given) => {
  const instant = typeof given === 'string' ? fromStamp(given) : undefined;
  if (!instant) throw refuse.wrongDate();
  return instant;
});

/** A calendar day, kept as it is written: such texts sort like the days. */
export const day = single(
  { type: 'string', format: 'date', $comment: 'Format: `yyyy-MM-dd`.', examples: ['2024-03-01'] },
  (given, name): string => {
    if (typeof given !== 'string' || !isDay(given)) throw refuse.notDay(name);
    return given;
  },
);

export const futureTime = meaning(time, {}, (instant, name, { now }) => {
  if (Temporal.Instant.compare(instant, now) <= 0) throw refuse.notInFuture(name);
  return instant;
});
