import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundFor, isReached } from './timed-rows.ts';

const made = (times: readonly number[]) => ({
  rows: times.length,
  minTime: Math.min(...times),
  maxTime: Math.max(...times),
});

it('has all wanted records before the bound', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 });
  const edge = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined });
  const read = fc.record({ records: fc.nat(18), order: fc.constantFrom('asc', 'desc') });
  fc.assert(
    fc.property(fc.array(times, { maxLength: 8 }), edge, edge, read, (contents, from, to, { records, order }) => {
      const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const bound = boundFor(contents.map(made), { range, order, records });
      const firstRows = (all: readonly (readonly number[])[]) =>
        all
          .flat()
          .filter((time) => time >= (from ?? time) && time < (to ?? time + 1))
          .sort((a, b) => (order === 'asc' ? a - b : b - a))
          .slice(0, records);
      const reached = contents.filter((of) => bound === undefined || isReached(made(of), order, bound));
      expect(firstRows(reached)).toEqual(firstRows(contents));
    }),
  );
});
