import { expect, it } from 'vitest';
import { Days } from '#kernel/time/days.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { DayWrites } from './day-writes.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const dayName = (n: number) => new Date(FIRST + n * DAY_MS).toISOString().slice(0, 10);
const rangeOf = (n: number) => ({ from: FIRST + n * DAY_MS, to: FIRST + (n + 1) * DAY_MS });

function writesOf() {
  const clock = new ManualClock('2026-11-15T03:00:00Z');
  return { clock, writes: new DayWrites({ days: new Days('UTC'), clock }) };
}

it('A day is written while an insert of its own or of any time is under way, and at rest ten seconds later', () => {
  const { clock, writes } = writesOf();
  const own = writes.begin(dayName(1));
  expect([0, 1, 2].map((n) => writes.isAtRest(rangeOf(n)))).toEqual([true, false, true]);
  own[Symbol.dispose]();
  const mark = writes.mark;
  const any = writes.begin();
  clock.advance({ seconds: 10 });
  expect([0, 1, 2].map((n) => writes.isAtRest(rangeOf(n)))).toEqual([false, false, false]);
  expect([0, 1, 2].map((n) => writes.isUnwritten(rangeOf(n), mark))).toEqual([false, false, false]);
  any[Symbol.dispose]();
  clock.advance({ seconds: 10 });
  expect(writes.isAtRest({})).toBe(true);
  expect(writes.isUnwritten({}, writes.mark)).toBe(true);
});

it('A day that is forgotten counts as written for runs that began before its last insert', () => {
  const { clock, writes } = writesOf();
  const mark = writes.mark;
  for (let n = 0; n < 100; n += 1) writes.begin(dayName(n))[Symbol.dispose]();
  const later = writes.mark;
  clock.advance({ seconds: 10 });
  using _ = writes.begin(dayName(200));
  expect(writes.isUnwritten(rangeOf(5), mark)).toBe(false);
  expect(writes.isUnwritten(rangeOf(5), later)).toBe(true);
  expect(writes.isUnwritten(rangeOf(200), later)).toBe(false);
  expect([writes.isAtRest(rangeOf(5)), writes.isAtRest(rangeOf(200))]).toEqual([true, false]);
});
