// Positions of panels: never one over the other, inside of the grid, and without gaps above them.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changed, settled } from './grid.ts';

const COLUMNS = 12;
const at = (id: string, x: number, y: number, w: number, h: number) => ({ id, x, y, w, h });
const boxes = (panels: readonly ReturnType<typeof at>[]) => panels.map(({ id, x, y, w, h }) => [id, x, y, w, h]);

it.each([
  [
    'stay where nothing is in the way',
    { id: 'a' },
    [
      ['a', 0, 0, 6, 4],
      ['b', 6, 0, 6, 4],
      ['c', 0, 4, 12, 4],
    ],
  ],
  [
    'make room for a moved one',
    { id: 'a', x: 6 },
    [
      ['a', 6, 0, 6, 4],
      ['b', 6, 4, 6, 4],
      ['c', 0, 8, 12, 4],
    ],
  ],
  [
    'make room for a larger one',
    { id: 'a', h: 6 },
    [
      ['a', 0, 0, 6, 6],
      ['b', 6, 0, 6, 4],
      ['c', 0, 6, 12, 4],
    ],
  ],
  [
    'go up where a moved one was',
    { id: 'b', y: 9 },
    [
      ['a', 0, 0, 6, 4],
      ['b', 6, 8, 6, 4],
      ['c', 0, 4, 12, 4],
    ],
  ],
  [
    'stay inside of the grid',
    { id: 'a', x: -3, w: 40 },
    [
      ['a', 0, 0, 12, 4],
      ['b', 6, 4, 6, 4],
      ['c', 0, 8, 12, 4],
    ],
  ],
])('Panels %s', (_, change, expected) => {
  const panels = [at('a', 0, 0, 6, 4), at('b', 6, 0, 6, 4), at('c', 0, 4, 12, 4)];
  expect(boxes(changed(panels, { ...change, columns: COLUMNS }))).toEqual(expected);
});

it('Panels at any places are put beside each other, in their order, and a second time change nothing', () => {
  const cell = fc.integer({ min: -2, max: 14 });
  const panel = fc.tuple(cell, cell, cell, cell);
  fc.assert(
    fc.property(fc.array(panel, { maxLength: 12 }), fc.nat(11), (given, first) => {
      const panels = given.map(([x, y, w, h], n) => at(`p${n}`, x, y, w, h));
      const placed = settled(panels, COLUMNS, `p${first}`);
      expect(placed.map(({ id }) => id)).toEqual(panels.map(({ id }) => id));
      const cells = placed.flatMap(({ x, y, w, h }) =>
        Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(placed.every(({ x, y, w }) => x >= 0 && y >= 0 && x + w <= COLUMNS)).toBe(true);
      expect(boxes(settled(placed, COLUMNS))).toEqual(boxes(placed));
    }),
    { numRuns: 200 },
  );
});
