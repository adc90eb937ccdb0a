// The wire's one format for moments, `yyyy-MM-dd HH:mm:ssZ`, for days, and the freer time text of logs and queries: read
// and written here and nowhere else.

const STAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})([+\- ])(\d{2})(\d{2})$/;

export function toStamp(at: Temporal.Instant, zone: string): string {
  const local = at.toZonedDateTimeISO(zone);
  const clock = local.toPlainDateTime().toString({ smallestUnit: 'second', calendarName: 'never' });
  return clock.replace('T', ' ') + local.offset.slice(0, 6).replace(':', '');
}

/** Undefined when the text is not of the format or names no real moment. */
export function fromStamp(text: string): Temporal.Instant | undefined {
  const parts = STAMP.exec(text);
  if (!parts) return undefined;
  const [, day, clock, sign, hours, minutes] = parts;
  // Temporal reads a leap second as :59; our format names no such moment.
  if (clock?.endsWith(':60')) return undefined;
  // A `+` that was not percent-encoded arrives as a blank.
  const offset = `${sign === ' ' ? '+' : sign}${hours}:${minutes}`;
  try {
    return Temporal.Instant.from(`${day}T${clock}${offset}`);
  } catch {
    return undefined;
  }
}

/** Whether the text is a real day, written `yyyy-MM-dd`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

const TIME_TEXT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Time as it stands in logs and queries: a day, then a clock time and an offset if wanted; without one it is the time on
 * the wall in `zone`. Gives epoch milliseconds, undefined for what names no real moment.
 */
export function fromTimeText(text: string, zone: string): number | undefined {
  const [, day, clock = '00:00', offset] = TIME_TEXT.exec(text) ?? [];
  if (day === undefined || clock.startsWith(':60', 5)) return undefined;
  try {
    return offset === undefined
      ? Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(zone).epochMilliseconds
      : Temporal.Instant.from(`${day}T${clock}${offset}`).epochMilliseconds;
  } catch {
    return undefined;
  }
}
