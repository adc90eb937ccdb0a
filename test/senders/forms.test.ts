// Requests in the form in which programs send them that no test runs: Vector, Fluent Bit, Logstash, Filebeat, Promtail, Alloy and the log
// drivers of Docker. Probes, paths, headers, encodings and members as their
// documents describe them; none was captured from the program itself.

import { gzipSync } from 'node:zlib';
import SnappyJS from 'snappyjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { SENDER_NAMES } from '#senders/names.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { lokiBytes } from '#test/support/protobuf-messages.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const SECONDS = 1709280000;
const TIME = '2024-03-01 08:00:00+0000';
const ISO = '2024-03-01T08:00:00.000Z';
const BASIC = { authorization: `Basic ${Buffer.from(`vigil:${MASTER_KEY}`).toString('base64')}` };
const BEARER = { authorization: `Bearer ${MASTER_KEY}` };
const SPLUNK = { authorization: `Splunk ${MASTER_KEY}` };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const JSON_BODY = { 'content-type': 'application/json' };

interface Form {
  readonly client: string;
  /** Asked before anything is sent, and its status. */
  readonly probes?: readonly (readonly [method: string, path: string, status: number])[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lines: readonly unknown[];
  /** Between the lines; behind each of them by default. */
  readonly join?: string;
  readonly isGzip?: true;
  readonly body?: Buffer;
  readonly answer: unknown;
  readonly record: object;
}

const created = { create: expect.objectContaining({ _index: 'web', status: 201, result: 'created' }) };
const bulk = { took: expect.any(Number), errors: false, items: [created] };
const success = { text: 'Success', code: 0 };
const stream = { app: 'shop', vigil_table: 'web' };
const pushed = {
  streams: [
    {
      labels: '{app="shop", filename="/var/log/app.log", vigil_table="web"}',
      entries: [{ timestamp: { seconds: SECONDS, nanos: 0 }, line: 'hello' }],
    },
  ],
};

const forms: readonly Form[] = [
  {
    client: "Vector's sink http",
    path: '/api/core/tables/web/logs',
    headers: { ...BEARER, ...NDJSON, 'user-agent': 'Vector/0.50.0' },
    lines: [{ host: 'web01', message: 'hello', source_type: 'file', timestamp: ISO, _time: SECONDS * 1000 }],
    isGzip: true,
    answer: { accepted: 1, rejected: [], rejected_count: 0 },
    record: { host: 'web01', message: 'hello', source_type: 'file', timestamp: ISO },
  },
  {
    client: "Fluent Bit's output http",
    path: '/api/core/tables/web/logs',
    headers: { ...BEARER, ...NDJSON, 'user-agent': 'Fluent-Bit' },
    lines: [{ _time: SECONDS * 1000, log: 'hello', stream: 'stdout' }],
    isGzip: true,
    answer: { accepted: 1, rejected: [], rejected_count: 0 },
    record: { log: 'hello', stream: 'stdout' },
  },
  {
    client: "Vector's sink elasticsearch",
    probes: [['GET', '/_cluster/health', 200]],
    path: '/_bulk?timeout=60s',
    headers: { ...BASIC, ...NDJSON, 'user-agent': 'Vector/0.50.0' },
    lines: [{ create: { _index: 'web' } }, { host: 'web01', message: 'hello', '@timestamp': ISO }],
    isGzip: true,
    answer: bulk,
    record: { host: 'web01', message: 'hello' },
  },
  {
    client: "Fluent Bit's output es",
    path: '/_bulk',
    headers: { ...BASIC, ...NDJSON, 'user-agent': 'Fluent-Bit' },
    lines: [
      { create: { _index: 'web', _id: '7f1a' } },
      { '@timestamp': '2024-03-01T08:00:00.000000000Z', log: 'hello' },
    ],
    answer: bulk,
    record: { doc_id: '7f1a', log: 'hello' },
  },
  {
    client: "Logstash's output elasticsearch",
    probes: [
      ['HEAD', '/', 200],
      ['GET', '/_license', 200],
      ['GET', '/', 200],
    ],
    path: '/_bulk?filter_path=errors,items.*.error,items.*.status',
    headers: { ...BASIC, ...JSON_BODY, 'x-elastic-product-origin': 'logstash-output-elasticsearch' },
    lines: [
      { create: { _id: null, _index: 'web', routing: null } },
      { '@timestamp': ISO, '@version': '1', event: { original: 'hello' }, message: 'hello' },
    ],
    isGzip: true,
    answer: bulk,
    record: { '@version': '1', event: { original: 'hello' }, message: 'hello' },
  },
  {
    client: "Filebeat's output elasticsearch",
    probes: [
      ['GET', '/', 200],
      ['GET', '/_license?human=false', 200],
    ],
    path: '/_bulk',
    headers: {
      authorization: `ApiKey ${Buffer.from(`vigil:${MASTER_KEY}`).toString('base64')}`,
      'content-type': 'application/vnd.elasticsearch+json; compatible-with=8',
      accept: 'application/vnd.elasticsearch+json; compatible-with=8',
    },
    lines: [{ create: { _index: 'web' } }, { '@timestamp': ISO, message: 'hello', log: { offset: 0 } }],
    answer: bulk,
    record: { message: 'hello', log: { offset: 0 } },
  },
  {
    client: "Docker's driver splunk",
    probes: [['OPTIONS', '/services/collector/event/1.0', 200]],
    path: '/services/collector/event/1.0',
    headers: { ...SPLUNK, ...JSON_BODY },
    lines: [
      {
        event: { line: 'hello', source: 'stdout', tag: '0123456789ab' },
        time: `${SECONDS}.000000`,
        host: 'web01',
        index: 'web',
      },
    ],
    join: '',
    isGzip: true,
    answer: success,
    record: { line: 'hello', source: 'stdout', tag: '0123456789ab', host: 'web01' },
  },
  {
    client: "Fluent Bit's output splunk",
    path: '/services/collector/event',
    headers: { ...SPLUNK, ...JSON_BODY, 'user-agent': 'Fluent-Bit' },
    lines: [{ time: SECONDS + 0.0, index: 'web', event: { log: 'hello' } }],
    join: '',
    answer: success,
    record: { log: 'hello' },
  },
  {
    client: "Vector's sink splunk_hec_logs",
    probes: [['GET', '/services/collector/health/1.0', 200]],
    path: '/services/collector/event',
    headers: { ...SPLUNK, ...JSON_BODY, 'x-splunk-request-channel': '11111111-2222-3333-4444-555555555555' },
    lines: [{ event: { message: 'hello' }, fields: {}, time: SECONDS, host: 'web01', index: 'web' }],
    answer: { ...success, ackId: 0 },
    record: { message: 'hello', host: 'web01' },
  },
  {
    client: "Promtail, Alloy and Docker's plugin for Loki",
    path: '/loki/api/v1/push',
    headers: {
      ...BEARER,
      'content-type': 'application/x-protobuf',
      'user-agent': 'promtail/3.5',
      'x-scope-orgid': 'x',
    },
    lines: [],
    body: Buffer.from(SnappyJS.compress(lokiBytes(pushed))),
    answer: undefined,
    record: { app: 'shop', filename: '/var/log/app.log', line: 'hello' },
  },
  {
    client: "Fluent Bit's output loki",
    path: '/loki/api/v1/push',
    headers: { ...BEARER, ...JSON_BODY, 'user-agent': 'Fluent-Bit' },
    lines: [{ streams: [{ stream, values: [[`${SECONDS}000000000`, '{"log":"hello"}']] }] }],
    join: '',
    answer: undefined,
    record: { app: 'shop', line: '{"log":"hello"}' },
  },
];

describe('A request in the form of', () => {
  const subject = serviceFor({ flags: { senders: SENDER_NAMES.join(',') } });

  beforeAll(async () => {
    await subject.call('POST', '/api/core/tables', { form: { table: 'web' } });
  });

  it.each(forms)(
    '$client is taken',
    async ({ probes = [], path, headers, lines, join = '\n', isGzip, ...expected }) => {
      for (const [method, probe, status] of probes) {
        const { authorization = '' } = headers;
        const reply = await subject.call(method, probe, { key: null, headers: { authorization } });
        expect([probe, reply.status]).toEqual([probe, status]);
      }
      const text = expected.body ?? Buffer.from(lines.map((line) => `${JSON.stringify(line)}${join}`).join(''));
      const body = isGzip ? gzipSync(text) : text;
      const encoding = isGzip ? { 'content-encoding': 'gzip' } : {};
      const before = (await rowsOf(subject, 'table order=asc web')).length;
      const reply = await subject.call('POST', path, { key: null, body, headers: { ...headers, ...encoding } });
      const answer = reply.text === '' ? undefined : JSON.parse(reply.text);
      expect([reply.status, answer]).toEqual([expected.answer === undefined ? 204 : 200, expected.answer]);
      const rows = (await rowsOf(subject, 'table order=asc web')).slice(before);
      expect(rows.map((row) => row._time)).toEqual([TIME]);
      expect(sent(rows[0])).toMatchObject(expected.record);
    },
  );
});
