// Bodies of sender protocols that are as long as a body may be, or stand for more: large records, very many small ones, ids that
// come again and again, compressed nothing.

import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { HostileRequest, World } from './hostile-requests.ts';

const MIB = 1024 * 1024;
const NANOSECONDS = '1709280000000000000';
/** As many as a push may have, and a line of the longest that fills 60 MB. */
const ITEMS = 1_000_000;
const LARGE = 'x'.repeat(1_000_000);
const LARGE_ITEMS = 60;
/** Of a length for which V8 has one hash. */
const LONG_ID = 'n'.repeat(16_400);

interface SentBody {
  readonly path: string;
  readonly type: string;
  body(): string | Buffer;
  readonly encoding?: string;
  /** Of a body that is in its encoding already. */
  readonly isCompressed?: true;
}

const BULK = { path: '/sent/_bulk', type: 'application/x-ndjson' };
const OTLP = { path: '/v1/logs', type: 'application/json' };
const OTLP_PROTOBUF = { path: '/v1/logs', type: 'application/x-protobuf' };
const EVENTS = { path: '/services/collector/event', type: 'application/json' };
const RAW = { path: '/services/collector/raw', type: 'text/plain' };
const LOKI = { path: '/loki/api/v1/push', type: 'application/json' };
const LOKI_PROTOBUF = { path: '/loki/api/v1/push', type: 'application/x-protobuf' };

/** Status, and how the body of the answer begins. */
const sent =
  ({ path, type, body, encoding = 'gzip', isCompressed }: SentBody) =>
  async (world: World) => {
    const bytes = encoding === 'gzip' && !isCompressed ? gzipSync(body(), { level: 1 }) : body();
    const headers = { 'content-type': type, ...(encoding === '' ? {} : { 'content-encoding': encoding }) };
    const { status, text } = await world.call('POST', path, { body: bytes, headers });
    return `${status} ${text.slice(0, 200).replace(/"took":\d+/, '"took":0')}`;
  };

