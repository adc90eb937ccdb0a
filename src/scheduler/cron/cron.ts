// Due times of a schedule. croner finds the wall times of a cron expression; this file turns them into instants of a zone,
// because at clock changes croner treats lists, ranges and steps differently from the reference:
// - a fixed time inside a skipped hour is due once, at the end of that hour; inside a repeated hour at its first pass;
// - a schedule with `*` or `/` in the hour field follows real time: skipped times are not due, repeated times are due twice.

import { CronDate, CronPattern } from 'croner';
import { type OffsetPeriod, offsetPeriodAt } from '#kernel/time/offset-periods.ts';
import { cronFields } from './cron-text.ts';

export interface Schedule {
  readonly text: string;
  /** The first due time after `after`; undefined when there is none, as for 30 February. */
  next(after: Temporal.Instant, zone: string): Temporal.Instant | undefined;
  /** Due times from `from` to `to`, both included, at most the first `limit`. */
  between(from: Temporal.Instant, to: Temporal.Instant, zone: string, limit: number): Temporal.Instant[];
}

const DAY = 86_400_000;

/** Undefined for a text that is not a cron expression of five fields, or six with seconds first. */
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
    // 80 kB for each schedule, never read: expressions have no field for years.
    pattern.year = [];
    return pattern;
  } catch {
    return undefined;
  }
}

/** The next wall time of the expression after `wall`. Wall times are represented as UTC. */
type WallTimes = (wall: number) => number | undefined;

const wallTimes =
  (pattern: CronPattern): WallTimes =>
  (wall) =>
    new CronDate(new Date(wall), 0).increment(pattern, {}, false)?.getTime();

function nextFixed(nextWall: WallTimes, after: number, zone: string): number | undefined {
  const period = offsetPeriodAt(after, zone);
  // In the second pass of a repeated hour all its times have been due in the first.
  const passed = Number.isFinite(period.begins)
    ? period.begins + offsetPeriodAt(period.begins - 1, zone).offset - 1
    : Number.NEGATIVE_INFINITY;
  let wall = nextWall(Math.max(after + period.offset, passed));
  while (wall !== undefined) {
    const moment = firstPass(wall, zone);
    if (moment > after) return moment;
    wall = nextWall(wall);
  }
  return undefined;
}

/** The first instant at which clocks show `wall`, or at which they skip it. */
function firstPass(wall: number, zone: string): number {
  // No offset exceeds a day, so this period is not later than the wanted one.
  let period = offsetPeriodAt(wall - DAY, zone);
  while (wall - period.offset >= period.ends) period = offsetPeriodAt(period.ends, zone);
  return Math.max(wall - period.offset, period.begins);
}

function nextInRealTime(nextWall: WallTimes, after: number, zone: string): number | undefined {
  let period: OffsetPeriod = offsetPeriodAt(after, zone);
  let searched = after + period.offset;
  let wall = nextWall(searched);
  while (wall !== undefined && wall - period.offset >= period.ends) {
    const following = offsetPeriodAt(period.ends, zone);
    const beginning = period.ends + following.offset - 1;
    // The result can differ only where wall times are skipped or repeated.
    if (beginning < searched || wall <= beginning) {
      searched = beginning;
      wall = nextWall(searched);
    }
    period = following;
  }
  return wall === undefined ? undefined : wall - period.offset;
}
