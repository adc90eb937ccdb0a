// The one client of the console: calls of the published operations, with the types of their declarations and the cookie of the
// session.

import type { AnswerFor, JsonOperation, OperationName, ParamsArgument, RequestFor } from '#client/call.ts';
import { plainRequest } from '#client/plain-request.ts';
import { beginRequest } from './connection.ts';
import { errorOf, ServiceError, Unreachable } from './service-error.ts';
import { endSession } from './session.ts';

/** Of requests that the console repeats by itself: they do not keep a session alive. */
const REFRESH = { 'x-vigil-refresh': 'true' };

export interface CallOptions {
  /** True for a request that was not caused by an action of the reader. */
  readonly isRefresh?: boolean;
  readonly signal?: AbortSignal;
  /** A body that is sent as it is; all parameters then stand in the address. */
  readonly content?: Content;
}

interface Content {
  readonly type: string;
  readonly body: string | Blob;
}

/** Resolves to the answer of an operation; rejects with a ServiceError or an Unreachable. */
export const call = async <O extends JsonOperation>(operation: O, ...[params]: ParamsArgument<O>) =>
  await callWith({}, operation, params);

export async function callWith<O extends JsonOperation>(
  options: CallOptions,
  operation: O,
  params?: RequestFor<O>,
): Promise<AnswerFor<O>> {
  const answer = await ask(operation, params, options);
  return (await answer.json()) as AnswerFor<O>; // The tests of the service hold its answers to their declarations.
}

/** The answer as it comes: rows, lines, files. */
export async function ask<O extends OperationName>(
  operation: O,
  params?: RequestFor<O>,
  { isRefresh = false, signal, content }: CallOptions = {},
): Promise<Response> {
  const { method, path, type, body } = requestOf(operation, params, content);
  const answer = await reach(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...(isRefresh ? REFRESH : {}) },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    redirect: 'error',
  });
  if (answer.ok) return answer;
  const error = await errorOf(answer);
  if (error instanceof ServiceError && error.status === 401 && operation !== 'POST /api/core/sessions') endSession();
  throw error;
}

function requestOf<O extends OperationName>(
  operation: O,
  params: RequestFor<O> | undefined,
  content: Content | undefined,
) {
  if (!content) return { ...plainRequest(operation, params), type: 'application/json' };
  const [method = '', pattern = ''] = operation.split(' ');
  const { path } = plainRequest(`GET ${pattern}`, params);
  return { method, path, ...content };
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  const { report } = beginRequest();
  try {
    const answer = await fetch(path, request);
    report('online');
    return answer;
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    report('offline');
    throw new Unreachable('no answer', { cause });
  }
}
