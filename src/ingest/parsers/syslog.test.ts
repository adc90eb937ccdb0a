import { describe, expect, it } from 'vitest';
import { read, readLine, ZONE } from '#test/support/parsers.ts';
import { syslog } from './syslog.ts';

describe('The syslog parser', () => {
  const head = { facility: 4, severity: 2, facility_name: 'auth', severity_name: 'crit' };
  const whole = { host: 'mymachine', app: 'su', msg: "'su root' failed" };

  it.each([
    // Of RFC 5424, 6.5.
    [
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \ufeff'su root' failed for lonvick on /dev/pts/8",
      {
        ...head,
        host: 'mymachine.example.com',
        app: 'su',
        msgid: 'ID47',
        msg: "'su root' failed for lonvick on /dev/pts/8",
        time: '2003-10-11T22:14:15.003Z',
      },
    ],
    [
      "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.",
      {
        facility: 20,
        severity: 5,
        facility_name: 'local4',
        severity_name: 'notice',
        host: '192.0.2.1',
        app: 'myproc',
        pid: '8710',
        msg: "%% It's time to make the do-nuts.",
        time: '2003-08-24T12:14:15Z',
      },
    ],
    [
      '<165>1 2003-10-11T22:14:15.003Z - evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"][examplePriority@32473 class="high"]',
      {
        facility: 20,
        severity: 5,
        facility_name: 'local4',
        severity_name: 'notice',
        app: 'evntslog',
        msgid: 'ID47',
        'exampleSDID@32473.iut': '3',
        'exampleSDID@32473.eventSource': 'Application',
        'exampleSDID@32473.eventID': '1011',
        'examplePriority@32473.class': 'high',
        time: '2003-10-11T22:14:15.003Z',
      },
    ],
    ['<0>1 - - - - - -', { facility: 0, severity: 0, facility_name: 'kern', severity_name: 'emerg' }],
    [
      '<34>1 - h a p m [o ip="1" ip="2" ip="3" q="a\\"b\\\\c\\]d\\n]"][x][_time][host] m',
      {
        ...head,
        host: 'h',
        app: 'a',
        pid: 'p',
        msgid: 'm',
        msg: 'm',
        'o.ip': ['1', '2', '3'],
        'o.q': 'a"b\\c]d\\n]',
        x: '',
      },
    ],
    // Of RFC 3164, 5.4, and what devices make of it.
    ["<34>Oct 11 22:14:15 mymachine su: 'su root' failed", { ...head, ...whole, time: '2026-10-11T13:14:15Z' }],
    [
      "<34>Oct  1 22:14:15 mymachine su[12]: 'su root' failed",
      { ...head, ...whole, pid: '12', time: '2026-10-01T13:14:15Z' },
    ],
    [
      "<34>Oct 11 22:14:15 su[12]: 'su root' failed",
      { ...head, app: 'su', pid: '12', msg: whole.msg, time: '2026-10-11T13:14:15Z' },
    ],
    [
      '<34>Oct 11 22:14:15 fe80::1 su:x',
      { ...head, host: 'fe80::1', app: 'su', msg: 'x', time: '2026-10-11T13:14:15Z' },
    ],
    [
      '<34>Oct 11 2003 22:14:15.123456: fw %ASA-6: x',
      { ...head, host: 'fw', app: '%ASA-6', msg: 'x', time: '2003-10-11T13:14:15.123Z' },
    ],
    [
      '<34>Oct 11 22:14:15 mymachine no speaker here',
      { ...head, host: 'mymachine', msg: 'no speaker here', time: '2026-10-11T13:14:15Z' },
    ],
    ['<34>Use the BFG!', { ...head, msg: 'Use the BFG!' }],
    ['<34>date=2026-11-15 devname="fw"', { ...head, msg: 'date=2026-11-15 devname="fw"' }],
    ['<34>Oct 32 22:14:15 mymachine su: x', { ...head, msg: 'Oct 32 22:14:15 mymachine su: x' }],
    // Of files.
    [
      'Nov 15 11:59:59 db01 sshd[7]: bye',
      { host: 'db01', app: 'sshd', pid: '7', msg: 'bye', time: '2026-11-15T02:59:59Z' },
    ],
    [
      '2026-11-15T11:59:59.25+09:00 db01 sshd[7]: bye',
      { host: 'db01', app: 'sshd', pid: '7', msg: 'bye', time: '2026-11-15T02:59:59.25Z' },
    ],
  ])('reads %s', async (line, fields) => {
    expect(await read('syslog', line)).toEqual(fields);
  });

  it.each([
    '',
    'hello',
    '<34',
    '<192>Oct 11 22:14:15 h a: b',
    '<034>Oct 11 22:14:15 h a: b',
    'Oct 11 25:14:15 h a: b',
    'Abc 11 22:14:15 h a: b',
    '2026-02-30T00:00:00Z h a: b',
    '<34>1 yesterday h a p m - x',
    '<34>1 2003-10-11T22:14:60Z h a p m - x',
    '<34>1 2003-10-11 22:14:15 h a p m - x',
    '<34>1 - h a p m',
    '<34>1 - h a p  -',
    '<34>1 - h a p m -x',
    '<34>1 - h a p m [x',
    '<34>1 - h a p m [x a=1] y',
    '<34>1 - h a p m [x a="1] y',
    '<34>1 - h a p m [x a="1"',
    '<34>1 - h a p m [=x] y',
  ])('cannot read %j', async (line) => {
    expect(await read('syslog', line)).toBeUndefined();
  });

  it.each([
    ['2026-01-01T00:00:30Z', 'UTC', 'Dec 31 23:59:59', '2025-12-31T23:59:59Z'],
    ['2025-12-31T23:59:59Z', 'UTC', 'Jan  1 00:00:10', '2026-01-01T00:00:10Z'],
    ['2025-12-31T16:00:00Z', ZONE, 'Jan  1 01:00:00', '2025-12-31T16:00:00Z'],
    ['2026-11-15T03:00:00Z', 'UTC', 'Mar  1 00:00:00', '2026-03-01T00:00:00Z'],
    ['2026-11-15T03:00:00Z', 'UTC', 'Nov 17 00:00:00', '2025-11-17T00:00:00Z'],
    ['2026-03-01T03:00:00Z', 'UTC', 'Feb 29 12:00:00', '2024-02-29T12:00:00Z'],
    // A wall-clock time that occurs twice is the first; one that does not exist moves on.
    ['2026-11-15T03:00:00Z', 'America/New_York', 'Nov  1 01:30:00', '2026-11-01T05:30:00Z'],
    ['2026-11-15T03:00:00Z', 'America/New_York', 'Mar  8 02:30:00', '2026-03-08T07:30:00Z'],
  ])('at %s in %s takes %s for %s', async (at, zone, written, time) => {
    expect(await read('syslog', `<34>${written} h a: b`, {}, { at: Date.parse(at), zone })).toMatchObject({
      time,
    });
  });

  it('takes the same text for another year when it comes a year later', async () => {
    const line = '<34>Dec 31 23:59:59.5 h a: b';
    const text = '<34>Dec 31 23:59:58 h a: b';
    const reader = await readLine(syslog, {}, 'UTC');
    const timeAt = (written: string, at: string) => reader(written, Date.parse(at))?.time;
    expect(timeAt(line, '2026-01-01T00:00:00Z')).toBe(Date.parse('2025-12-31T23:59:59.500Z'));
    expect(timeAt(text, '2026-12-31T00:00:00Z')).toBe(Date.parse('2026-12-31T23:59:58Z'));
    expect(timeAt(line, '2027-01-01T00:00:00Z')).toBe(Date.parse('2026-12-31T23:59:59.500Z'));
    expect(timeAt(text, '2026-12-30T00:00:00Z')).toBe(Date.parse('2025-12-31T23:59:58Z'));
  });
});
