// What a failed upload means to the reader: an answer of the service, or none.

import { DetailedError } from 'tus-js-client';
import { ServiceError, Unreachable } from '#console/client/service-error.ts';

/** These pass by themselves; every other answer is final. */
const PASSING = [409, 423, 429, 503];

export const isPassing = ({ originalResponse }: DetailedError): boolean =>
  originalResponse === null || PASSING.includes(originalResponse.getStatus());

export function readableError(error: unknown): unknown {
  if (!(error instanceof DetailedError)) return error;
  const { originalResponse: answer } = error;
  if (!answer) return new Unreachable('no answer', { cause: error });
  const requestId = answer.getHeader('x-request-id') ?? '';
  return new ServiceError(answer.getStatus(), requestId, bodyOf(answer.getBody(), answer.getStatus()));
}

function bodyOf(text: string, status: number): { error_code: string; error_msg: string } {
  const fallback = { error_code: 'unavailable', error_msg: `HTTP ${status}` };
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return fallback;
    return { ...fallback, ...body };
  } catch {
    // A proxy in front of the service answers with a page of its own.
    return fallback;
  }
}
