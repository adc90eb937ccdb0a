// Errors that any operation of a kind can answer: when each occurs, with an example made by the error functions
// themselves.

import * as refuse from '#contract/errors.ts';
import { type AnyEndpoint, isOwn, isReading } from '#operations/endpoint.ts';

export interface StandingError {
  readonly when: string;
  /** Also determines status, code and headers. */
  readonly example: refuse.ApiError;
  appliesTo(endpoint: AnyEndpoint): boolean;
}

export const standingErrors = (): StandingError[] => [
  { when: 'A required parameter is missing.', example: refuse.missing('name'), appliesTo: takesParameters },
  { when: 'A parameter is not of its type.', example: refuse.notGuid('guid'), appliesTo: takesParameters },
  {
    when: 'A parameter breaks another rule, or the request is malformed.',
    example: refuse.tooLong('name', 255),
    appliesTo: takesParameters,
  },
  {
    when: 'No key or session was sent, or it is not valid here and now.',
    example: refuse.unauthorized(),
    appliesTo: needsKey,
  },
  { when: 'The body does not arrive in time.', example: refuse.bodyTooLate(), appliesTo: takesBody },
  { when: 'The body is too large.', example: refuse.bodyTooLarge(16 * 1024 * 1024), appliesTo: takesBody },
  {
    when: 'The body is neither a form nor JSON, or not of a type that the operation names.',
    example: refuse.unsupportedContent('text/plain'),
    appliesTo: takesBody,
  },
  {
    when: 'The name of the host is not among those that the setting `allowed-hosts` names.',
    example: refuse.unknownHost('vigil.example'),
    appliesTo: takesParameters,
  },
  {
    when: 'Too many requests of this account, too many refused ones from this address, or no room for the body.',
    example: refuse.tooManyRequests(60),
    appliesTo: (endpoint) => needsKey(endpoint) || takesBody(endpoint),
  },
  {
    when: 'Permission is missing, an object does not exist, or the state of things forbids it.',
    example: refuse.noPermission(),
    appliesTo: takesParameters,
  },
  {
    when: 'A defect; the service log says more under the same id.',
    example: refuse.internalError('1f6b2c3d-7'),
    appliesTo: () => true,
  },
  {
    when: 'The node stands by, and another one keeps the logs.',
    example: refuse.standingBy('node1'),
    appliesTo: dependsOnState,
  },
  { when: 'The service is starting or stopping.', example: refuse.unavailable('starting'), appliesTo: dependsOnState },
  {
    when: 'The metadata database does not answer. A change of which nobody can say whether it was written is answered so, too.',
    example: refuse.databaseUnreachable(),
    appliesTo: dependsOnState,
  },
  {
    when: 'A server of the log store on ClickHouse does not answer, or not in time.',
    example: refuse.logStoreUnreachable('ch1.example.com:8443'),
    appliesTo: dependsOnState,
  },
];

/** The service's own operations take no parameters and answer in every state of the service. */
export function takesParameters(endpoint: AnyEndpoint): boolean {
  return !isOwn(endpoint);
}

export function needsKey({ access }: AnyEndpoint): boolean {
  return access !== 'none' && access !== 'token';
}

function takesBody({ method }: AnyEndpoint): boolean {
  return !isReading(method);
}

function dependsOnState(endpoint: AnyEndpoint): boolean {
  return takesParameters(endpoint) || needsKey(endpoint);
}
