// Round times along an axis, in the zone of the reader.

import { offsetAt, textOf } from '#console/time/moments.ts';
import type { Interval } from '#console/time/ranges.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  1000,
  5000,
  15_000,
  30_000,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
const MAX_TIMES = 7;

export interface AxisTime {
  readonly at: number;
  readonly text: string;
  /** Of the width, from 0 to 1. */
  readonly share: number;
}

export function axisTimes({ from, to }: Interval, zone: string): readonly AxisTime[] {
  const length = to - from;
  if (length <= 0) return [];
  const step = STEPS.find((candidate) => length / candidate <= MAX_TIMES) ?? length;
  const offset = offsetAt(from, zone);
  const times: AxisTime[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at < to; at += step) {
    times.push({ at, text: axisText(at, step, zone), share: (at - from) / length });
  }
  return times;
}

/** As short as steps of so many milliseconds allow. */
export function axisText(at: number, step: number, zone: string): string {
  const text = textOf(at, zone);
  if (step >= DAY || text.endsWith(' 00:00:00')) return text.slice(5, 10);
  return step < MINUTE ? text.slice(11) : text.slice(11, 16);
}
