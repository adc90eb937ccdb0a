import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextAutomaton } from './text-automaton.ts';

const foundIn = (texts: readonly string[], text: string): number[] => {
  const automaton = new TextAutomaton(new Map(texts.map((one, number) => [one, [number]])));
  const found = new Set<number>();
  automaton.scan(text, (numbers) => {
    for (const number of numbers) found.add(number);
  });
  return [...found].sort((one, other) => one - other);
};

describe('The automaton', () => {
  it('finds texts inside of others, and those that overlap', () => {
    expect(foundIn(['he', 'she', 'his', 'hers', 'e'], 'ushers')).toEqual([0, 1, 3, 4]);
  });

  it('finds what occurs, and nothing else', () => {
    const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '한', '😀'), maxLength });
    fc.assert(
      fc.property(fc.uniqueArray(text(5), { maxLength: 20 }), text(40), (texts, whole) => {
        const some = texts.filter((one) => one !== '');
        const wanted = some.flatMap((one, number) => (whole.includes(one) ? [number] : []));
        expect(foundIn(some, whole)).toEqual(wanted);
      }),
    );
  });

  it('finds long texts by their ends', () => {
    const long = `${'x'.repeat(100)}/etc/passwd`;
    expect(foundIn([long], `GET ${long} HTTP`)).toEqual([0]);
    expect(foundIn([long], 'GET /etc/passwd HTTP')).toEqual([]);
  });
});
