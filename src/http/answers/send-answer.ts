// The answer of an operation as it leaves: its status, headers and body.

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answer, type AnyEndpoint, JSON_TYPE } from '#operations/endpoint.ts';
import { isKnownTag } from './known-tag.ts';

interface Answered {
  readonly endpoint: AnyEndpoint;
  readonly answer: object;
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, { endpoint, answer }: Answered): FastifyReply {
  const {
    body,
    status = endpoint.answerStatus ?? 200,
    headers,
  } = answer instanceof Answer ? answer : new Answer(answer);
  if (isKnownTag(request.headers, headers.etag)) return reply.code(304).headers(headers).send();
  if (status === 204) return reply.code(status).headers(headers).send();
  reply.code(status).headers({ 'content-type': JSON_TYPE, ...headers });
  if (typeof body === 'string' || body instanceof Uint8Array) return reply.send(body);
  if (Symbol.asyncIterator in body) return reply.send(Readable.from(body));
  return reply.send(JSON.stringify(body));
}
