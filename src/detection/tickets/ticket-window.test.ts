import { describe, expect, it } from 'vitest';
import { TicketWindow } from './ticket-window.ts';

const event = (first_time: number) => ({ guid: `at ${first_time}`, first_time });
const timesOf = (together: readonly { first_time: number }[]) => together.map(({ first_time }) => first_time);

/** What waited before, what comes in the order of time, and which of those make a ticket with which. */
const cases: readonly [string, readonly number[], readonly number[], Readonly<Record<number, readonly number[]>>][] = [
  ['too few', [], [0, 1], {}],
  ['so many within the interval', [], [0, 4, 9], { 9: [0, 4, 9] }],
  ['the end of the interval excluded', [], [0, 4, 10], {}],
  ['those that have fallen behind not counted', [], [0, 5, 10, 14], { 14: [5, 10, 14] }],
  ['none of them twice', [], [0, 1, 2, 3, 4, 5], { 2: [0, 1, 2], 5: [3, 4, 5] }],
  ['with those of before', [1, 2], [3], { 3: [1, 2, 3] }],
  ['with those of before that came after it', [8, 9], [3], { 3: [8, 9, 3] }],
  ['without those too far after it, which wait on', [13, 14], [3, 8], { 8: [3, 13, 14, 8] }],
  ['of one moment', [], [7, 7, 7], { 7: [7, 7, 7] }],
];

describe('Events without a ticket', () => {
  it.each(cases)('come together: %s', (_, before, coming, tickets) => {
    const waiting = new TicketWindow(before.map(event));
    const made: Record<number, number[]> = {};
    for (const time of coming) {
      const together = waiting.add(event(time), { threshold: 3, intervalMs: 10 });
      if (together.length > 0) made[time] = timesOf(together);
    }
    expect(made).toEqual(tickets);
  });

  it('are each enough where one is, and never without an interval where more are asked for', () => {
    const waiting = new TicketWindow();
    expect(timesOf(waiting.add(event(1), { threshold: 1, intervalMs: 0 }))).toEqual([1]);
    for (const time of [1, 1, 2]) expect(waiting.add(event(time), { threshold: 2, intervalMs: 0 })).toEqual([]);
  });

  it('are told one by one however many wait', () => {
    const waiting = new TicketWindow();
    const asked = { threshold: 200_000, intervalMs: 1_000_000 };
    const together = Array.from({ length: 200_000 }, (_, time) => waiting.add(event(time), asked).length);
    expect([together.findIndex((count) => count > 0), together.at(-1)]).toEqual([199_999, 200_000]);
  });
});
