// The query behind the histogram: records of the filtering part of a text, counted over time.

import type { Interval } from '#console/time/ranges.ts';
import { type CommandKinds, filterPartOf } from './parts.ts';

export interface Span {
  /** As the language writes it. */
  readonly text: string;
  readonly milliseconds: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SPANS: readonly Span[] = [
  { text: '1s', milliseconds: SECOND },
  { text: '5s', milliseconds: 5 * SECOND },
  { text: '10s', milliseconds: 10 * SECOND },
  { text: '30s', milliseconds: 30 * SECOND },
  { text: '1m', milliseconds: MINUTE },
  { text: '5m', milliseconds: 5 * MINUTE },
  { text: '10m', milliseconds: 10 * MINUTE },
  { text: '30m', milliseconds: 30 * MINUTE },
  { text: '1h', milliseconds: HOUR },
  { text: '3h', milliseconds: 3 * HOUR },
  { text: '6h', milliseconds: 6 * HOUR },
  { text: '12h', milliseconds: 12 * HOUR },
  { text: '1d', milliseconds: DAY },
  { text: '7d', milliseconds: 7 * DAY },
  { text: '30d', milliseconds: 30 * DAY },
];
const MAX_BUCKETS = 120;
const COUNT = 'count';

/** The shortest span that cuts the interval into few enough buckets. */
export const spanOf = ({ from, to }: Interval): Span =>
  SPANS.find(({ milliseconds }) => (to - from) / milliseconds <= MAX_BUCKETS) ?? (SPANS.at(-1) as Span); // There is a last one.

/** Undefined where the text reads no records. */
export function histogramText(text: string, kinds: CommandKinds, span: Span): string | undefined {
  const part = filterPartOf(text, kinds);
  if (!part || part.isLive) return undefined;
  return `${text.slice(0, part.end)} | timechart span=${span.text} ${COUNT}`;
}

export interface CountAt {
  readonly at: number;
  readonly count: number;
}

/** Every bucket of the interval, those without records too. Without an interval: from the first to the last count. */
export function filledBuckets(
  counts: readonly CountAt[],
  span: Span,
  interval: Interval | undefined,
): readonly CountAt[] {
  const { milliseconds } = span;
  const [first] = counts;
  const anchor = first?.at ?? Math.floor((interval?.from ?? 0) / milliseconds) * milliseconds;
  const indexOf = (at: number) => Math.floor((at - anchor) / milliseconds);
  const begin = interval ? indexOf(interval.from) : 0;
  const end = interval ? indexOf(interval.to - 1) : indexOf(counts.at(-1)?.at ?? anchor);
  if (counts.length === 0 && !interval) return [];
  // A day of a clock change is an hour longer or shorter: its bucket is the nearest one.
  const byIndex = new Map(counts.map(({ at, count }) => [Math.round((at - anchor) / milliseconds), count]));
  const length = Math.min(end - begin + 1, MAX_FILLED);
  return Array.from({ length }, (_, index) => ({
    at: anchor + (begin + index) * milliseconds,
    count: byIndex.get(begin + index) ?? 0,
  }));
}

const MAX_FILLED = 1000;
