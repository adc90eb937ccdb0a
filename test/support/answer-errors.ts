// What is wrong with the answer to a request, by the declaration of its operation.

import { standingErrors } from '#docs/openapi/standing-errors.ts';
import { type AnyEndpoint, isOwn } from '#operations/endpoint.ts';
import type { JsonSchema } from '#operations/params/params.ts';
import { schemaErrors } from './schema-errors.ts';

export interface HeardAnswer {
  readonly method: string;
  /** As it was sent, with its query string. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const ERROR = {
  type: 'object',
  properties: { error_code: { type: 'string' }, error_msg: { type: 'string' } },
  required: ['error_code', 'error_msg'],
};

export function answerErrors(answer: HeardAnswer, endpoints: readonly AnyEndpoint[]): string[] {
  const endpoint = endpointOf(answer, endpoints);
  const errors = endpoint ? ofOperation(answer, endpoint) : ofNone(answer);
  const { method, url, status, text } = answer;
  return errors.map((error) => `${method} ${url.slice(0, 200)} ${status}: ${error} in ${text.slice(0, 300)}`);
}

function ofOperation(answer: HeardAnswer, endpoint: AnyEndpoint): string[] {
  const { answerStatus = 200, otherStatuses = [], answerType } = endpoint;
  if (answer.status === answerStatus || otherStatuses.includes(answer.status)) {
    // Rows, event streams and pages are not JSON as a whole.
    if (answerType !== undefined || answer.status === 204) return [];
    return schemaErrors(parsed(answer), endpoint.answer.schema);
  }
  if (answer.status < 400) return ['is a status that the operation does not declare'];
  return [...ofError(answer, endpoint.refusals?.shape.schema), ...ofStatus(answer, endpoint)];
}

/** The service's own operations have the standing refusals alone; of any other operation further ones may come. */
function ofStatus({ status }: HeardAnswer, endpoint: AnyEndpoint): string[] {
  const standing = standingErrors().filter(({ appliesTo }) => appliesTo(endpoint));
  const isKnown = !isOwn(endpoint) || standing.some(({ example }) => example.status === status);
  return isKnown ? [] : ['is an error that the operation does not declare'];
}

const ofNone = (answer: HeardAnswer) =>
  answer.status < 400 ? ['is a success of an operation that does not exist'] : ofError(answer);

const ofError = (answer: HeardAnswer, schema: JsonSchema = ERROR) => schemaErrors(parsed(answer), schema);

const parsed = ({ text }: HeardAnswer): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The one with the fewest parameters in its path, of those that fit. */
function endpointOf({ method, url }: HeardAnswer, endpoints: readonly AnyEndpoint[]): AnyEndpoint | undefined {
  const parts = (url.split('?')[0] ?? '').split('/');
  const fitting = endpoints.filter((endpoint) => endpoint.method === method && fits(endpoint.path.split('/'), parts));
  return fitting.toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0];
}

const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length && pattern.every((part, at) => part.startsWith(':') || part === decoded(parts[at]));

function decoded(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
