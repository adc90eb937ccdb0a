import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { decodeOtlp } from '#senders/otlp/decode.ts';
import { otlpBytes } from '#test/support/protobuf-messages.ts';
import { ARRIVAL, decodedBy, recordsBy, requestOf } from '#test/support/sender-decoding.ts';

const PROTOBUF = { type: 'application/x-protobuf' };
const AT = '1709280000123456789';
const text = (stringValue: string) => ({ stringValue });
const pair = (key: string, value: object) => ({ key, value });
const nested = (depth: number): object =>
  depth === 0 ? { intValue: '1' } : { arrayValue: { values: [nested(depth - 1)] } };

/** A request with one record, and with other parts around it. */
const request = (record: object, resource: object[] = [], scope: object = {}) => ({
  resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ scope, logRecords: [record] }] }],
});

const attributes = (...pairs: object[]) => ({ timeUnixNano: AT, attributes: pairs });
const TIME = { _time: 1709280000123 };

const mapped: [rule: string, message: object, record: object][] = [
  ['the time is that of the event', request({ timeUnixNano: AT }), TIME],
  ['else that of its observation', request({ observedTimeUnixNano: AT }), TIME],
  [
    'which is a field where both are given',
    request({ timeUnixNano: AT, observedTimeUnixNano: '1709280000999000000' }),
    { ...TIME, observed_time: { $date: 1709280000999 } },
  ],
  ['a record without a time is of its arrival', request({ timeUnixNano: '0' }), { _time: ARRIVAL }],
  [
    'a body of text is the line',
    request({ timeUnixNano: AT, body: text('a "b" \n 한국') }),
    { ...TIME, line: 'a "b" \n 한국' },
  ],
  [
    'the keys of a body that is a map are fields',
    request({
      timeUnixNano: AT,
      severityNumber: 9,
      body: { kvlistValue: { values: [pair('a', text('x')), pair('severity_number', text('y'))] } },
    }),
    { ...TIME, severity_number: 9, severity_text: 'INFO', a: 'x', 'body.severity_number': 'y' },
  ],
  ['any other body is a field', request({ timeUnixNano: AT, body: { boolValue: true } }), { ...TIME, body: true }],
  ['an empty body is none', request({ timeUnixNano: AT, body: {} }), TIME],
  [
    'values of attributes keep their types',
    request(
      attributes(
        pair('http.route', text('/a')),
        pair('i', { intValue: '-7' }),
        pair('d', { doubleValue: 0.5 }),
        pair('b', { boolValue: false }),
        pair('l', { arrayValue: { values: [{ intValue: '1' }, {}, text('x')] } }),
        pair('m', { kvlistValue: { values: [pair('k', { doubleValue: 1.5 }), pair('e', { arrayValue: {} })] } }),
        pair('none', {}),
      ),
    ),
    { ...TIME, 'http.route': '/a', i: -7, d: 0.5, b: false, l: [1, null, 'x'], m: { k: 1.5, e: [] }, none: null },
  ],
  [
    'names that are taken get a prefix, and names of the service are dropped',
    request({
      ...attributes(
        pair('line', text('x')),
        pair('_id', text('1')),
        pair('_table', text('t')),
        pair('_node', text('n')),
        pair('', text('e')),
        pair('_time', text('0')),
      ),
      body: text('hello'),
    }),
    { ...TIME, line: 'hello', 'attr.line': 'x', 'attr._time': '0' },
  ],
  [
    'resource and scope have names of their own',
    request(attributes(pair('resource.host', text('mine'))), [pair('host', text('h'))], {
      name: 'lib',
      version: '2',
      attributes: [pair('name', text('other')), pair('k', { intValue: '3' })],
    }),
    {
      ...TIME,
      'resource.host': 'h',
      'attr.resource.host': 'mine',
      'scope.name': 'lib',
      'scope.version': '2',
      'attr.scope.name': 'other',
      'scope.k': 3,
    },
  ],
  [
    'severity, flags and names are fields',
    request({
      timeUnixNano: AT,
      severityNumber: 24,
      severityText: 'Emergency',
      flags: 1,
      eventName: 'e',
      droppedAttributesCount: 2,
    }),
    {
      ...TIME,
      severity_number: 24,
      severity_text: 'Emergency',
      trace_flags: 1,
      event_name: 'e',
      dropped_attributes_count: 2,
    },
  ],
];

