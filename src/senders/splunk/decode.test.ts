import { describe, expect, it } from 'vitest';
import { ARRIVAL, decodedBy, recordsBy, requestOf } from '#test/support/sender-decoding.ts';
import { decodeSplunk } from './decode.ts';

const EVENT = { route: 'event', type: '' };
const RAW = { route: 'raw', type: '' };
const TIME = { _time: 1709280000123 };

const events: [rule: string, body: string, records: readonly object[]][] = [
  ['the text of an event is its line', '{"time":1709280000.123,"event":"hello"}', [{ ...TIME, line: 'hello' }]],
  ['a time may be text', '{"time":"1709280000.1239","event":"a"}', [{ ...TIME, line: 'a' }]],
  ['a whole number is a time', '{"time":1709280000,"event":"a"}', [{ _time: 1709280000000, line: 'a' }]],
  [
    'absent, null and 0 stand for the arrival',
    '{"event":"a"}{"time":null,"event":"b"}{"time":0,"event":"c"}',
    [
      { _time: ARRIVAL, line: 'a' },
      { _time: ARRIVAL, line: 'b' },
      { _time: ARRIVAL, line: 'c' },
    ],
  ],
  [
    'the keys of a map are fields',
    '{"time":1709280000.123,"event":{"a":1,"host":"own","_time":5,"_id":1,"":2,"n":{"x":[1,null]}},"host":"h"}',
    [{ ...TIME, host: 'h', a: 1, 'event.host': 'own', 'event._time': 5, n: { x: [1, null] } }],
  ],
  [
    'any other event is a field',
    '{"time":1709280000.123,"event":[1,2]} {"time":1709280000.123,"event":5}',
    [
      { ...TIME, event: [1, 2] },
      { ...TIME, event: 5 },
    ],
  ],
  [
    'fields keep their names',
    '{"time":1709280000.123,"fields":{"a":"f","b":2},"source":"s","sourcetype":"t","event":{"a":1}}',
    [{ ...TIME, source: 's', sourcetype: 't', a: 1, 'field.a': 'f', b: 2 }],
  ],
  [
    'objects need no line ends between them',
    '{"time":1709280000.123,"event":"a"}{"time":1709280000.123,"event":"b"}',
    [
      { ...TIME, line: 'a' },
      { ...TIME, line: 'b' },
    ],
  ],
  [
    'and may have some inside',
    '\r\n{"time":1709280000.123,\n "event":{\r\n"a":\n[1,\n2]}}\n\n',
    [{ ...TIME, a: [1, 2] }],
  ],
  [
    'a list has them, too',
    ' [ {"time":1709280000.123,"event":"a"} , {"time":1709280000.123,"event":"b"} ] ',
    [
      { ...TIME, line: 'a' },
      { ...TIME, line: 'b' },
    ],
  ],
  [
    'escapes stay what they are',
    '{"time":1709280000.123,"event":"\\ud83d\\ude00 \\u0041","fields":{"\\u0061\\"":1}}',
    [{ ...TIME, line: '😀 A', 'a"': 1 }],
  ],
];

