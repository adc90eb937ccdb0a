// The requests of each protocol for the conformance suite, and what its clients are told.

import { expect } from 'vitest';
import { PUSH_LIMIT, type Said, type SenderMaker, type SentRecord } from './maker.ts';

const NANOSECONDS = '1709280000000000000';
const SECONDS = 1_709_280_000;
const TOO_LARGE = `request body must be shorter than or equal to ${PUSH_LIMIT} bytes.`;
const JSON_BODY = { 'content-type': 'application/json' };
const ANY_TEXT: unknown = expect.any(String);

const rpc = (status: number, code: number, message: unknown): Said => [status, { code, message }];

const otlp: SenderMaker = {
  name: 'OTLP',
  protocol: 'otlp',
  request: (records) => ({ path: '/v1/logs', headers: JSON_BODY, body: JSON.stringify(exported(records)) }),
  malformed: { path: '/v1/logs', headers: JSON_BODY, body: '{"resourceLogs":[' },
  read: ({ status, json }) => [status, json],
  says: {
    taken: () => [200, {}],
    tooLong: [200, { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'line-too-long' } }],
    malformed: rpc(400, 3, ANY_TEXT),
    oversized: rpc(413, 3, TOO_LARGE),
    noKey: rpc(401, 16, 'invalid api key'),
    wrongKey: rpc(401, 16, 'invalid api key'),
    forbidden: rpc(403, 7, 'no-permission'),
    noTable: rpc(400, 5, 'table not found: absent'),
    readOnly: rpc(403, 7, 'no-permission'),
    busy: rpc(429, 8, 'too many requests'),
    noSpace: rpc(503, 14, 'no space left: main'),
    laterFails: [200, { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'not-kept' } }],
  },
  keepsOtherTables: false,
};

const exported = (records: readonly SentRecord[]) => ({
  resourceLogs: records.map(({ line, table }) => ({
    resource: { attributes: table === undefined ? [] : [{ key: 'vigil.table', value: { stringValue: table } }] },
    scopeLogs: [{ logRecords: [{ timeUnixNano: NANOSECONDS, body: { stringValue: line } }] }],
  })),
});

const elastic = (status: number, type: string, reason: unknown): Said => [
  status,
  { error: { type, reason, root_cause: [{ type, reason }] }, status },
];
const CREATED = [201, undefined];

const elasticsearch: SenderMaker = {
  name: 'Elasticsearch bulk',
  protocol: 'elasticsearch',
  request: (records) => ({
    path: '/_bulk',
    headers: { 'content-type': 'application/x-ndjson' },
    body: records.map(bulkLines).join(''),
  }),
  malformed: { path: '/_bulk', headers: { 'content-type': 'application/x-ndjson' }, body: '{"create":\n{}\n' },
  read({ status, json }) {
    if (json.items === undefined) return [status, json];
    return [status, json.items.map(({ create }: { create: BulkItem }) => [create.status, create.error?.type])];
  },
  says: {
    taken: (records) => [200, Array.from({ length: records }, () => CREATED)],
    tooLong: [200, [CREATED, [400, 'document_parsing_exception'], CREATED]],
    malformed: elastic(400, 'illegal_argument_exception', ANY_TEXT),
    oversized: elastic(413, 'content_too_long_exception', TOO_LARGE),
    noKey: elastic(401, 'security_exception', 'invalid api key'),
    wrongKey: elastic(401, 'security_exception', 'invalid api key'),
    forbidden: elastic(403, 'security_exception', 'no-permission'),
    noTable: [200, [CREATED, [404, 'index_not_found_exception']]],
    readOnly: [200, [CREATED, [403, 'security_exception']]],
    busy: elastic(429, 'es_rejected_execution_exception', 'too many requests'),
    noSpace: [200, [[429, 'es_rejected_execution_exception']]],
    laterFails: [200, [CREATED, [429, 'es_rejected_execution_exception']]],
  },
  keepsOtherTables: true,
};

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type: string };
}

const bulkLines = ({ line, table }: SentRecord) =>
  `${JSON.stringify({ create: { _index: table ?? '' } })}\n${JSON.stringify({ '@timestamp': SECONDS * 1000, line })}\n`;

const hec = (status: number, code: number, text: string, more = {}): Said => [status, { text, code, ...more }];

const splunk: SenderMaker = {
  name: 'Splunk HEC',
  protocol: 'splunk',
  request: (records) => ({
    path: '/services/collector/event',
    headers: {},
    body: records.map(({ line, table }) => JSON.stringify({ time: SECONDS, event: line, index: table })).join(''),
  }),
  malformed: { path: '/services/collector/event', headers: {}, body: 'nothing' },
  read: ({ status, json }) => [status, json],
  says: {
    taken: () => hec(200, 0, 'Success'),
    tooLong: hec(400, 6, 'Invalid data format', { 'invalid-event-number': 1 }),
    malformed: hec(400, 6, 'Invalid data format', { 'invalid-event-number': 0 }),
    oversized: hec(413, 6, 'Invalid data format'),
    noKey: hec(401, 2, 'Token is required'),
    wrongKey: hec(403, 4, 'Invalid token'),
    forbidden: hec(403, 1, 'Token disabled'),
    noTable: hec(400, 7, 'Incorrect index', { 'invalid-event-number': 1 }),
    readOnly: hec(403, 1, 'Token disabled'),
    busy: hec(503, 9, 'Server is busy'),
    noSpace: hec(503, 9, 'Server is busy'),
    // A success would say that both are stored: the client sends both again.
    laterFails: hec(503, 9, 'Server is busy'),
  },
  keepsOtherTables: true,
};

const loki: SenderMaker = {
  name: 'Loki push',
  protocol: 'loki',
  request: (records) => ({
    path: '/loki/api/v1/push',
    headers: JSON_BODY,
    body: JSON.stringify({ streams: records.map(lokiStream) }),
  }),
  malformed: { path: '/loki/api/v1/push', headers: JSON_BODY, body: '{"streams":' },
  read: ({ status, text, headers }) => [status, text.trim() || headers.get('x-vigil-rejected')],
  says: {
    taken: () => [204, null],
    tooLong: [204, '1'],
    malformed: [400, ANY_TEXT],
    oversized: [413, TOO_LARGE],
    noKey: [401, 'invalid api key'],
    wrongKey: [401, 'invalid api key'],
    forbidden: [403, 'no-permission'],
    noTable: [400, 'table not found: absent'],
    readOnly: [403, 'no-permission'],
    busy: [429, 'too many requests'],
    noSpace: [503, 'no space left: main'],
    laterFails: [204, '1'],
  },
  keepsOtherTables: false,
};

const lokiStream = ({ line, table }: SentRecord) => ({
  stream: table === undefined ? { app: 'x' } : { app: 'x', vigil_table: table },
  values: [[NANOSECONDS, line]],
});

export const makers: readonly SenderMaker[] = [otlp, elasticsearch, splunk, loki];