const logRecords = (item: string, count: number) =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${`${item},`.repeat(count - 1)}${item}]}]}]}`;
const streams = (item: string, count: number) =>
  `{"streams":[{"stream":{},"values":[${`${item},`.repeat(count - 1)}${item}]}]}`;

/** A message of protobuf in a field, with its length. */
function message(field: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([field * 8 + 2]), lengthOf(content.length), content]);
}

function lengthOf(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left > 127 ? (left % 128) + 128 : left);
    if (left <= 127) return Buffer.from(bytes);
  }
}

const repeated = (part: Buffer, count: number): Buffer => Buffer.alloc(part.length * count, part);
const otlpProtobuf = (line: string, count: number): Buffer =>
  message(1, message(2, repeated(message(2, message(5, message(1, Buffer.from(line)))), count)));
/** A block of snappy of literals alone. */
function literals(bytes: Buffer): Buffer {
  const head = Buffer.from([63 * 4, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length - 1, 1);
  return Buffer.concat([lengthOf(bytes.length), head, bytes]);
}
const lokiProtobuf = (line: string, count: number): Buffer => {
  const time = message(1, Buffer.from([8, 1]));
  return message(1, message(1, Buffer.from('{}')), repeated(message(2, time, message(2, Buffer.from(line))), count));
};

/** They take little time beside what they ask for. */
export const hostileSenders: readonly HostileRequest[] = [
  {
    it: '60 MB of OTLP in large records',
    answers: '200 {}',
    send: sent({ ...OTLP, body: () => logRecords(`{"body":{"stringValue":"${LARGE}"}}`, LARGE_ITEMS) }),
  },
  {
    it: '60 MB of OTLP as protobuf in large records',
    answers: '200 ',
    send: sent({ ...OTLP_PROTOBUF, body: () => otlpProtobuf(LARGE, LARGE_ITEMS) }),
  },
  {
    it: '60 MB of bulk in large documents',
    answers: '200 {"took":0,"errors":false',
    send: sent({ ...BULK, body: () => `{"create":{}}\n{"line":"${LARGE}"}\n`.repeat(LARGE_ITEMS) }),
  },
  {
    it: '60 MB of events',
    answers: '200 {"text":"Success"',
    send: sent({ ...EVENTS, body: () => `{"event":"${LARGE}"}`.repeat(LARGE_ITEMS) }),
  },
  {
    it: '60 MB of raw lines',
    answers: '200 {"text":"Success"',
    send: sent({ ...RAW, body: () => `${LARGE}\n`.repeat(LARGE_ITEMS) }),
  },
  {
    it: '60 MB of streams in large entries',
    answers: '204 ',
    send: sent({ ...LOKI, body: () => streams(`["${NANOSECONDS}","${LARGE}"]`, LARGE_ITEMS) }),
  },
  {
    it: '60 MB of streams in one block of snappy',
    answers: '204 ',
    send: sent({ ...LOKI_PROTOBUF, encoding: '', body: () => literals(lokiProtobuf(LARGE, LARGE_ITEMS)) }),
  },
  {
    it: 'a block of snappy that declares more than a body may have',
    answers: '413 ',
    send: sent({
      ...LOKI_PROTOBUF,
      encoding: '',
      body: () => Buffer.concat([lengthOf(2 ** 32 - 1), Buffer.alloc(MIB)]),
    }),
  },
  {
    it: 'a block of snappy that is 6 MB and stands for 128',
    answers: '413 ',
    send: sent({
      ...LOKI_PROTOBUF,
      encoding: '',
      // One letter, then copies of 64 letters from the letter before.
      body: () =>
        Buffer.concat([
          lengthOf(128 * MIB + 1),
          Buffer.from([0, 120]),
          Buffer.alloc(6 * MIB, Buffer.from([254, 1, 0])),
        ]),
    }),
  },
  {
    it: 'zstd of 2 GB of nothing as OTLP',
    answers: '413 ',
    send: sent({
      ...OTLP,
      encoding: 'zstd',
      body: () => Buffer.concat(Array.from({ length: 128 }, () => zstdCompressSync(Buffer.alloc(16 * MIB)))),
    }),
  },
  {
    it: 'gzip of 2 GB of blanks as bulk',
    answers: '413 ',
    send: sent({
      ...BULK,
      // Members one after another are one stream.
      body: () => repeated(gzipSync(Buffer.alloc(16 * MIB, ' ')), 128),
      isCompressed: true,
    }),
  },
  {
    it: 'a million actions that change documents',
    answers: '200 {"took":0,"errors":true',
    send: sent({ ...BULK, body: () => '{"delete":{}}\n'.repeat(ITEMS) }),
  },
];

/** Very many records: stored ones take seconds. */
export const manyRecords: readonly HostileRequest[] = [
  {
    it: 'a million records of OTLP',
    answers: '200 {}',
    send: sent({ ...OTLP, body: () => logRecords('{"body":{"stringValue":"x"}}', ITEMS) }),
  },
  {
    it: 'a million records of OTLP as protobuf',
    answers: '200 ',
    send: sent({ ...OTLP_PROTOBUF, body: () => otlpProtobuf('x', ITEMS) }),
  },
  {
    it: 'a million documents with the same id',
    answers: '200 {"took":0,"errors":true',
    send: sent({ ...BULK, body: () => '{"create":{"_id":"1"}}\n{"a":1}\n'.repeat(ITEMS) }),
  },
  {
    it: 'documents with long ids',
    answers: '200 {"took":0,"errors":true',
    send: sent({
      ...BULK,
      body: () => Array.from({ length: 3600 }, (_, at) => `{"create":{"_id":"${LONG_ID}${at}"}}\n{"a":1}\n`).join(''),
    }),
  },
  {
    it: 'a million documents with ids of their own',
    answers: '200 {"took":0,"errors":false',
    send: sent({
      ...BULK,
      body: () => Array.from({ length: ITEMS }, (_, at) => `{"create":{"_id":"n${at}"}}\n{"a":1}\n`).join(''),
    }),
  },
  {
    it: 'a million documents with those ids again',
    answers: '200 {"took":0,"errors":true',
    send: sent({
      ...BULK,
      body: () => Array.from({ length: ITEMS }, (_, at) => `{"create":{"_id":"n${at}"}}\n{"a":1}\n`).join(''),
    }),
  },
  {
    it: 'a million events',
    answers: '200 {"text":"Success"',
    send: sent({ ...EVENTS, body: () => '{"event":"x"}'.repeat(ITEMS) }),
  },
  {
    it: 'a million raw lines',
    answers: '200 {"text":"Success"',
    send: sent({ ...RAW, body: () => 'x\n'.repeat(ITEMS) }),
  },
  {
    it: 'half a million raw lines with a parser',
    answers: '200 {"text":"Success"',
    send: sent({ ...RAW, path: `${RAW.path}?parser=key-value`, body: () => 'a=1 b=2\n'.repeat(ITEMS / 2) }),
  },
  {
    it: 'a million entries of a stream',
    answers: '204 ',
    send: sent({ ...LOKI, body: () => streams(`["${NANOSECONDS}","x"]`, ITEMS) }),
  },
  {
    it: 'a million entries of a stream as protobuf',
    answers: '204 ',
    send: sent({ ...LOKI_PROTOBUF, encoding: '', body: () => literals(lokiProtobuf('x', ITEMS)) }),
  },
  {
    it: 'a million entries of no possible time',
    answers: '400 ',
    send: sent({ ...LOKI, body: () => streams('["x","x"]', ITEMS) }),
  },
  {
    it: 'a million entries for a thousand tables',
    answers: '204 ',
    send: sent({
      ...LOKI,
      path: `${LOKI.path}?table=sent`,
      body: () =>
        `{"streams":[${Array.from({ length: 1000 }, (_, at) => `{"stream":{"vigil_table":"t${at}"},"values":[${`["${NANOSECONDS}","x"],`.repeat(999)}["1","x"]]}`).join(',')}]}`,
    }),
  },
];
