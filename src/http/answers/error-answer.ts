// The answer to a failed request, and its audit entry. Errors of the framework are translated into the contract's.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, databaseUnreachable, internalError, noSpaceLeft, unsupportedContent } from '#contract/errors.ts';
import { isCutOff, lastAnswer } from '#http/connections/refused-connection.ts';
import type { ServerDeps } from '#http/server.ts';
import { Answer, JSON_TYPE, type Refusals } from '#operations/endpoint.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';

export async function answerError(
  deps: Pick<ServerDeps, 'observer' | 'clock'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  refusals?: Refusals,
) {
  const refusal = refusalOf(error, request);
  request.call?.clientDisconnected();
  if (refusal.kind === 'internalError') deps.observer.defect(error, request.id);
  await request.call?.recordFailure(refusal).catch((failure) => {
    // The store has reported this failure itself.
    if (!isOutOfSpace(failure) && !(failure instanceof StoreUnreachable)) deps.observer.defect(failure, request.id);
  });
  const { method, url, headers } = request;
  const answer = refusals?.of(refusal, { method, url, headers }) ?? new Answer(refusal.body);
  const { status = refusal.status, body } = answer;
  reply.code(status).headers({ 'content-type': JSON_TYPE, ...refusal.headers, ...answer.headers });
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  if (refusal.headers.connection !== 'close' && !isCutOff(request.raw, reply.raw)) return reply.send(text);
  reply.header('content-length', Buffer.byteLength(text));
  return reply.send(lastAnswer(text, request.raw, deps.clock));
}

/** Errors of Fastify itself, in the contract's words. */
function refusalOf(error: unknown, { headers, id }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutOfSpace(error)) return noSpaceLeft('metadata');
  if (error instanceof StoreUnreachable) return databaseUnreachable();
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedContent(headers['content-type'] ?? '');
  return internalError(id);
}
