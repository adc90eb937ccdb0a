// Time ranges as an address holds them: `now-1h` to `now`, or two moments. Relative ones move with the clock.

import { momentOf, now, parseIso, textOf, toIso } from './moments.ts';

export interface TimeRange {
  /** `now-<number><unit>` or a moment as ISO 8601. */
  readonly from: string;
  /** `now` or a moment. */
  readonly to: string;
}

export interface Interval {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const RELATIVE = /^now-(\d{1,5})([smhdw])$/;

export const LAST_HOUR: TimeRange = { from: 'now-1h', to: 'now' };
export const LAST_DAY: TimeRange = { from: 'now-24h', to: 'now' };
/** Offered by the picker, as lengths before now. */
export const LENGTHS = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;
export type Length = (typeof LENGTHS)[number];

export const rangeOf = (from: string | undefined, to: string | undefined, initial: TimeRange): TimeRange =>
  from !== undefined && to !== undefined && isBound(from) && isBound(to) ? { from, to } : initial;

const isBound = (text: string): boolean => boundAt(text, 0) !== undefined;

function boundAt(text: string, at: number): number | undefined {
  if (text === 'now') return at;
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  // The pattern allows these units alone.
  if (count !== undefined) return at - Number(count) * UNITS[unit as keyof typeof UNITS];
  return parseIso(text);
}

/** Both bounds at one moment. */
export function resolveRange({ from, to }: TimeRange, at = now()): Interval {
  return { from: boundAt(from, at) ?? at, to: boundAt(to, at) ?? at };
}

export const absoluteRange = ({ from, to }: Interval): TimeRange => ({ from: toIso(from), to: toIso(to) });

/** The length of a range that ends now; undefined for any other. */
export function lengthOf({ from, to }: TimeRange): string | undefined {
  return to === 'now' && RELATIVE.test(from) ? from.slice('now-'.length) : undefined;
}

/** For `<input type="datetime-local">`. */
export const wallClockOf = (at: number, zone: string): string => textOf(at, zone).replace(' ', 'T');

export function rangeOfWallClocks(from: string, to: string, zone: string): TimeRange | undefined {
  const begin = momentOf(from, zone);
  const end = momentOf(to, zone);
  return begin === undefined || end === undefined || begin >= end ? undefined : absoluteRange({ from: begin, to: end });
}
