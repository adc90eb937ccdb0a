// The history of searches.

import { describe, expect, it } from 'vitest';
import { readHistory, remembered } from './entries.ts';

const entry = (q: string, at: number) => ({ q, from: 'now-1h', to: 'now', at });

describe('The history', () => {
  it('has each text once, the newest first', () => {
    const entries = remembered(remembered([entry('a', 1)], entry('b', 2)), entry('a', 3));
    expect(entries).toEqual([entry('a', 3), entry('b', 2)]);
  });

  it('forgets the oldest, and never holds a very long text', () => {
    const full = Array.from({ length: 50 }, (_, n) => entry(`q${n}`, n));
    const [first, ...others] = remembered(full, entry('new', 99));
    expect([first?.q, others.length, others.at(-1)?.q]).toEqual(['new', 49, 'q48']);
    expect(remembered(full, entry('x'.repeat(2001), 4))).toBe(full);
    expect(remembered([], entry('한'.repeat(2000), 4))).toHaveLength(1);
  });

  it.each([
    [{ searches: [entry('a', 1), { q: 1 }, null, 'x', { ...entry('b', 1), at: 'now' }] }, [entry('a', 1)]],
    [{ searches: 'x' }, []],
    [{}, []],
  ])('survives what another version wrote: %j', (preferences, entries) => {
    expect(readHistory(preferences)).toEqual(entries);
  });

  it('reads fifty entries at most', () => {
    expect(readHistory({ searches: Array.from({ length: 80 }, (_, n) => entry(`q${n}`, n)) })).toHaveLength(50);
  });
});
