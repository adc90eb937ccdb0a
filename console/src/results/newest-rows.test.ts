// The newest records of a live tail.

import { describe, expect, it } from 'vitest';
import { MAX_LIVE_ROWS, NO_ROWS, withArrived } from './newest-rows.ts';

const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ _table: 'w', _id: from + index }));

describe('The records of a live tail', () => {
  it('stand with the latest first', () => {
    expect(withArrived(NO_ROWS, rowsOf(0, 3)).rows.map(({ _id }) => _id)).toEqual([2, 1, 0]);
  });

  it('are shown once where two queries give them', () => {
    const both = withArrived(withArrived(NO_ROWS, rowsOf(0, 3)), rowsOf(1, 4));
    expect(both.rows.map(({ _id }) => _id)).toEqual([3, 2, 1, 0]);
    expect(both.arrived).toBe(4);
    expect(withArrived(both, rowsOf(2, 4))).toEqual(both);
  });

  it('of two tables may have the same number', () => {
    const rows = [
      { _table: 'a', _id: 1 },
      { _table: 'b', _id: 1 },
    ];
    expect(withArrived(NO_ROWS, rows).arrived).toBe(2);
  });

  it('without a number are all shown', () => {
    const rows = withArrived(withArrived(NO_ROWS, [{ line: 'a' }]), [{ line: 'a' }, { line: 'b' }]).rows;
    expect(rows).toEqual([{ line: 'b' }, { line: 'a' }, { line: 'a' }]);
  });

  it('are bounded in number, and counted all', () => {
    const { rows, arrived } = withArrived(NO_ROWS, rowsOf(0, 2 * MAX_LIVE_ROWS));
    expect([rows.length, rows[0]?._id, arrived]).toEqual([MAX_LIVE_ROWS, 2 * MAX_LIVE_ROWS - 1, 2 * MAX_LIVE_ROWS]);
  });

  it('are bounded in size, the latest stays however long it is', () => {
    const long = 'x'.repeat(10_000_000);
    expect(
      withArrived(
        NO_ROWS,
        rowsOf(0, 5).map((row) => ({ ...row, line: long })),
      ).rows,
    ).toHaveLength(3);
    expect(withArrived(NO_ROWS, [{ line: 'x'.repeat(40_000_000) }]).rows).toHaveLength(1);
  });
});
