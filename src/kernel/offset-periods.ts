// The stretches of time between two changes of the clocks of a zone. Within one, wall time is the moment plus a constant,
// so whoever has many moments, or asks what the clocks skip and repeat, needs arithmetic only.

export interface OffsetPeriod {
  /** Epoch milliseconds: from `begins` until before `ends` the zone keeps one offset. */
  readonly begins: number;
  readonly ends: number;
  /** Wall time minus time, in milliseconds. */
  readonly offset: number;
  /** The offset as ISO 8601 writes it. */
  readonly offsetText: string;
}

export function offsetPeriodAt(epochMilliseconds: number, zone: string): OffsetPeriod {
  const moment = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone);
  // A transition that is exactly at the moment counts as neither the next nor the previous one.
  const previous = moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    begins: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    ends: moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: moment.offsetNanoseconds / 1_000_000,
    offsetText: moment.offset,
  };
}
