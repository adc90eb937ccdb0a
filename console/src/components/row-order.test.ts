// The order of rows, and the keys that walk them.

import { describe, expect, it } from 'vitest';
import { targetOf } from './row-keys.ts';
import { sortRows } from './row-order.ts';

interface Item {
  readonly n?: number | string;
}
const columns = [{ id: 'n', sortValue: ({ n }: Item) => n }, { id: 'fixed' }];
const sorted = (rows: readonly Item[], direction: 'ascending' | 'descending') =>
  sortRows(rows, columns, { column: 'n', direction }).map(({ n }) => n);

describe('Rows', () => {
  const rows = [{ n: 10 }, {}, { n: 9 }];

  it('are sorted by value, those without one last in both directions', () => {
    expect(sorted(rows, 'ascending')).toEqual([9, 10, undefined]);
    expect(sorted(rows, 'descending')).toEqual([10, 9, undefined]);
    expect(sorted([{}, { n: 1 }, {}], 'descending')).toEqual([1, undefined, undefined]);
  });

  it('with texts, or with texts and numbers, are sorted as texts', () => {
    expect(sorted([{ n: '나' }, { n: '가' }, { n: 'b' }, { n: 'A' }], 'ascending')).toEqual(['A', 'b', '가', '나']);
    expect(sorted([{ n: 'x' }, { n: 5 }], 'ascending')).toEqual([5, 'x']);
  });

  it.each([
    undefined,
    { column: 'fixed', direction: 'ascending' },
    { column: 'gone', direction: 'ascending' },
  ] as const)('stay as they are with the order %j', (sorting) => {
    expect(sortRows(rows, columns, sorting)).toBe(rows);
  });

  it.each([
    ['ArrowDown', 51],
    ['ArrowUp', 49],
    ['PageDown', 70],
    ['PageUp', 30],
    ['Home', 0],
    ['End', 99],
    ['Enter', undefined],
  ])('are walked: %s leads from 50 to %s', (key, target) => {
    expect(targetOf(key, 50, 99)).toBe(target);
  });
});
