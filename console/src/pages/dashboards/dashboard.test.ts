// A dashboard: who may change it, and its time span.

import { describe, expect, it } from 'vitest';
import { LAST_DAY, rangeOf } from '#console/time/ranges.ts';
import { type Dashboard, mayChange, rangeOfSpan, spanOfRange } from './dashboard.ts';
import { bottomOf } from './grid.ts';

describe('A dashboard', () => {
  const kim = { guid: 'kim', role_name: 'MEMBER' } as const;
  const own = (fields: object) =>
    ({ owner_guid: 'lee', shared_users: [], shared_groups: [], ...fields }) as unknown as Dashboard; // The fields that are read.

  it.each([
    ['its owner', own({ owner_guid: 'kim' }), kim, true],
    ['an administrator', own({}), { guid: 'a', role_name: 'ADMIN' }, true],
    ['anybody else', own({}), kim, false],
    ['a user with a grant to write', own({ shared_users: [{ guid: 'kim', read_only: false }] }), kim, true],
    ['a user with a grant to read', own({ shared_users: [{ guid: 'kim', read_only: true }] }), kim, false],
    ['another user than the one with the grant', own({ shared_users: [{ guid: 'x', read_only: false }] }), kim, false],
    ['a member of a group with a grant to write', own({ shared_groups: [{ guid: 'g', read_only: false }] }), kim, true],
    ['a member of a group with a grant to read', own({ shared_groups: [{ guid: 'g', read_only: true }] }), kim, false],
  ] as const)('may be changed by %s', (_, dashboard, account, isAllowed) => {
    expect(mayChange(dashboard, account)).toBe(isAllowed);
  });
});

describe('The span of a dashboard', () => {
  it.each([
    [{ last: 86_400 }, 'now-24h'],
    [{ last: 172_800 }, 'now-2d'],
    [{ last: 3600 }, 'now-1h'],
    [{ last: 604_800 }, 'now-1w'],
    [{ last: 90 }, 'now-90s'],
    [{ last: 120 }, 'now-2m'],
  ])('%j is the range from %s, and back', (span, from) => {
    expect(rangeOfSpan(span)).toEqual({ from, to: 'now' });
    expect(spanOfRange(rangeOfSpan(span))).toEqual(span);
  });

  it('of two moments is the range of them, and back', () => {
    const span = { from: '2026-11-15 01:00:00+0000', to: '2026-11-15 02:00:00+0000' };
    expect(rangeOfSpan(span)).toEqual({ from: '2026-11-15T01:00:00Z', to: '2026-11-15T02:00:00Z' });
    expect(spanOfRange(rangeOfSpan(span))).toEqual(span);
  });

  it('that holds no times ends now', () => {
    expect(rangeOfSpan({ from: 'x', to: 'y' })).toEqual({ from: 'now', to: 'now' });
  });

  it('is a second at least', () => {
    expect(spanOfRange({ from: 'now-0s', to: 'now' })).toEqual({ last: 1 });
  });

  it.each([
    [36_000_000, 'now-10000h'],
    // An address has five digits.
    [100_003, 'now-1667m'],
    [99_999, 'now-99999s'],
  ])('of %d seconds is one that an address can hold: %s', (last, from) => {
    const range = rangeOfSpan({ last });
    expect(range).toEqual({ from, to: 'now' });
    expect(rangeOf(range.from, range.to, LAST_DAY)).toEqual(range);
  });
});

it('A new panel stands below all others', () => {
  expect(bottomOf([])).toBe(0);
  expect(
    bottomOf([
      { x: 0, y: 2, w: 1, h: 3 },
      { x: 5, y: 0, w: 1, h: 4 },
    ]),
  ).toBe(5);
});
