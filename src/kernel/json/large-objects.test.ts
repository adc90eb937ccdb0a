import { describe, expect, it } from 'vitest';
import type { Json } from './canonical-json.ts';
import { isWithinBytes, roundNumbersWithin } from './json-size.ts';
import { keysOf, MIN_LARGE_MEMBERS } from './large-objects.ts';
import { parseSliced } from './sliced-json.ts';

function parsed(text: string): { readonly [key: string]: Json } {
  const steps = parseSliced(text, { depth: 100, values: 1_000_000 });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value as { readonly [key: string]: Json }; // Each text here is an object.
  }
}

const members = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":${at}`);

describe('The keys of an object that was read', () => {
  it.each([0, 1, MIN_LARGE_MEMBERS - 1, MIN_LARGE_MEMBERS, MIN_LARGE_MEMBERS + 1, 3 * MIN_LARGE_MEMBERS])(
    'are all there: %d',
    (count) => {
      const object = parsed(`{${members(count).join(',')}}`);
      expect(keysOf(object)).toEqual(Object.keys(object));
    },
  );

  it('are listed once each, also for repeated members and `__proto__`', () => {
    const many = members(2 * MIN_LARGE_MEMBERS);
    const object = parsed(`{${[...many, ...many, '"__proto__":1', '"__proto__":{"a":2}'].join(',')}}`);
    expect(keysOf(object)).toEqual(Object.keys(object));
    expect(keysOf(object).at(-1)).toBe('__proto__');
  });
});

describe('The size of an object of many members', () => {
  const many = [...members(2 * MIN_LARGE_MEMBERS), '"\uc548":[]', '"__proto__":{"a":[1,"\\n"]}'].join(',');

  it('is that of its text, to the byte', () => {
    const object = parsed(`{${many}}`);
    const bytes = Buffer.byteLength(JSON.stringify(object));
    expect([isWithinBytes(object, bytes), isWithinBytes(object, bytes - 1)]).toEqual([true, false]);
    expect(roundNumbersWithin(object, bytes)).toBe(object);
  });

  it('is found with doubles for all numbers, in a copy', () => {
    const object = parsed(`{${many},"large":99999999999999999999,"beyond":[1e999]}`);
    const rounded = roundNumbersWithin(object, 1_000_000);
    expect(rounded).not.toBe(object);
    expect(JSON.stringify(rounded)).toBe(
      JSON.stringify({ ...parsed(`{${many}}`), large: 1e20, beyond: [Number.POSITIVE_INFINITY] }),
    );
    expect(JSON.stringify(object)).toContain('"large":99999999999999999999,"beyond":[1e999]');
    expect(keysOf(rounded as object)).toEqual(Object.keys(object));
  });
});