describe('Events of Splunk', () => {
  for (const [rule, body, records] of events) {
    it(`are records: ${rule}`, () => expect(recordsBy(decodeSplunk, body, EVENT)).toEqual(records));
  }

  it('name their table by their index', () => {
    const body = '{"index":"web","event":"a"}{"event":"b"}{"index":"web","event":"c"}';
    expect(decodedBy(decodeSplunk, body, EVENT).tables?.map(({ name, items }) => [name, items])).toEqual([
      ['web', [0, 2]],
      [undefined, [1]],
    ]);
  });

  it('are refused as a whole where there is none', () => {
    for (const body of ['', ' \r\n', '[]']) {
      expect(decodedBy(decodeSplunk, body, EVENT)).toEqual({ fault: 'empty', item: undefined });
    }
  });

  const rejected: [rule: string, event: string, fate: string][] = [
    ['an event that is missing', '{"host":"h"}', 'event-missing'],
    ['an event that is null', '{"event":null}', 'event-missing'],
    ['an event that is blank', '{"event":""}', 'event-blank'],
    ['what is no map', '5', 'not-an-object'],
    ['a time that is none', '{"event":"a","time":"soon"}', 'invalid-time'],
    ['a time out of years', '{"event":"a","time":1709280000123456}', 'invalid-time'],
    ['fields that are none', '{"event":"a","fields":[]}', 'malformed-json'],
    ['an event that is too deep', `{"event":${'['.repeat(101)}${']'.repeat(101)}}`, 'nested-too-deep'],
    ['an event that is too long', `{"event":"${'x'.repeat(1024 * 1024)}"}`, 'line-too-long'],
  ];
  for (const [rule, event, fate] of rejected) {
    it(`are rejected one by one: ${rule}`, () => {
      for (const body of [`{"event":"a"}${event} {"event":"b"}`, `[{"event":"a"},${event},{"event":"b"}]`]) {
        expect(decodedBy(decodeSplunk, body, EVENT)).toMatchObject({
          fates: ['kept', fate, 'kept'],
          tables: [{ items: [0, 2], records: [{ line: 'a' }, { line: 'b' }] }],
        });
      }
    });
  }

  const unreadable: [rule: string, body: string][] = [
    ['what is no JSON', '{"event":"a"} x {"event":"b"}'],
    ['a list that has no end', '[{"event":"a"},'],
    ['text behind a list', '[{"event":"a"}]{}'],
    ['a map that is none inside', '{"event":"a"}{"event":{"a":1,}}{"event":"b"}'],
  ];
  for (const [rule, body] of unreadable) {
    it(`are kept up to ${rule}`, () => {
      expect(decodedBy(decodeSplunk, body, EVENT)).toMatchObject({
        fates: ['kept', 'malformed-json'],
        tables: [{ items: [0], records: [{ line: 'a' }] }],
      });
    });
  }

  it('of a depth of 100 are kept', () => {
    const body = `{"time":1709280000.123,"event":${'['.repeat(100)}${']'.repeat(100)}}`;
    expect(recordsBy(decodeSplunk, body, EVENT)).toHaveLength(1);
  });
});

describe('Raw lines for Splunk', () => {
  it('are records with what the query string says of them', () => {
    const params = { host: 'h', source: 's', sourcetype: 't', index: 'web', time: '1709280000.123' };
    const records = ['a "b"', ' c', '한국'].map((line) => ({ ...TIME, host: 'h', source: 's', sourcetype: 't', line }));
    const body = 'a "b"\r\n\n c\n한국';
    expect(decodedBy(decodeSplunk, body, { ...RAW, params })).toMatchObject({
      tables: [{ name: 'web', items: [0, 1, 2], records }],
    });
    expect(recordsBy(decodeSplunk, 'x', RAW)).toEqual([{ _time: ARRIVAL, line: 'x' }]);
  });

  it('are refused where there are too many, blank ones included', () => {
    const limits = { ...requestOf().limits, items: 3 };
    expect(decodedBy(decodeSplunk, 'a\n\n\n', { ...RAW, limits })).toMatchObject({ tables: [{ items: [0] }] });
    expect(decodedBy(decodeSplunk, 'a\n\n\nb', { ...RAW, limits })).toMatchObject({ fault: 'too-many-items' });
  });

  it('are refused where there are none, and rejected one by one', () => {
    expect(decodedBy(decodeSplunk, '\n\r\n', RAW)).toMatchObject({ fault: 'empty' });
    expect(decodedBy(decodeSplunk, `a\n${'x'.repeat(1024 * 1024)}\nb`, RAW)).toMatchObject({
      fates: ['kept', 'line-too-long', 'kept'],
    });
    expect(decodedBy(decodeSplunk, 'a', { ...RAW, params: { time: 'x' } })).toMatchObject({ fates: ['invalid-time'] });
  });
});
