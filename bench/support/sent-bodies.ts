// The records of a log as bodies of the protocols that senders speak, and as those of a plain push.

import SnappyJS from 'snappyjs';
import { lokiBytes, otlpBytes } from '#test/support/protobuf-messages.ts';

type LogRecord = Readonly<Record<string, unknown>> & { readonly _time: number };

/** How a protocol is spoken. */
export interface Spoken {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(records: readonly LogRecord[]): Buffer;
  /** Throws unless the answer says that all are kept. */
  requireKept(status: number, answer: Buffer): void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };

export const PLAIN: Spoken = {
  name: 'plain push',
  path: '',
  headers: { 'content-type': 'application/x-ndjson' },
  body: (records) => Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  requireKept: (status, answer) => requireAnswer(status === 200 && answer.includes('"rejected_count":0'), answer),
};

export const PROTOCOLS: readonly Spoken[] = [
  {
    name: 'OTLP protobuf',
    path: '/v1/logs',
    headers: PROTOBUF_TYPE,
    body: (records) => otlpBytes(otlpMessage(records)),
    requireKept: (status, answer) => requireAnswer(status === 200 && answer.length === 0, answer),
  },
  {
    name: 'OTLP JSON',
    path: '/v1/logs',
    headers: JSON_TYPE,
    body: (records) => Buffer.from(JSON.stringify(otlpMessage(records))),
    requireKept: (status, answer) => requireAnswer(status === 200 && String(answer) === '{}', answer),
  },
  {
    name: 'Elasticsearch bulk',
    path: '/_bulk',
    headers: { 'content-type': 'application/x-ndjson' },
    body: (records) => Buffer.from(records.map((record) => `{"create":{}}\n${document(record)}\n`).join('')),
    requireKept: (status, answer) => requireAnswer(status === 200 && answer.includes('"errors":false'), answer),
  },
  {
    name: 'Splunk HEC',
    path: '/services/collector/event',
    headers: JSON_TYPE,
    body: (records) =>
      Buffer.from(records.map(({ _time, ...event }) => `${JSON.stringify({ time: _time / 1000, event })}\n`).join('')),
    requireKept: (status, answer) => requireAnswer(status === 200 && answer.includes('"code":0'), answer),
  },
  {
    name: 'Loki protobuf',
    path: '/loki/api/v1/push',
    headers: PROTOBUF_TYPE,
    body: (records) => Buffer.from(SnappyJS.compress(lokiBytes(lokiMessage(records)))),
    requireKept: (status, answer) => requireAnswer(status === 204, answer),
  },
];

function requireAnswer(isKept: boolean, answer: Buffer): void {
  if (!isKept) throw new Error(`not all records were kept: ${answer.toString('utf8', 0, 300)}`);
}

const document = ({ _time, ...fields }: LogRecord): string =>
  JSON.stringify({ '@timestamp': new Date(_time).toISOString(), ...fields });

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const otlpMessage = (records: readonly LogRecord[]): object => ({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeLogs: [
        {
          logRecords: records.map(({ _time, ...fields }) => ({
            timeUnixNano: `${_time}000000`,
            attributes: Object.entries(fields).map(([key, value]) => ({ key, value: anyValue(value) })),
          })),
        },
      ],
    },
  ],
});

const lokiMessage = (records: readonly LogRecord[]): object => ({
  streams: [
    {
      labels: '{app="shop",level="info"}',
      entries: records.map(({ _time, ...fields }) => ({
        timestamp: { seconds: Math.floor(_time / 1000), nanos: (_time % 1000) * 1e6 },
        line: JSON.stringify(fields),
      })),
    },
  ],
});
