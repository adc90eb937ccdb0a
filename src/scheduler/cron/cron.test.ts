// Which texts are schedules, and when they are due: by the calendar, and by name at both clock changes.

import { describe, expect, it } from 'vitest';
import { parseCron, type Schedule } from './cron.ts';

const SEOUL = 'Asia/Seoul';
const NEW_YORK = 'America/New_York';

describe('A cron expression', () => {
  it.each([
    '* * * * *',
    '  0 12 * * * ',
    '0\t12 * * *',
    '*/5 * * * * *',
    '0 0/5 * * * ?',
    '5/15 * * * *',
    '0,30 9-17 * * MON-FRI',
    '0 0 * jan,Jul sun',
    '0 0 L * *',
    '0 0 LW * *',
    '0 0 L,15 * *',
    '0 0 1W,15W * *',
    '0 0 * * 5L',
    '0 0 * * FRI#2,FRI#4',
    '0 0 * * 7',
    '0 0 * * SAT-SUN',
    '0 0 ? * MON',
    '00 07 01 01 *',
    '0 0 30 2 *',
    '*/60 * * * *',
  ])('may be «%s»', (text) => {
    expect(parseCron(text)?.text).toBe(text);
  });

  it.each([
    '',
    ' ',
    'daily',
    '@daily',
    '@reboot',
    '* * * *',
    '* * * * * * *',
    '60 * * * *',
    '60 * * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '-1 * * * *',
    '1.5 * * * *',
    '1e1 * * * *',
    '0x1 * * * *',
    '*/0 * * * *',
    '*/61 * * * *',
    '/5 * * * *',
    '5/ * * * *',
    '5-1 * * * *',
    '1-2-3 * * * *',
    '1,,2 * * * *',
    '1, * * * *',
    ', * * * *',
    '** * * * *',
    '* ? * * *',
    '? * * * *',
    '* L * * *',
    '0 0 L15 * *',
    '0 0 L-3 * *',
    '0 0 1W5 * *',
    '0 0 LW,1 * *',
    '0 0 W * *',
    '0 0 * * L',
    '0 0 * * 1#6',
    '0 0 * * 1#0',
    '0 0 * * #1',
    '0 0 * * MONDAY',
    '0 0 * MO *',
    '0 0 * * +MON',
    '0 0 1-5W * *',
    '0 0 2026-01-01 * *',
    '2026-01-01T00:00:00',
    '0 12 * * *\n0 13 * * *',
    '0 12 * *\u00a0*',
    '٠ 12 * * *',
    '0 12 * * * ; drop',
  ])('may not be «%s»', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  it.each([
    ['a long text', '1'.repeat(10_000_000)],
    ['a long list', `${'1,'.repeat(5_000_000)}1 * * * *`],
    ['many blanks', `${' '.repeat(10_000_000)}* * * * *`],
    ['many fields', '* '.repeat(5_000_000)],
    ['many steps', `${'*/1/'.repeat(60)} * * * *`],
    ['a list beyond 255 characters', `${Array.from({ length: 100 }, (_, n) => n % 60).join(',')} * * * *`],
  ])('may not be %s', (_, text) => {
    expect(parseCron(text)).toBeUndefined();
  });
});

describe('A schedule', () => {
  it.each([
    ['0 12 * * *', '2026-03-01T12:00', '2026-03-02T12:00'],
    ['59 59 23 31 12 *', '2026-12-31T23:59:59', '2027-12-31T23:59:59'],
    ['*/20 * * * * *', '2026-03-01T00:00:20', '2026-03-01T00:00:40', '2026-03-01T00:01'],
    ['5/25 * * * *', '2026-03-01T00:05', '2026-03-01T00:30', '2026-03-01T00:55', '2026-03-01T01:05'],
    ['0 0 29 2 *', '2028-02-29T00:00', '2032-02-29T00:00'],
    ['0 0 31 * *', '2026-03-31T00:00', '2026-05-31T00:00'],
    ['0 0 L * *', '2026-03-31T00:00', '2026-04-30T00:00'],
    ['0 0 LW * *', '2026-03-31T00:00', '2026-04-30T00:00', '2026-05-29T00:00'],
    ['0 0 15W * *', '2026-03-16T00:00', '2026-04-15T00:00'],
    ['0 0 * * 0', '2026-03-08T00:00', '2026-03-15T00:00'],
    ['0 0 * * 7', '2026-03-08T00:00', '2026-03-15T00:00'],
    ['0 0 * * FRI-SUN', '2026-03-06T00:00', '2026-03-07T00:00', '2026-03-08T00:00', '2026-03-13T00:00'],
    ['0 0 * * MON#5', '2026-03-30T00:00', '2026-06-29T00:00'],
    ['0 0 * * FRIL', '2026-03-27T00:00', '2026-04-24T00:00'],
    ['0 0 13 * FRI', '2026-03-06T00:00', '2026-03-13T00:00', '2026-03-20T00:00'],
    ['0 0 13 * ?', '2026-03-13T00:00', '2026-04-13T00:00'],
  ])('«%s» is due at %s, %s …', (text, ...due) => {
    expect(dueAfter(text, '2026-03-01T00:00:00', SEOUL, due.length)).toEqual(due.map((at) => moment(at, SEOUL)));
  });

  it.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 30W 2 *'])('«%s» is never due', (text) => {
    expect(scheduleOf(text).next(Temporal.Instant.from('2026-01-01T00:00Z'), NEW_YORK)).toBeUndefined();
  });

  it('is due after a moment between two seconds', () => {
    const next = (after: string) => String(scheduleOf('* * * * * *').next(Temporal.Instant.from(after), 'UTC'));
    expect(next('2026-03-01T00:00:00.999999999Z')).toBe('2026-03-01T00:00:01Z');
    expect(next('2026-03-01T00:00:00.000000001Z')).toBe('2026-03-01T00:00:01Z');
    expect(next('1969-12-31T23:59:58.5Z')).toBe('1969-12-31T23:59:59Z');
  });

  it('lists what is due between two moments, both included, as far as wanted', () => {
    const schedule = scheduleOf('*/10 * * * *');
    const [from, to] = [moment('2026-03-01T00:00', SEOUL), moment('2026-03-01T00:30', SEOUL)].map(
      Temporal.Instant.from,
    );
    if (!from || !to) throw new Error('no moments');
    expect(schedule.between(from, to, SEOUL, 10).map(String)).toEqual(
      ['00:00', '00:10', '00:20', '00:30'].map((time) => moment(`2026-03-01T${time}`, SEOUL)),
    );
    expect(schedule.between(from, to, SEOUL, 2)).toHaveLength(2);
    expect(schedule.between(from, to, SEOUL, 0)).toEqual([]);
    expect(schedule.between(to, from, SEOUL, 10)).toEqual([]);
  });
});

