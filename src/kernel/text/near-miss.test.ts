import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearMiss } from './near-miss.ts';

describe('A near miss', () => {
  it.each([
    ['prt', ['port', 'host'], 'port'],
    ['hosts', ['port', 'host'], 'host'],
    ['serv', ['serve', 'audit verify'], 'serve'],
    ['serbe', ['serve'], 'serve'],
    ['trusted-proxys', ['trusted-proxies', 'time-zone'], 'trusted-proxies'],
    ['x', ['port', 'host'], undefined],
    ['completely-different', ['port', 'host'], undefined],
    ['port', [], undefined],
    ['', ['port'], undefined],
  ])('of %j among %j is %s', (word, known, found) => expect(nearMiss(word, known)).toBe(found));

  it('is always one of the known words, and the word itself when it is known', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (word, known) => {
        expect([undefined, ...known]).toContain(nearMiss(word, known));
        expect(nearMiss(word, [...known, word])).toBe(word);
      }),
    );
  });

  it('finds a word of six letters or more with one letter missing, doubled or changed', () => {
    const word = fc.stringMatching(/^[a-z]{6,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('', 'zz', '-'), (known, offset, change) => {
        const at = offset % known.length;
        expect(nearMiss(known.slice(0, at) + change + known.slice(at + 1), [known])).toBe(known);
      }),
    );
  });
});
