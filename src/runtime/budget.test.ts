import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';

describe('A budget', () => {
  it('refuses what exceeds a limit, and names the narrowest one', () => {
    const budget = new Budget({ total: 100, perKey: 50, perReservation: 20 });
    const open = [budget.open('a'), budget.open('a'), budget.open('a')] as const;
    expect(open[0].take(21)).toBe('reservation');
    expect(open.map((one) => one.take(20))).toEqual([undefined, undefined, 'key']);
    for (const key of ['b', 'c', 'd']) budget.open(key).take(20);
    expect(budget.open('e').take(1)).toBe('total');
    expect(budget.amount).toBe(100);
    expect(budget.amountOf('a')).toBe(40);
  });

  it('says whether there is room without taking it', () => {
    const reservation = new Budget({ total: 10 }).open();
    expect([reservation.exceededBy(10), reservation.exceededBy(11)]).toEqual([undefined, 'total']);
    expect(reservation.amount).toBe(0);
  });

  it('has what was refused, released or disposed of for others', () => {
    const budget = new Budget({ total: 10 });
    const first = budget.open('a');
    const second = budget.open('b');
    first.take(10);
    expect(second.take(1)).toBe('total');
    first.release(4);
    expect(second.take(4)).toBeUndefined();
    first[Symbol.dispose]();
    expect(second.take(6)).toBeUndefined();
    expect([budget.amount, budget.amountOf('a'), budget.amountOf('b')]).toEqual([10, 0, 10]);
  });

  it('releases a reservation once, also when its key was opened again meanwhile', () => {
    const budget = new Budget({ total: 10 });
    const first = budget.open('a');
    first.take(5);
    first[Symbol.dispose]();
    const second = budget.open('a');
    second.take(3);
    first[Symbol.dispose]();
    expect([budget.amount, budget.amountOf('a')]).toEqual([3, 3]);
  });

  it('may have other limits for a key', () => {
    const budget = new Budget({ total: 100, perKey: 50 });
    expect(budget.open('a', { perKey: 10 }).take(11)).toBe('key');
    expect(budget.open('b').take(50)).toBeUndefined();
  });

  it('may let the oldest reservation of a key exceed its limit, and no other, but never the total', () => {
    const budget = new Budget({ total: 100, perKey: 50 });
    const oldest = budget.open('a', { oldestExceedsKey: true });
    const later = budget.open('a', { oldestExceedsKey: true });
    expect(oldest.take(60)).toBeUndefined();
    expect(later.take(1)).toBe('key');
    expect(oldest.take(41)).toBe('total');
    oldest[Symbol.dispose]();
    expect(later.take(60)).toBeUndefined();
  });
});
