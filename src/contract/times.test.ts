import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStamp, stampsIn, toStamp } from './times.ts';

const at = (text: string) => Temporal.Instant.from(text);

describe('A moment is written', () => {
  it.each([
    ['2024-03-01T00:00:00Z', 'UTC', '2024-03-01 00:00:00+0000'],
    ['2024-03-01T00:00:00Z', 'Asia/Seoul', '2024-03-01 09:00:00+0900'],
    ['2024-02-29T23:59:59.999Z', 'UTC', '2024-02-29 23:59:59+0000'],
    ['2024-03-01T00:00:00Z', 'Asia/Kolkata', '2024-03-01 05:30:00+0530'],
    ['2024-03-01T00:00:00Z', 'Asia/Kathmandu', '2024-03-01 05:45:00+0545'],
    ['2024-03-01T00:00:00Z', 'America/St_Johns', '2024-02-29 20:30:00-0330'],
    ['2024-07-01T00:00:00Z', 'America/St_Johns', '2024-06-30 21:30:00-0230'],
    ['2024-07-01T00:00:00Z', 'Australia/Lord_Howe', '2024-07-01 10:30:00+1030'],
    ['2024-01-01T00:00:00Z', 'Australia/Lord_Howe', '2024-01-01 11:00:00+1100'],
    ['2024-03-31T00:59:59Z', 'Europe/Berlin', '2024-03-31 01:59:59+0100'],
    ['2024-03-31T01:00:00Z', 'Europe/Berlin', '2024-03-31 03:00:00+0200'],
    ['2024-10-27T00:30:00Z', 'Europe/Berlin', '2024-10-27 02:30:00+0200'],
    ['2024-10-27T01:30:00Z', 'Europe/Berlin', '2024-10-27 02:30:00+0100'],
    ['1969-12-31T23:59:59Z', 'UTC', '1969-12-31 23:59:59+0000'],
    ['9999-12-31T23:00:00Z', 'Asia/Seoul', '10000-01-01 08:00:00+0900'],
    ['0001-01-01T00:00:00Z', 'Etc/GMT+5', '0000-12-31 19:00:00-0500'],
    ['2024-03-01T00:00:00Z', 'Pacific/Kiritimati', '2024-03-01 14:00:00+1400'],
  ])('%s in %s as %s', (instant, zone, stamp) => expect(toStamp(at(instant), zone)).toBe(stamp));

  it('so that reading it gives the moment again, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    // From 1980 on no zone has seconds in its offset, which the format has no place for.
    const second = fc.integer({ min: 315_532_800, max: 4_102_444_800 });
    fc.assert(
      fc.property(second, fc.constantFrom(...zones), (seconds, zone) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
        const stamp = toStamp(instant, zone);
        expect(stamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}$/);
        expect(fromStamp(stamp)?.epochMilliseconds).toBe(seconds * 1000);
        expect(fromStamp(stamp.replace('+', ' '))?.epochMilliseconds).toBe(seconds * 1000);
      }),
    );
  });

  it('in the same way one by one and many at a time', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const years = { min: -62_135_596_800_000 - 86_400_000, max: 253_402_300_799_999 + 86_400_000 };
    const recent = { min: 1_700_000_000_000, max: 1_800_000_000_000 };
    const times = fc.array(fc.oneof(fc.integer(recent), fc.integer(years)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), times, (zone, milliseconds) => {
        const stamp = stampsIn(zone);
        for (const one of milliseconds) {
          const moment = Temporal.Instant.fromEpochMilliseconds(one).toZonedDateTimeISO(zone);
          const change = moment.getTimeZoneTransition('next')?.epochMilliseconds ?? one;
          for (const near of [one, change - 1, change, change + 1, one]) {
            expect(stamp(near)).toBe(toStamp(Temporal.Instant.fromEpochMilliseconds(near), zone));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('A moment is read', () => {
  it.each([
    ['2024-03-01 09:00:00+0900', '2024-03-01T00:00:00Z'],
    ['2024-03-01 09:00:00 0900', '2024-03-01T00:00:00Z'],
    ['2024-02-29 20:30:00-0330', '2024-03-01T00:00:00Z'],
    ['2024-03-01 00:00:00-0000', '2024-03-01T00:00:00Z'],
    ['2024-02-29 23:59:59+0000', '2024-02-29T23:59:59Z'],
    ['2000-02-29 00:00:00+0000', '2000-02-29T00:00:00Z'],
    ['9999-12-31 23:59:59+0000', '9999-12-31T23:59:59Z'],
    ['1970-01-01 00:00:00+0000', '1970-01-01T00:00:00Z'],
  ])('from %s', (stamp, instant) => expect(fromStamp(stamp)?.equals(at(instant))).toBe(true));

  it.each([
    '1900-02-29 00:00:00+0000',
    '2024-04-31 00:00:00+0000',
    '2024-03-01 23:59:60+0000',
    '2024-03-01 00:00:00+2400',
    '2024-03-01 00:00:00+0060',
    '2024-03-01 00:00:00+09',
    '2024-03-01 00:00:00+090',
    '2024-03-01 00:00:00+09000',
    '2024-03-01 00:00:00+090000',
    '2024-03-01 00:00:00−0900',
    '2024-03-01 00:00:00Z',
    '2024-03-01 00:00:00[UTC]+0000',
    '2024-03-01t00:00:00+0000',
    '+002024-03-01 00:00:00+0000',
    '-002024-03-01 00:00:00+0000',
    '2024-03-01 00:00:00+0000[Asia/Seoul]',
    '2024-W09-5 00:00:00+0000',
    '20240301 000000+0000',
    '',
    ' ',
  ])('not from "%s"', (text) => expect(fromStamp(text)).toBeUndefined());

  it('from the one format alone, and never with an exception', () => {
    const near = fc.stringMatching(/^\d{4}[-/]\d\d?-\d\d?[ T]\d\d?:\d\d:\d\d[+\- Z]?\d{0,5}$/);
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
        const isOfFormat = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+\- ]\d{4}$/.test(text);
        if (!isOfFormat) expect(fromStamp(text)).toBeUndefined();
        else fromStamp(text);
      }),
      { numRuns: 300 },
    );
  });
});
