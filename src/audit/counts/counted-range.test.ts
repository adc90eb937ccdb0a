import { expect, it } from 'vitest';
import { withRangeOf } from './counted-range.ts';

const draftOf = (params: Readonly<Record<string, string>>) => ({
  user_name: 'kim',
  remote_ip: '127.0.0.1',
  module: 'query',
  method: 'run',
  params: { q: 'table web', ...params },
});
const EARLY = '2024-03-01 01:00:00+0900';
const LATE = '2024-02-29 23:00:00 0000';

it.each([
  [
    { from: EARLY, to: LATE },
    { from: LATE, to: EARLY },
    { from: EARLY, to: LATE },
  ],
  [
    { from: LATE, to: EARLY },
    { from: EARLY, to: LATE },
    { from: EARLY, to: LATE },
  ],
  [{ from: EARLY, to: EARLY }, { to: LATE }, { to: LATE }],
  [{}, { from: EARLY, to: LATE }, {}],
  [{ from: '' }, { from: EARLY }, {}],
])('Runs with %j and %j have the range %j', (one, other, range) => {
  expect(withRangeOf(draftOf(one), draftOf(other))).toEqual(draftOf(range));
});

it('The first run has its own range', () => {
  expect(withRangeOf(undefined, draftOf({ from: EARLY }))).toEqual(draftOf({ from: EARLY }));
});
