// When a schedule is due. croner finds the wall times that a cron expression names; this file turns them into moments of a
// zone, because at clock changes croner treats lists, ranges and steps otherwise than the reference does:
// - a fixed time inside a skipped hour is due once, at the end of that hour; inside a repeated hour at its first pass;
// - a schedule with `*` or `/` in the hour field follows real time: what is skipped is not due, what is repeated is twice.

import { CronDate, CronPattern } from 'croner';
import { type OffsetPeriod, offsetPeriodAt } from '#kernel/offset-periods.ts';
import { cronFields } from './cron-text.ts';

export interface Schedule {
  readonly text: string;
  /** The first moment due after `after`; undefined when none ever comes, as on 30 February. */
  next(after: Temporal.Instant, zone: string): Temporal.Instant | undefined;
  /** What is due from `from` to `to`, both included, at most the first `limit`. */
  between(from: Temporal.Instant, to: Temporal.Instant, zone: string, limit: number): Temporal.Instant[];
}

const DAY = 86_400_000;

/** Undefined when the text is no cron expression of five fields, or six with seconds first. */
export function parseCron(text: string): Schedule | undefined {
  const fields = cronFields(text);
  const pattern = fields && patternOf(fields);
  if (!pattern) return undefined;
  const nextWall = wallTimes(pattern);
  const nextMoment = /[*/]/.test(fields[2] ?? '') ? nextInRealTime : nextFixed;

  function next(after: Temporal.Instant, zone: string): Temporal.Instant | undefined {
    const moment = nextMoment(nextWall, after.epochMilliseconds, zone);
    return moment === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(moment);
  }

  return {
    text,
    next,
    between(from, to, zone, limit) {
      const found: Temporal.Instant[] = [];
      let at = next(from.subtract({ nanoseconds: 1 }), zone);
      while (at && found.length < limit && Temporal.Instant.compare(at, to) <= 0) {
        found.push(at);
        at = next(at, zone);
      }
      return found;
    },
  };
}

function patternOf(fields: readonly string[]): CronPattern | undefined {
  try {
    const pattern = new CronPattern(fields.join(' '), undefined, { mode: '6-part' });
    // 80 kB for each schedule, never looked at: without a field for years, every year will do.
    pattern.year = [];
    return pattern;
  } catch {
    return undefined;
  }
}

/** The next wall time after `wall` that the expression names. Wall times are written as if they were UTC. */
type WallTimes = (wall: number) => number | undefined;

const wallTimes =
  (pattern: CronPattern): WallTimes =>
  (wall) =>
    new CronDate(new Date(wall), 0).increment(pattern, {}, false)?.getTime();

function nextFixed(nextWall: WallTimes, after: number, zone: string): number | undefined {
  const stretch = offsetPeriodAt(after, zone);
  // In the second pass of a repeated hour everything up to its end has been due in the first.
  const passed = Number.isFinite(stretch.begins)
    ? stretch.begins + offsetPeriodAt(stretch.begins - 1, zone).offset - 1
    : Number.NEGATIVE_INFINITY;
  let wall = nextWall(Math.max(after + stretch.offset, passed));
  while (wall !== undefined) {
    const moment = firstPass(wall, zone);
    if (moment > after) return moment;
    wall = nextWall(wall);
  }
  return undefined;
}

/** The first moment at which clocks show `wall`, or at which they skip it. */
function firstPass(wall: number, zone: string): number {
  // No clock is further than a day from UTC, so this stretch comes no later than the one sought.
  let stretch = offsetPeriodAt(wall - DAY, zone);
  while (wall - stretch.offset >= stretch.ends) stretch = offsetPeriodAt(stretch.ends, zone);
  return Math.max(wall - stretch.offset, stretch.begins);
}

function nextInRealTime(nextWall: WallTimes, after: number, zone: string): number | undefined {
  let stretch: OffsetPeriod = offsetPeriodAt(after, zone);
  let searched = after + stretch.offset;
  let wall = nextWall(searched);
  while (wall !== undefined && wall - stretch.offset >= stretch.ends) {
    const following = offsetPeriodAt(stretch.ends, zone);
    const beginning = stretch.ends + following.offset - 1;
    // Only where wall times are skipped or repeated is there anything else to be found.
    if (beginning < searched || wall <= beginning) {
      searched = beginning;
      wall = nextWall(searched);
    }
    stretch = following;
  }
  return wall === undefined ? undefined : wall - stretch.offset;
}
