import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetTimeAt } from './offset-time.ts';

const FORM = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:?\d\d)$/;

/** The same by Temporal, which reads a leap second as :59. */
function byTemporal(text: string): number | undefined {
  if (!FORM.test(text) || text.startsWith(':60', 16)) return undefined;
  try {
    return Temporal.Instant.from(text.replace(' ', 'T')).epochMilliseconds;
  } catch {
    return undefined;
  }
}

const two = (min: number, max: number) => fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
/** Mostly real moments, with a few values beyond each end. */
const usual = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1895, max: 2105 }), fc.integer({ min: 0, max: 9999 })),
    month: two(0, 13),
    day: fc.oneof(two(1, 28), two(0, 32)),
    middle: fc.constantFrom('T', 'T', ' ', 't', '_'),
    clock: fc.tuple(two(0, 24), two(0, 60), two(0, 61)).map((parts) => parts.join(':')),
    fraction: fc.oneof(fc.constantFrom('', '.', ',123', '.12', '.1234'), fc.stringMatching(/^\.\d{3}$/)),
    offset: fc.oneof(fc.constantFrom('Z', 'z', '', '-00:00', '+9', 'Z '), fc.stringMatching(/^[+-][012]\d:?[0-6]\d$/)),
  })
  .map(
    ({ year, month, day, middle, clock, fraction, offset }) =>
      `${String(year).padStart(4, '0')}-${month}-${day}${middle}${clock}${fraction}${offset}`,
  );

/** A text of the form with one character changed. */
const spoilt = fc
  .tuple(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
    fc.nat(23),
    fc.string({ minLength: 1, maxLength: 1 }),
  )
  .map(([date, at, character]) => {
    const text = date.toISOString();
    return text.slice(0, at) + character + text.slice(at + 1);
  });

describe('A time with seconds and an offset', () => {
  it('is the moment that Temporal reads, wherever the text stands', () => {
    fc.assert(
      fc.property(fc.oneof(usual, spoilt, fc.string()), (text) => {
        expect([text, offsetTimeAt(text, 0, text.length)]).toEqual([text, byTemporal(text)]);
        expect(offsetTimeAt(`"${text}"9`, 1, 1 + text.length)).toBe(byTemporal(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('is right on every first and last day of a month across two century years', () => {
    for (let year = 1895; year <= 2105; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        const name = `${year}-${String(month).padStart(2, '0')}`;
        for (const day of ['01', '28', '29', '30', '31']) {
          const text = `${name}-${day}T00:00:00Z`;
          expect([text, offsetTimeAt(text, 0, text.length)]).toEqual([text, byTemporal(text)]);
        }
      }
    }
  });
});
