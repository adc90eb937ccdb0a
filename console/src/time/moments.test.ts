// Moments: read from stamps of the service, shown and entered in the zone of the reader.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browserZone, momentOf, now, offsetAt, parseIso, parseStamp, textOf, toIso, toStamp } from './moments.ts';

const at = (iso: string) => Date.parse(iso);

describe('A stamp of the service', () => {
  it.each([
    ['2026-11-15 10:00:00+0900', '2026-11-15T01:00:00Z'],
    ['2026-11-15 10:00:00.060-0330', '2026-11-15T13:30:00.060Z'],
    ['2026-11-15 10:00:00.5+0000', '2026-11-15T10:00:00.500Z'],
    ['1969-12-31 23:59:59.999+0000', '1969-12-31T23:59:59.999Z'],
  ])('is read: %s', (stamp, iso) => expect(parseStamp(stamp)).toBe(at(iso)));

  it.each([
    '',
    '2026-11-15',
    '2026-11-15T10:00:00Z',
    '2026-11-15 10:00:00',
    '2026-11-15 10:00:00.1234+0000',
    ' 2026-11-15 10:00:00+0900',
    'yesterday',
    '어제',
  ])('is no other text: %j', (text) => expect(parseStamp(text)).toBeUndefined());

  it('is written in UTC for operations, without milliseconds', () =>
    expect(toStamp(at('2026-11-15T01:00:00.900Z'))).toBe('2026-11-15 01:00:00+0000'));
});

describe('A moment in an address', () => {
  it.each([
    ['2026-11-15T01:00:00Z', '2026-11-15T01:00:00Z'],
    ['2026-11-15T01:00:00.007Z', '2026-11-15T01:00:00.007Z'],
    ['2026-11-15T10:00:00+09:00', '2026-11-15T01:00:00Z'],
  ])('%s is kept as %s', (text, kept) => expect(toIso(parseIso(text) ?? 0)).toBe(kept));

  it.each(['', 'gestern', '2026-13-45T00:00:00Z'])('is no other text: %j', (text) =>
    expect(parseIso(text)).toBeUndefined(),
  );
});

describe('A moment', () => {
  it.each([
    ['2026-11-15T01:00:00.007Z', 'Asia/Seoul', 'millisecond', '2026-11-15 10:00:00.007'],
    ['2026-11-15T23:00:00Z', 'Asia/Seoul', 'day', '2026-11-16'],
    ['2026-11-15T23:59:59Z', 'UTC', 'minute', '2026-11-15 23:59'],
    ['2026-11-15T00:00:00Z', 'Asia/Kathmandu', 'second', '2026-11-15 05:45:00'],
    ['1969-12-31T23:59:59.999Z', 'UTC', 'millisecond', '1969-12-31 23:59:59.999'],
    // Both hours of a change to winter time have the same text.
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', 'minute', '2026-10-25 02:30'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', 'minute', '2026-10-25 02:30'],
  ] as const)('%s in %s, to the %s, is shown as %s', (iso, zone, precision, text) =>
    expect(textOf(at(iso), zone, precision)).toBe(text),
  );

  it('is shown to the second unless another precision is asked for', () =>
    expect(textOf(at('2026-11-15T01:00:00.999Z'), 'UTC')).toBe('2026-11-15 01:00:00'));

  it.each([
    ['2026-07-01T00:00:00Z', 'America/St_Johns', -150],
    ['2026-01-01T00:00:00Z', 'America/St_Johns', -210],
    ['2026-03-29T00:59:59.999Z', 'Europe/Berlin', 60],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', 120],
  ])('%s in %s is %d minutes ahead of UTC', (iso, zone, minutes) =>
    expect(offsetAt(at(iso), zone)).toBe(minutes * 60_000),
  );
});

describe('A wall clock', () => {
  it.each([
    ['2026-11-15T10:00', 'Asia/Seoul', '2026-11-15T01:00:00Z'],
    ['2026-07-01T12:00:30', 'Europe/Berlin', '2026-07-01T10:00:30Z'],
    // Occurs twice: the earlier one is taken.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00Z'],
    // Half an hour occurs twice there.
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z'],
    // Does not occur: it is read by the clock before the change.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00Z'],
  ])('%s in %s is %s', (text, zone, iso) => expect(momentOf(text, zone)).toBe(at(iso)));

  it.each(['', '2026-02-30T99:00', '오늘'])('is no other text: %j', (text) =>
    expect(momentOf(text, 'UTC')).toBeUndefined(),
  );

  it('gives a moment that is shown by the same clock, in every zone and at every time', () => {
    const zones = ['Asia/Seoul', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'];
    const times = fc.integer({ min: at('1990-01-01T00:00:00Z') / 1000, max: at('2040-01-01T00:00:00Z') / 1000 });
    fc.assert(
      fc.property(times, fc.constantFrom(...zones), (seconds, zone) => {
        const text = textOf(seconds * 1000, zone);
        expect(textOf(momentOf(text.replace(' ', 'T'), zone) ?? 0, zone)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});

it('The browser knows the time and its zone', () => {
  expect(Math.abs(now() - Date.now())).toBeLessThan(60_000);
  expect(offsetAt(0, browserZone()) + new Date(0).getTimezoneOffset() * 60_000).toBe(0);
});
