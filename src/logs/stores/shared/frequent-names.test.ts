// Names that come often are found among any number of others.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrequentNames } from './frequent-names.ts';

it('A name that comes in one of a hundred places is found, and names that come once are not', () => {
  const names = new FrequentNames();
  for (let at = 0; at < 200_000; at += 1) names.add(at % 100 === 0 ? 'real' : `key-${at}`, 1);
  expect(names.has('real')).toBe(true);
  expect(Array.from({ length: 200_000 }, (_, at) => `key-${at}`).filter((name) => names.has(name))).toEqual([]);
});

it('A name that comes later than many others is found', () => {
  const names = new FrequentNames();
  for (let at = 0; at < 480_000; at += 1) names.add(`key-${at}`, 1);
  for (let at = 0; at < 16; at += 1) names.add('real', 1);
  names.add('in a batch', 500);
  expect([names.has('real'), names.has('in a batch'), names.has('never')]).toEqual([true, true, false]);
});

it('Whatever comes, a name with more than its share is found', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 20 })), { maxLength: 3000 }), (others) => {
      const names = new FrequentNames();
      let all = 0;
      for (const [name, times] of others) {
        names.add(`n${name}`, times);
        all += times;
      }
      names.add('real', Math.ceil(all / 1024) + 16);
      expect(names.has('real')).toBe(true);
    }),
    { numRuns: 50 },
  );
});