describe('Logs of OTLP', () => {
  for (const [rule, message, record] of mapped) {
    it(`are records: ${rule}`, () => {
      expect(recordsBy(decodeOtlp, JSON.stringify(message))).toEqual([record]);
      expect(recordsBy(decodeOtlp, otlpBytes(message), PROTOBUF)).toEqual([record]);
    });
  }

  it('keep whole numbers of 64 bits exact, as text and as number', () => {
    const body = JSON.stringify(
      request(attributes(pair('a', { intValue: '9223372036854775807' }), pair('b', { intValue: 1 }))),
    );
    const exact = '"a":9223372036854775807,"b":-9223372036854775808';
    const json = body.replace('"intValue":1', '"intValue":-9223372036854775808');
    const protobuf = otlpBytes(
      request(
        attributes(pair('a', { intValue: '9223372036854775807' }), pair('b', { intValue: '-9223372036854775808' })),
      ),
    );
    expect(linesOf(json, 'application/json')).toContain(exact);
    expect(linesOf(protobuf, PROTOBUF.type)).toContain(exact);
  });

  it('have null for what JSON has no number for', () => {
    const message = (values: readonly unknown[]) =>
      request(attributes(...values.map((doubleValue, at) => pair(`d${at}`, { doubleValue }))));
    const json = JSON.stringify(message(['NaN', 'Infinity', '-Infinity']));
    const record = { ...TIME, d0: null, d1: null, d2: null };
    expect(recordsBy(decodeOtlp, json)).toEqual([record]);
    expect(recordsBy(decodeOtlp, otlpBytes(message([Number.NaN, 1 / 0, -1 / 0])), PROTOBUF)).toEqual([record]);
  });

  it('have ids in hexadecimal and bytes in base64', () => {
    const message = (traceId: unknown, spanId: unknown, bytesValue: unknown) =>
      request({ ...attributes(pair('raw', { bytesValue })), traceId, spanId });
    const bytes = Buffer.from('0102030405060708090a0b0c0d0e0fFF', 'hex');
    const record = { ...TIME, trace_id: '0102030405060708090a0b0c0d0e0fff', raw: '/+8=' };
    const none = '0000000000000000';
    expect(recordsBy(decodeOtlp, JSON.stringify(message('0102030405060708090A0B0C0D0E0FFF', none, '_-8')))).toEqual([
      record,
    ]);
    const protobuf = otlpBytes(message(bytes, Buffer.alloc(8), Buffer.from([0xff, 0xef])));
    expect(recordsBy(decodeOtlp, protobuf, PROTOBUF)).toEqual([record]);
  });

  it('are rejected one by one: too deep, too long, of no possible time', () => {
    const records = [
      attributes(pair('deep', nested(100))),
      attributes(pair('deep', nested(101))),
      { body: text('x'.repeat(1024 * 1024)) },
      { body: text('kept') },
    ];
    const message = { resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] };
    const fates = ['kept', 'nested-too-deep', 'line-too-long', 'kept'];
    expect(decodedBy(decodeOtlp, JSON.stringify(message))).toMatchObject({ fates });
    expect(decodedBy(decodeOtlp, otlpBytes(message), PROTOBUF)).toMatchObject({ fates });
    expect(decodedBy(decodeOtlp, JSON.stringify(request({ timeUnixNano: '999999999999999999999' })))).toMatchObject({
      fates: ['invalid-time'],
    });
  });

  it('name their table by a resource attribute, or by their service where a pattern fits it', () => {
    const resources = [
      [pair('vigil.table', text('web')), pair('service.name', text('shop'))],
      [pair('service.name', text('shop'))],
      [pair('service.name', text('other'))],
    ];
    const message = { resourceLogs: resources.map((own) => ({ ...request({}, own).resourceLogs[0] })) };
    const mappings = [{ pattern: 'sh*', table: 'orders' }];
    for (const [body, type] of [
      [JSON.stringify(message), 'application/json'],
      [otlpBytes(message), PROTOBUF.type],
    ] as const) {
      const decoded = decodedBy(decodeOtlp, body, { type, mappings });
      expect(decoded.tables?.map(({ name, items }) => [name, items])).toEqual([
        ['web', [0]],
        ['shop', [1]],
        [undefined, [2]],
      ]);
    }
  });

  it('may have their parts in any order, unknown ones among them', () => {
    const json =
      '{"x":[1],"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"value":{"y":1,"stringValue":"v"},"key":"k"}],' +
      '"z":null,"body":{"stringValue":"b"},"timeUnixNano":"1709280000123456789"}],"scope":{"name":"s"}}],' +
      '"resource":{"attributes":[{"key":"r","value":{"intValue":1}}]}}]}';
    expect(recordsBy(decodeOtlp, json)).toEqual([{ ...TIME, line: 'b', k: 'v', 'resource.r': 1, 'scope.name': 's' }]);
  });

  it('are refused as a whole where the body is none, or is more than it may be', () => {
    const bodies = [
      '',
      '[]',
      '{"resourceLogs":{}}',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{]}]}]}',
      '{} {}',
      '{"resourceLogs":[1]}',
    ];
    for (const body of bodies) expect(decodedBy(decodeOtlp, body), body).toMatchObject({ fault: 'malformed' });
    expect(decodedBy(decodeOtlp, Buffer.from([0x0a, 0xff]), PROTOBUF)).toMatchObject({ fault: 'malformed' });
    expect(decodedBy(decodeOtlp, '', PROTOBUF)).toMatchObject({ tables: [], fates: [] });
    // Two bytes each stand for a record that has all of its resource.
    const limits = { bodyBytes: 64 * 1024 * 1024, bytes: 1_000_000, lineBytes: 1024 * 1024, items: 50 };
    const large = [pair('k', text('x'.repeat(100_000)))];
    expect(decodedBy(decodeOtlp, emptyRecords(20, large), { ...PROTOBUF, limits })).toMatchObject({
      fault: 'too-long',
    });
    expect(decodedBy(decodeOtlp, emptyRecords(60), { ...PROTOBUF, limits })).toMatchObject({ fault: 'too-many-items' });
  });
});

const emptyRecords = (count: number, resource: object[] = []): Buffer =>
  otlpBytes({
    resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ logRecords: Array(count).fill({}) }] }],
  });

const linesOf = (body: string | Buffer, type: string): string => {
  const { groups } = runToEnd(decodeOtlp(Buffer.from(body), requestOf({ type })));
  return Buffer.concat(groups.map(({ lines }) => lines)).toString();
};
