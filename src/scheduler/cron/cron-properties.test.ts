// Schedules against an oracle that knows nothing of croner or of our arithmetic: it looks at the clock of the zone minute
// by minute, around changes of the clocks, and says what the reference's rule makes due.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron, type Schedule } from './cron.ts';

const ZONES = [
  'UTC',
  'Asia/Seoul',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
  'America/Santiago',
  'Asia/Kathmandu',
];
const MINUTE = 60_000;
/** Minutes looked at, before and after a change. */
const REACH = 22 * 60;
const AHEAD = 180 * MINUTE;

/** A field as it is written, and the values it means. */
interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

interface QueryOptions {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}

describe('A schedule', () => {
  it('is due when the oracle says so, at any clock change of many zones', () => {
    fc.assert(
      fc.property(crons(), changes(), (cron, { zone, at }) => {
        const first = at - REACH * MINUTE;
        const due = dueByOracle(cron, zone, { first, last: at + REACH * MINUTE });
        const found = scheduleOf(textOf(cron)).between(instant(first), instant(at + REACH * MINUTE), zone, 10_000);
        expect(found.map(({ epochMilliseconds }) => epochMilliseconds)).toEqual(due);
      }),
      { numRuns: 150 },
    );
  });

  it('has the same next moment wherever between two due moments one asks', () => {
    fc.assert(
      fc.property(crons(), changes(), fc.integer({ min: -REACH, max: REACH }), (cron, { zone, at }, minutes) => {
        const schedule = scheduleOf(textOf(cron));
        const asked = instant(at + minutes * MINUTE + 1);
        const next = schedule.next(asked, zone);
        if (!next) return;
        expect(next.epochMilliseconds).toBeGreaterThan(asked.epochMilliseconds);
        const justBefore = next.subtract({ nanoseconds: 1 });
        expect(schedule.next(justBefore, zone)?.epochMilliseconds).toBe(next.epochMilliseconds);
        const between = Math.floor((asked.epochMilliseconds + next.epochMilliseconds) / 2);
        expect(schedule.next(instant(between), zone)?.epochMilliseconds).toBe(next.epochMilliseconds);
      }),
      { numRuns: 500 },
    );
  });

  it('reads any text or refuses it, and never throws', () => {
    const piece = fc.constantFrom(...'0123456789*/,-LW#? \tMONJAN@+\u0000é'.split(''), '* ', '0 ', '60', '99999999999');
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 300 })), (given) => {
        const next = parseCron(given)?.next(instant(0), 'Asia/Seoul');
        expect(next === undefined || next.epochMilliseconds > 0).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});

function dueByOracle(cron: QueryOptions, zone: string, { first, last }: { first: number; last: number }): number[] {
  const followsRealTime = /[*/]/.test(cron.hour.text);
  const due: number[] = [];
  // Some hours ahead, so that a repeated hour at the beginning is known as such.
  let latest = wallOf(first - AHEAD, zone);
  for (let at = first - AHEAD + MINUTE; at <= last; at += MINUTE) {
    const wall = wallOf(at, zone);
    const shown: number[] = [];
    if (followsRealTime) shown.push(wall);
    else for (let skipped = latest + MINUTE; skipped <= wall; skipped += MINUTE) shown.push(skipped);
    latest = Math.max(latest, wall);
    if (at >= first && shown.some((candidate) => isNamed(cron, candidate))) due.push(at);
  }
  return due;
}

/** What the clock on the wall shows, written as if it were UTC. */
function wallOf(at: number, zone: string): number {
  return at + instant(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
}

function isNamed({ minute, hour, day, month, weekday }: QueryOptions, wall: number): boolean {
  const minutes = wall / MINUTE;
  if (!minute.values.has(minutes % 60) || !hour.values.has(Math.floor(minutes / 60) % 24)) return false;
  const date = instant(wall).toZonedDateTimeISO('UTC');
  const isDay = day.values.has(date.day);
  const isWeekday = weekday.values.has(date.dayOfWeek % 7);
  // Either will do where both are given.
  const isEither = day.text !== '*' && weekday.text !== '*' ? isDay || isWeekday : isDay && isWeekday;
  return month.values.has(date.month) && isEither;
}

function crons(): fc.Arbitrary<QueryOptions> {
  return fc.record({
    minute: field(0, 59),
    // The hours at which clocks change, more often than others.
    hour: fc.oneof(field(0, 23), field(0, 3)),
    day: fc.oneof(fc.constant(every(1, 31)), field(1, 31)),
    month: fc.oneof(fc.constant(every(1, 12)), field(1, 12)),
    weekday: fc.oneof(fc.constant(every(0, 6)), field(0, 6)),
  });
}

/** Values from `least` to `most`; `*` and its steps mean all there are, so they are drawn only where that is the same. */
function field(least: number, most: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min: least, max: most });
  const range = fc.tuple(value, value).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
  const single = value.map((number) => ({ text: String(number), values: new Set([number]) }));
  const ranged = range.map(([from, to]) => ({ text: `${from}-${to}`, values: stepped(from, to, 1) }));
  const steps = fc.tuple(range, fc.integer({ min: 1, max: 7 })).map(([[from, to], step]) => ({
    text: `${from}-${to}/${step}`,
    values: stepped(from, to, step),
  }));
  const whole = most === 3 ? [] : [fc.constant(every(least, most))];
  const item = fc.oneof(single, ranged, steps);
  const list = fc.array(item, { minLength: 2, maxLength: 3 }).map((items) => ({
    text: items.map(({ text }) => text).join(','),
    values: new Set(items.flatMap(({ values }) => [...values])),
  }));
  return fc.oneof(...whole, item, list);
}

const every = (least: number, most: number): Field => ({ text: '*', values: stepped(least, most, 1) });

function stepped(from: number, to: number, step: number): Set<number> {
  return new Set(Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step));
}

/** A moment at which the clocks of a zone change, or any moment where they do not. */
function changes(): fc.Arbitrary<{ zone: string; at: number }> {
  const from = Date.UTC(2000, 0, 1) / MINUTE;
  return fc
    .tuple(fc.constantFrom(...ZONES), fc.integer({ min: from, max: Date.UTC(2037, 0, 1) / MINUTE }))
    .map(([zone, minute]) => {
      const moment = instant(minute * MINUTE).toZonedDateTimeISO(zone);
      return { zone, at: moment.getTimeZoneTransition('next')?.epochMilliseconds ?? minute * MINUTE };
    });
}

const textOf = ({ minute, hour, day, month, weekday }: QueryOptions) =>
  [minute, hour, day, month, weekday].map(({ text }) => text).join(' ');

function scheduleOf(text: string): Schedule {
  const schedule = parseCron(text);
  if (!schedule) throw new Error(`no schedule: ${text}`);
  return schedule;
}

const instant = (epochMilliseconds: number) => Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