/** New York skips 02:00 to 03:00 on 8 March 2026 and repeats 01:00 to 02:00 on 1 November; -04:00 is summer. */
describe('At a clock change', () => {
  it.each([
    ['30 2 * * *', '2026-03-08T03:00-04:00', '2026-03-09T02:30-04:00'],
    ['0 2 * * *', '2026-03-08T03:00-04:00', '2026-03-09T02:00-04:00'],
    ['*/20 2 * * *', '2026-03-08T03:00-04:00', '2026-03-09T02:00-04:00', '2026-03-09T02:20-04:00'],
    ['30 1,2 * * *', '2026-03-08T01:30-05:00', '2026-03-08T03:00-04:00', '2026-03-09T01:30-04:00'],
    ['0 2,3 * * *', '2026-03-08T03:00-04:00', '2026-03-09T02:00-04:00', '2026-03-09T03:00-04:00'],
    ['30 1-3 * * *', '2026-03-08T01:30-05:00', '2026-03-08T03:00-04:00', '2026-03-08T03:30-04:00'],
    ['59 59 2 * * *', '2026-03-08T03:00-04:00', '2026-03-09T02:59:59-04:00'],
    ['30 2 8 3 *', '2026-03-08T03:00-04:00', '2027-03-08T02:30-05:00'],
    ['30 * * * *', '2026-03-08T00:30-05:00', '2026-03-08T01:30-05:00', '2026-03-08T03:30-04:00'],
    ['0 */2 * * *', '2026-03-08T04:00-04:00', '2026-03-08T06:00-04:00'],
    ['30 2-2/1 * * *', '2026-03-09T02:30-04:00', '2026-03-10T02:30-04:00'],
  ])('forward, «%s» is due at %s, %s …', (text, ...due) => {
    const from = '2026-03-08T00:00:00';
    expect(dueAfter(text, from, NEW_YORK, due.length)).toEqual(due.map(canonical));
  });

  it.each([
    ['30 1 * * *', '2026-11-01T01:30-04:00', '2026-11-02T01:30-05:00'],
    ['*/30 1 * * *', '2026-11-01T01:00-04:00', '2026-11-01T01:30-04:00', '2026-11-02T01:00-05:00'],
    ['30 1,2 * * *', '2026-11-01T01:30-04:00', '2026-11-01T02:30-05:00', '2026-11-02T01:30-05:00'],
    ['0 2 * * *', '2026-11-01T02:00-05:00', '2026-11-02T02:00-05:00'],
    ['30 * * * *', '2026-11-01T00:30-04:00', '2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00'],
    ['0 */1 * * *', '2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00', '2026-11-01T02:00-05:00'],
  ])('back, «%s» is due at %s, %s …', (text, ...due) => {
    const from = '2026-11-01T00:00:00';
    expect(dueAfter(text, from, NEW_YORK, due.length)).toEqual(due.map(canonical));
  });

  it('goes on after the repeated hour when asked within its second pass', () => {
    const after = Temporal.Instant.from('2026-11-01T01:10-05:00');
    expect(String(scheduleOf('30 1 * * *').next(after, NEW_YORK))).toBe(canonical('2026-11-02T01:30-05:00'));
    expect(String(scheduleOf('* 1-2 * * *').next(after, NEW_YORK))).toBe(canonical('2026-11-01T02:00-05:00'));
    expect(String(scheduleOf('* * 1-2 * * *').next(after, NEW_YORK))).toBe(canonical('2026-11-01T02:00-05:00'));
  });

  it('knows half hours, changes at midnight and days that were left out', () => {
    const due = (text: string, from: string, zone: string) => dueAfter(text, from, zone, 1)[0];
    expect(due('15 2 * * *', '2026-10-04T00:00:00', 'Australia/Lord_Howe')).toBe(canonical('2026-10-04T02:30+11:00'));
    expect(due('45 1 * * *', '2026-04-05T00:00:00', 'Australia/Lord_Howe')).toBe(canonical('2026-04-05T01:45+11:00'));
    expect(due('30 0 * * *', '2026-09-05T12:00:00', 'America/Santiago')).toBe(canonical('2026-09-06T01:00-03:00'));
    expect(due('0 9 * * *', '2011-12-29T12:00:00', 'Pacific/Apia')).toBe(canonical('2011-12-31T00:00+14:00'));
  });
});

function scheduleOf(text: string): Schedule {
  const schedule = parseCron(text);
  if (!schedule) throw new Error(`no schedule: ${text}`);
  return schedule;
}

/** The first `count` moments due after a wall time. */
function dueAfter(text: string, wall: string, zone: string, count: number): string[] {
  const from = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).toInstant();
  const due: Temporal.Instant[] = [];
  while (due.length < count) {
    const next = scheduleOf(text).next(due.at(-1) ?? from, zone);
    if (!next) break;
    due.push(next);
  }
  return due.map(String);
}

const moment = (wall: string, zone: string) =>
  String(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).toInstant());
const canonical = (text: string) => String(Temporal.Instant.from(text));
