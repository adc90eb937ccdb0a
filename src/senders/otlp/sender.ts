// OTLP/HTTP logs: the exporters of OpenTelemetry and its collector. They send again after 429 and 503 and drop their records
// after any other error, so that every fault that may pass is one of the two.

import type { ApiError } from '#contract/errors.ts';
import { int32, optional, record, string } from '#operations/answers/shapes.ts';
import { Answer, endpoint, type RequestHead } from '#operations/endpoint.ts';
import { mediaTypeOf } from '#operations/requests/body-params.ts';
import { retryHeaders } from '#senders/retry.ts';
import type { Outcome, Sender } from '#senders/sender.ts';
import { type Category, categoryOf } from '#senders/sender-error.ts';
import { decodeOtlp } from './decode.ts';
import { bytesField, integerField } from './protobuf-writer.ts';

const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const exportAnswer = record({
  partialSuccess: optional(
    record({
      rejectedLogRecords: string('Number of rejected records, as text.', '1'),
      errorMessage: string('Reason of the first one.', 'invalid-time'),
    })('Present where some records were rejected.'),
  ),
});

const status = record('OtlpStatus', {
  code: int32('Code of google.rpc.', 3),
  message: string('Text of the error.', 'malformed request body'),
});

/** Status of HTTP and code of google.rpc. */
const REFUSALS: Readonly<Record<Category, readonly [status: number, code: number]>> = {
  invalid: [400, 3],
  'no-table': [400, 5],
  unauthorized: [401, 16],
  forbidden: [403, 7],
  absent: [404, 12],
  'too-large': [413, 3],
  unsupported: [415, 3],
  busy: [429, 8],
  unavailable: [503, 14],
  defect: [500, 13],
};

export const otlp: Sender<undefined> = {
  name: 'otlp',
  routes: [
    {
      name: 'logs',
      title: 'Export logs (OTLP)',
      notes:
        'ExportLogsServiceRequest of OTLP/HTTP, as JSON or protobuf, answered in the same content type. The resource ' +
        'attribute `vigil.table` names the table, else `service.name` where a pattern of the setting `senders-map` ' +
        'fits it. Errors are a google.rpc.Status.',
      method: 'POST',
      path: '/v1/logs',
      params: {},
      answer: exportAnswer,
      furtherTypes: [PROTOBUF],
    },
  ],
  probes: (['traces', 'metrics'] as const).map((signal) =>
    endpoint({
      title: `Export ${signal} (OTLP)`,
      notes: 'Not offered: always 404, so that an exporter does not try again.',
      method: 'POST',
      path: `/v1/${signal}`,
      protocol: 'otlp',
      access: 'none',
      params: {},
      answer: status,
      refusals: { shape: status, of: refuse },
      appliesTo: () => false,
      run: async (_input, _needs: object) => ({ code: 0, message: '' }),
    }),
  ),
  types: [JSON_TYPE, PROTOBUF],
  sample:
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1709280000000000000","body":{"stringValue":"hello"}}]}]}]}',
  rejectsTables: 'request',
  reportsFaults: 'rest',
  refusals: { shape: status, of: refuse },
  decode: decodeOtlp,
  answer,
};

function answer({ request, fates }: Outcome): Answer<object> {
  const { rejected, firstRejected } = fates;
  const reason = firstRejected === undefined ? '' : fates.of(firstRejected);
  if (request.type === PROTOBUF) {
    const partial = Buffer.concat([integerField(1, rejected), bytesField(2, reason)]);
    return new Answer(bytesField(1, partial), { headers: { 'content-type': PROTOBUF } });
  }
  const partialSuccess = { rejectedLogRecords: String(rejected), errorMessage: reason };
  return new Answer(rejected === 0 ? {} : { partialSuccess }, { headers: { 'content-type': JSON_TYPE } });
}

function refuse(error: ApiError, { headers }: RequestHead): Answer<object> {
  const category = categoryOf(error);
  const [status, code] = REFUSALS[category];
  const isPassing = category === 'busy' || category === 'unavailable';
  const further = isPassing ? retryHeaders(error) : {};
  if (mediaTypeOf(headers) === PROTOBUF) {
    const body = Buffer.concat([integerField(1, code), bytesField(2, error.message)]);
    return new Answer(body, { status, headers: { 'content-type': PROTOBUF, ...further } });
  }
  return new Answer({ code, message: error.message }, { status, headers: { 'content-type': JSON_TYPE, ...further } });
}
