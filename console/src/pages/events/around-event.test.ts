// What else happened around an event.

import { describe, expect, it } from 'vitest';
import { addressesIn, everywhereQuery, fieldsOf, rangeAround } from './around-event.ts';

describe('Around an event', () => {
  it('an hour before the first match and an hour after the last is searched', () => {
    const event = { first_time: '2026-11-15 10:00:00+0900', last_time: '2026-11-15 10:05:00+0900' };
    expect(rangeAround(event)).toEqual({ from: '2026-11-15T00:00:00Z', to: '2026-11-15T02:05:00Z' });
  });

  it.each([
    ['10.0.0.1', 'fulltext "10.0.0.1"'],
    ['say "x" \\ | y', 'fulltext "say \\"x\\" \\\\ | y"'],
    ['관리자', 'fulltext "관리자"'],
    [22, 'fulltext "22"'],
    // Values that have no words, or a meaning of their own.
    ['', undefined],
    ['--', undefined],
    ['a*b', undefined],
    ['x'.repeat(201), undefined],
    [true, undefined],
    [null, undefined],
    [['a'], undefined],
  ])('%j is searched everywhere by %s', (value, query) => {
    expect(everywhereQuery(value)).toBe(query);
  });

  it('the addresses among its fields are found', () => {
    const addresses = { v4: '10.0.0.1', short: '::1', mixed: 'fe80::A', long: '2001:db8:0:0:0:0:0:1' };
    const others = {
      name: 'a.b.c.d',
      port: 22,
      time: '10:00:00',
      mac: '00:1a:2b:3c:4d:5e',
      list: ['10.0.0.2'],
      none: null,
    };
    expect(addressesIn({ fields: { ...addresses, ...others } }).map(({ field }) => field)).toEqual(
      Object.keys(addresses),
    );
  });

  it('nothing is shown of fields that the reader may not read', () => {
    expect(fieldsOf({ fields: 'sealed' })).toEqual([]);
    expect(addressesIn({ fields: 'sealed' })).toEqual([]);
  });
});
