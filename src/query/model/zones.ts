// Time zones and locales by the names of query text (4.6, 9.2).

/** A fixed offset: one digit or two of hours, or hours and minutes, after an optional `UTC` or `GMT`. */
const OFFSET = /^(?:UTC|GMT)?([+-])(?:(\d)|(\d\d)(?::?([0-5]\d))?)$/;
const MAX_MINUTES = 18 * 60;

/**
 * The identifier of a zone for Temporal and the engines: the name of the zone database, or an offset such as `+09:00`.
 * Undefined for a text that names no zone.
 */
export function zoneNamed(text: string): string | undefined {
  if (text === 'Z') return 'UTC';
  const offset = OFFSET.exec(text);
  if (offset) return offsetZone(offset);
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}

function offsetZone([, sign, digit, hours = `0${digit}`, minutes = '00']: RegExpExecArray): string | undefined {
  const size = Number(hours) * 60 + Number(minutes);
  if (size > MAX_MINUTES) return undefined;
  return size === 0 ? 'UTC' : `${sign}${hours}:${minutes}`;
}

/** Minutes east of Greenwich of an identifier that is an offset; undefined for a name of the zone database. */
export function fixedMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

export const LOCALES = ['en', 'ko'] as const;
export type Locale = (typeof LOCALES)[number];

const LOCALE = /^([a-z]{2})(?:[_-][A-Z]{2})?$/;

/** True for a text that can only be meant as a locale; any other text is a zone. */
export const isLocaleText = (text: string): boolean => LOCALE.test(text);

/** Undefined for a locale without names of months and days. */
export function localeNamed(text: string): Locale | undefined {
  const [, language] = LOCALE.exec(text) ?? [];
  return LOCALES.find((locale) => locale === language);
}
