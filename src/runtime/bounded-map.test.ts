import { describe, expect, it } from 'vitest';
import { BoundedMap, type EvictionRule } from './bounded-map.ts';

const rules: readonly {
  evicts: EvictionRule;
  sentence: string;
  kept: readonly string[];
  evicted: readonly string[];
}[] = [
  { evicts: 'oldest', sentence: 'gives up the entry that was set first', kept: ['b', 'c', 'd'], evicted: ['a'] },
  {
    evicts: 'least-used',
    sentence: 'gives up the entry that was used least recently',
    kept: ['c', 'a', 'd'],
    evicted: ['b'],
  },
  { evicts: 'all', sentence: 'gives up all entries', kept: ['d'], evicted: ['a', 'b', 'c'] },
  { evicts: 'refuse', sentence: 'does not keep a new entry', kept: ['a', 'b', 'c'], evicted: [] },
];

describe('A full map', () => {
  for (const { evicts, sentence, kept, evicted } of rules) {
    it(`${sentence} (${evicts})`, () => {
      const gone: string[] = [];
      const map = new BoundedMap<string, number>({ max: 3, evicts, evicted: (_, key) => gone.push(key) });
      map.set('a', 1).set('b', 2).set('c', 3);
      expect(map.get('a')).toBe(1);
      map.set('d', 4);
      expect([[...map.keys()], gone, map.size]).toEqual([kept, evicted, kept.length]);
    });
  }

  it('makes as much room as a heavy entry needs, and does not keep one that is heavier than all may be', () => {
    const map = new BoundedMap<string, string>({ max: 10, evicts: 'oldest', weigh: (value) => value.length });
    map.set('a', '1234').set('b', '1234').set('c', '12').set('d', '12345');
    expect([[...map], map.weight]).toEqual([
      [
        ['c', '12'],
        ['d', '12345'],
      ],
      7,
    ]);
    map.set('e', '12345678901');
    expect([...map.keys()]).toEqual(['c', 'd']);
  });

  it('weighs an entry that is replaced once', () => {
    const map = new BoundedMap<string, string>({ max: 10, evicts: 'refuse', weigh: (value) => value.length });
    map.set('a', '123456').set('a', '12345678');
    expect([map.get('a'), map.weight]).toEqual(['12345678', 8]);
    expect([map.delete('a'), map.delete('a'), map.weight]).toEqual([true, false, 0]);
  });

  it('makes an entry that is not there once, undefined ones included', () => {
    const map = new BoundedMap<string, number | undefined>({ max: 2, evicts: 'least-used' });
    let made = 0;
    const make = () => {
      made += 1;
      return undefined;
    };
    expect([map.getOrSet('a', make), map.getOrSet('a', make), made]).toEqual([undefined, undefined, 1]);
    map.clear();
    expect([map.size, map.weight, map.has('a')]).toEqual([0, 0, false]);
  });
});
