// Moments as epoch milliseconds: read from the stamps of the service, and written in the zone of the reader. The only file
// with Date.

const STAMP = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?([+-])(\d{2})(\d{2})$/;

const DAY = 86_400_000;

export const now = (): number => Date.now();

/** A stamp of the service, `2026-11-15 10:00:00+0900`, with or without milliseconds. Undefined for any other text. */
export function parseStamp(text: string): number | undefined {
  const match = STAMP.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '0', sign, hours, minutes] = match;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return local + Number(fraction.padEnd(3, '0')) - offset;
}

/** As operations take a time: to the second, in UTC. */
export const toStamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+0000`;

/** As an address holds a time: it means the same in every zone. */
export const toIso = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, 'Z');

/** Undefined for a text that is no such time. */
export function parseIso(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  // Swedish writes dates as ISO 8601 does.
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

export type Precision = 'day' | 'minute' | 'second' | 'millisecond';

/** `2026-11-15 10:00:00` in a zone. */
export function textOf(at: number, zone: string, precision: Precision = 'second'): string {
  const text = formatIn(zone).format(at);
  if (precision === 'day') return text.slice(0, 10);
  if (precision === 'minute') return text.slice(0, 16);
  if (precision === 'second') return text;
  return `${text}.${String(((at % 1000) + 1000) % 1000).padStart(3, '0')}`;
}

/**
 * The moment of a wall-clock text `2026-11-15T10:00[:00]` in a zone. Of a time that occurs twice the earlier one; a time that a
 * clock change leaves out is read by the clock before the change.
 */
export function momentOf(wallClock: string, zone: string): number | undefined {
  const asUtc = parseIso(`${wallClock}Z`);
  if (asUtc === undefined) return undefined;
  const moments = [asUtc - DAY, asUtc + DAY].map((near) => asUtc - offsetAt(near, zone));
  return moments.find((moment) => moment + offsetAt(moment, zone) === asUtc) ?? moments[0];
}

/** Milliseconds that the zone is ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
  const wholeSecond = Math.floor(at / 1000) * 1000;
  return (parseIso(`${formatIn(zone).format(wholeSecond).replace(' ', 'T')}Z`) ?? wholeSecond) - wholeSecond;
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
