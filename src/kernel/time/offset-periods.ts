// The periods between two clock changes of a zone. Within a period, wall time is the moment plus a constant, so
// conversions of many moments, and the skipped and repeated times at a change, need only arithmetic.

export interface OffsetPeriod {
  /** Epoch milliseconds: the zone keeps one offset from `begins` until before `ends`. */
  readonly begins: number;
  readonly ends: number;
  /** Wall time minus UTC, in milliseconds. */
  readonly offset: number;
  /** The offset in ISO 8601. */
  readonly offsetText: string;
}

export function offsetPeriodAt(epochMilliseconds: number, zone: string): OffsetPeriod {
  const moment = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone);
  // Temporal counts a transition exactly at the moment as neither next nor previous.
  const previous = moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    begins: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    ends: moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: moment.offsetNanoseconds / 1_000_000,
    offsetText: moment.offset,
  };
}
