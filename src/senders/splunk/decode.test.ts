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

  const refused: [rule: string, body: string | Buffer, fault: string, item: number | undefined][] = [
    ['no data', '', 'empty', undefined],
    ['blanks alone', ' \r\n', 'empty', undefined],
    ['an empty list', '[]', 'empty', undefined],
    ['an event that is missing', '{"event":"a"}{"host":"h"}', 'event-missing', 1],
    ['an event that is null', '{"event":null}', 'event-missing', 0],
    ['an event that is blank', '{"event":"a"}{"event":""}', 'event-blank', 1],
    ['what is no JSON', '{"event":"a"}{"event":"b"} x', 'malformed', 2],
    ['what is no map', '{"event":"a"}5', 'malformed', 1],
    ['a list that has no end', '[{"event":"a"},', 'malformed', 1],
    ['text behind a list', '[{"event":"a"}]{}', 'malformed', 1],
    ['a map that is none inside', '{"event":{"a":1,}}', 'malformed', 0],
    ['a time that is none', '{"event":"a","time":"soon"}', 'malformed', 0],
    ['a time out of years', '{"event":"a","time":1709280000123456}', 'malformed', 0],
    ['fields that are none', '{"event":"a","fields":[]}', 'malformed', 0],
    ['text that cannot be stored', '{"event":"a\\u0000"}', 'malformed', 0],
    ['half a letter', '{"event":"\\ud83d"}', 'malformed', 0],
    ['no UTF-8', Buffer.from('{"event":"a"}{"event":"\xff"}', 'latin1'), 'malformed', 1],
    ['an event that is too deep', `{"event":${'['.repeat(101)}${']'.repeat(101)}}`, 'malformed', 0],
    ['an event that is too long', `{"event":"${'x'.repeat(1024 * 1024)}"}`, 'malformed', 0],
  ];
  for (const [rule, body, fault, item] of refused) {
    it(`are refused with their number: ${rule}`, () => {
      expect(decodedBy(decodeSplunk, body, EVENT)).toEqual({ fault, item });
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

  it('are refused where there are none, or one is no text', () => {
    expect(decodedBy(decodeSplunk, '\n\r\n', RAW)).toMatchObject({ fault: 'empty' });
    expect(decodedBy(decodeSplunk, Buffer.from('a\n\xff\n', 'latin1'), RAW)).toEqual({ fault: 'malformed', item: 1 });
    expect(decodedBy(decodeSplunk, 'a', { ...RAW, params: { time: 'x' } })).toMatchObject({ fault: 'malformed' });
  });
});
