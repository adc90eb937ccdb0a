// The records around a row of a result.

import { expect, it } from 'vitest';
import { recordsAround } from './records-around.ts';

it('Around a row the records of its table are shown, and the row is marked', () => {
  const row = { _table: '웹', _time: '2026-11-15 10:00:00.500+0900', _id: 7, a: 1 };
  expect(recordsAround(row, 60_000)).toEqual({
    text: 'table 웹',
    range: { from: '2026-11-15T00:59:00.500Z', to: '2026-11-15T01:01:00.500Z' },
    mark: 7,
  });
});
