// Errors of calls: an answer of the service, or none.

import { type ErrorBody, errorBodyOf } from '#client/error-body.ts';

/** The service has answered with an error. `details` are fields of the answer beside code and message. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, requestId: string, { error_code, error_msg, ...details }: ErrorBody) {
    super(error_msg);
    this.status = status;
    this.code = error_code;
    this.requestId = requestId;
    this.details = details;
  }
}

/** No answer: the connection is lost, or the service does not run. */
export class Unreachable extends Error {}

export async function errorOf(answer: Response): Promise<Error> {
  const requestId = answer.headers.get('x-request-id') ?? '';
  const body = errorBodyOf(await answer.json().catch(() => undefined));
  if (body) return new ServiceError(answer.status, requestId, body);
  // A proxy in front of the service answers with a page of its own.
  return new ServiceError(answer.status, requestId, { error_code: 'unavailable', error_msg: `HTTP ${answer.status}` });
}
