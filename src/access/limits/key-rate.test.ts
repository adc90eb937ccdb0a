import { describe, expect, it } from 'vitest';
import { NodeNumbers, OWN_NUMBERS } from '#cluster/numbers.ts';
import { busesOf } from '#test/support/cluster-on.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { KeyRate } from './key-rate.ts';

/** Nodes that hear each other at once. */
const nodesOf = (clock: ManualClock, count: number): NodeNumbers[] =>
  busesOf(count).map((bus) => new NodeNumbers({ clock, bus }));

const answered = (rate: KeyRate, requests: number): number => {
  let count = 0;
  for (let at = 0; at < requests; at += 1) {
    try {
      rate.take('account');
      count += 1;
    } catch {
      // Refused.
    }
  }
  return count;
};

describe('The rate of an account', () => {
  it('holds over all nodes, but for what arrives within one second', async () => {
    const clock = new ManualClock('2026-11-17T00:00:00Z');
    const rates = nodesOf(clock, 3).map((numbers) => new KeyRate(clock, { rate: 10, burst: 20, numbers }));
    const perSecond: number[] = [];
    for (let second = 0; second < 30; second += 1) {
      perSecond.push(rates.reduce((total, rate) => total + answered(rate, 50), 0));
      await clock.pass({ seconds: 1 });
    }
    expect(perSecond[0]).toBe(60);
    const total = perSecond.reduce((sum, count) => sum + count, 0);
    // A burst, the rate, and what two further nodes have answered before they were told.
    expect(total).toBeLessThanOrEqual(20 + 30 * 10 + 2 * 30);
    expect(answered(new KeyRate(clock, { rate: 10, burst: 20, numbers: OWN_NUMBERS }), 50)).toBe(20);
  });

  it('is counted by no node where none is set', () => {
    const clock = new ManualClock('2026-11-17T00:00:00Z');
    const added: string[] = [];
    const numbers = { ...OWN_NUMBERS, add: (kind: string) => void added.push(kind) };
    expect(answered(new KeyRate(clock, { rate: 0, burst: 1, numbers }), 50)).toBe(50);
    expect(added).toEqual([]);
  });
});
