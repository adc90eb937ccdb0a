// Answers in the form of Elasticsearch: its header, the content type that the client asks for, its errors.

import type { ApiError } from '#contract/errors.ts';
import { arrayOf, int32, record, string } from '#operations/answers/shapes.ts';
import { Answer, type RequestHead } from '#operations/endpoint.ts';
import { retryHeaders } from '#senders/retry.ts';
import { type Category, categoryOf } from '#senders/sender-error.ts';

const VENDOR_TYPE = 'application/vnd.elasticsearch+json';

export const PRODUCT = { 'x-elastic-product': 'Elasticsearch' };

export const errorCause = record('ElasticsearchErrorCause', {
  type: string('Kind of the error.', 'illegal_argument_exception'),
  reason: string('Text of the error.', 'malformed request body'),
});

export const errorAnswer = record('ElasticsearchError', {
  error: record({
    type: string('Kind of the error.', 'illegal_argument_exception'),
    reason: string('Text of the error.', 'malformed request body'),
    root_cause: arrayOf(errorCause)('The same error, as a list.'),
  })('The error.'),
  status: int32('Status of the answer.', 400),
});

export const elasticAnswer = <T extends object>(
  body: Answer<T>['body'],
  accept: string,
  { status, headers = {} }: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): Answer<T> =>
  new Answer<T>(bytesOf(body), {
    ...(status === undefined ? {} : { status }),
    headers: { ...PRODUCT, 'content-type': typeFor(accept), ...headers },
  });

/** As bytes: to text of its own types the server would add a charset, which clients of Elasticsearch did not ask for. */
function bytesOf<T extends object>(body: Answer<T>['body']): Answer<T>['body'] {
  if (typeof body === 'string') return Buffer.from(body);
  const isSent = body instanceof Uint8Array || Symbol.asyncIterator in body;
  return isSent ? body : Buffer.from(JSON.stringify(body));
}

export const elasticError = (
  { status, type, reason }: { status: number; type: string; reason: string },
  accept: string,
  headers: Readonly<Record<string, string>> = {},
): Answer<object> =>
  elasticAnswer({ error: { type, reason, root_cause: [{ type, reason }] }, status }, accept, { status, headers });

const REFUSALS: Readonly<Record<Category, readonly [status: number, type: string]>> = {
  invalid: [400, 'illegal_argument_exception'],
  'no-table': [404, 'index_not_found_exception'],
  unauthorized: [401, 'security_exception'],
  forbidden: [403, 'security_exception'],
  absent: [404, 'resource_not_found_exception'],
  'too-large': [413, 'content_too_long_exception'],
  unsupported: [415, 'illegal_argument_exception'],
  busy: [429, 'es_rejected_execution_exception'],
  unavailable: [503, 'unavailable'],
  defect: [500, 'exception'],
};

export function refuseElastic(error: ApiError, { headers }: RequestHead): Answer<object> {
  const category = categoryOf(error);
  const [status, type] = REFUSALS[category];
  const isPassing = category === 'busy' || category === 'unavailable';
  const further = isPassing ? retryHeaders(error) : {};
  return elasticError({ status, type, reason: error.message }, String(headers.accept ?? ''), further);
}

/** Whatever version the client names: it only checks that it gets it back. */
function typeFor(accept: string): string {
  const vendor = accept.split(',').find((one) => one.trim().toLowerCase().startsWith(VENDOR_TYPE));
  const version = /;\s*compatible-with=(\d{1,3})\b/i.exec(vendor ?? '')?.[1];
  if (vendor === undefined) return 'application/json';
  return version === undefined ? VENDOR_TYPE : `${VENDOR_TYPE};compatible-with=${version}`;
}
