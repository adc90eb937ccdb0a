import SnappyJS from 'snappyjs';
import { describe, expect, it } from 'vitest';
import { lokiBytes } from '#test/support/protobuf-messages.ts';
import { ARRIVAL, decodedBy, recordsBy, requestOf } from '#test/support/sender-decoding.ts';
import { decodeLoki } from './decode.ts';
import { parseLabels } from './labels.ts';

const PROTOBUF = { type: 'application/x-protobuf' };
const AT = '1709280000123456789';
const SECONDS = { seconds: 1709280000, nanos: 123456789 };
const TIME = { _time: 1709280000123 };

const json = (stream: object, ...values: readonly unknown[]): string =>
  JSON.stringify({ streams: [{ stream, values }] });
const protobuf = (labels: string, ...entries: object[]): Buffer =>
  Buffer.from(SnappyJS.compress(lokiBytes({ streams: [{ labels, entries }] })));

describe('Streams of Loki', () => {
  const streams: [rule: string, json: string, protobuf: Buffer, record: object][] = [
    [
      'labels are fields beside the line',
      json({ level: 'info', app: 'y' }, [AT, 'hello "you"']),
      protobuf('{level="info",app="y"}', { timestamp: SECONDS, line: 'hello "you"' }),
      { ...TIME, level: 'info', app: 'y', line: 'hello "you"' },
    ],
    [
      'structured metadata are fields; a name that is taken gets a prefix',
      json({ app: 'y', line: 'l', _time: 't' }, [AT, 'x', { trace: '1', app: 'z', _id: '5' }]),
      protobuf('{app="y", line="l", _time="t"}', {
        timestamp: SECONDS,
        line: 'x',
        structuredMetadata: [
          { name: 'trace', value: '1' },
          { name: 'app', value: 'z' },
          { name: '_id', value: '5' },
        ],
      }),
      { ...TIME, app: 'y', 'label.line': 'l', 'label._time': 't', line: 'x', trace: '1', 'meta.app': 'z' },
    ],
    [
      'an entry without a time is of its arrival',
      json({}, ['0', 'x']),
      protobuf('{}', { line: 'x' }),
      { _time: ARRIVAL, line: 'x' },
    ],
  ];
  for (const [rule, text, bytes, record] of streams) {
    it(`are records: ${rule}`, () => {
      expect(recordsBy(decodeLoki, text)).toEqual([record]);
      expect(recordsBy(decodeLoki, bytes, PROTOBUF)).toEqual([record]);
      expect(recordsBy(decodeLoki, bytes, { ...PROTOBUF, encoding: 'snappy' })).toEqual([record]);
    });
  }

  it('name their table by a label that is not kept', () => {
    const body = JSON.stringify({
      streams: [
        { values: [[AT, 'b']], stream: { vigil_table: 'web', a: '1' } },
        {
          stream: {},
          values: [
            [AT, 'c'],
            [AT, 'd'],
          ],
        },
      ],
    });
    const tables = [
      { name: 'web', items: [0], records: [{ ...TIME, a: '1', line: 'b' }] },
      {
        name: undefined,
        items: [1, 2],
        records: [
          { ...TIME, line: 'c' },
          { ...TIME, line: 'd' },
        ],
      },
    ];
    expect(decodedBy(decodeLoki, body)).toMatchObject({ tables });
    const bytes = lokiBytes({
      streams: [
        { labels: '{vigil_table="web",a="1"}', entries: [{ timestamp: SECONDS, line: 'b' }] },
        {
          labels: '{}',
          entries: [
            { timestamp: SECONDS, line: 'c' },
            { timestamp: SECONDS, line: 'd' },
          ],
        },
      ],
    });
    expect(decodedBy(decodeLoki, Buffer.from(SnappyJS.compress(bytes)), PROTOBUF)).toMatchObject({ tables });
  });

  it('lose single entries that cannot be kept', () => {
    const body = json(
      { a: '1' },
      [AT, 'x'],
      ['soon', 'x'],
      [AT, 5],
      [AT],
      'x',
      ['9999999999999999999999', 'x'],
      [AT, 'y'],
    );
    const fates = [
      'kept',
      'invalid-time',
      'malformed-json',
      'malformed-json',
      'malformed-json',
      'invalid-time',
      'kept',
    ];
    expect(decodedBy(decodeLoki, body)).toMatchObject({ fates });
    const bytes = protobuf(
      '{a="1"}',
      { timestamp: { seconds: '99999999999999' }, line: 'x' },
      { timestamp: SECONDS, line: 'y' },
    );
    expect(decodedBy(decodeLoki, bytes, PROTOBUF)).toMatchObject({ fates: ['invalid-time', 'kept'] });
    expect(decodedBy(decodeLoki, protobuf('{a=1}', { line: 'x' }), PROTOBUF)).toMatchObject({
      fates: ['parse-failed'],
    });
  });

  it('are refused as a whole where the body is none, or declares more than it may', () => {
    for (const body of ['', '[]', '{"streams":1}', '{"streams":[{"stream":{"a":}}]}']) {
      expect(decodedBy(decodeLoki, body), body).toMatchObject({ fault: 'malformed' });
    }
    const declared = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]);
    expect(decodedBy(decodeLoki, declared, PROTOBUF)).toMatchObject({ fault: 'too-long' });
    const limits = { ...requestOf().limits, bodyBytes: 20 };
    const block = Buffer.from([21, 20 << 2, ...new Uint8Array(21)]);
    expect(decodedBy(decodeLoki, block, { ...PROTOBUF, limits })).toMatchObject({ fault: 'too-long' });
    expect(decodedBy(decodeLoki, Buffer.from('not snappy'), PROTOBUF)).toMatchObject({ fault: 'malformed' });
  });
});

describe('A text of labels', () => {
  const texts: [text: string, labels: Record<string, string> | undefined][] = [
    ['{}', {}],
    [' { a = "1" , b="x", } ', { a: '1', b: 'x' }],
    [String.raw`{a="q\"\\\n\t\x41\u00e9\U0001F600\101"}`, { a: 'q"\\\n\tAé😀A' }],
    [String.raw`{a="\xed\x95\x9c"}`, { a: '한' }],
    ["{a='1',b=`raw \\n`}", { a: '1', b: 'raw \\n' }],
    ['{"http.route"="/a"}', { 'http.route': '/a' }],
    ['{a="한국, }"}', { a: '한국, }' }],
    ['', undefined],
    ['{a=1}', undefined],
    ['{a="1" b="2"}', undefined],
    ['{a="1"} x', undefined],
    ['{a="1', undefined],
    [String.raw`{a="\q"}`, undefined],
    [
      `{${Array.from({ length: 100 }, (_, at) => `l${at}="x"`).join(',')}}`,
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`l${at}`, 'x'])),
    ],
    [`{${Array.from({ length: 101 }, (_, at) => `l${at}="x"`).join(',')}}`, undefined],
    [`{a="${'x'.repeat(64 * 1024)}"}`, undefined],
  ];
  for (const [text, labels] of texts) {
    it(`is read with its quotation marks and escapes: ${text.slice(0, 40)}`, () => {
      const found = parseLabels(text);
      expect(found && Object.fromEntries(found)).toEqual(labels);
    });
  }
});
