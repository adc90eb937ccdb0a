// A request between nodes as the server sees it: received from another node, passed on to the owner, or asked of all.

import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OtherAnswers } from '#cluster/calls/node-calls.ts';
import { FORWARDED_HEADER, type Forwarded, readHeader } from '#cluster/calls/signed-header.ts';
import { announcesBody, type ReceivedRequest } from '#cluster/calls/signed-request.ts';
import { ApiError, nodeHeader, nodeUnreachable } from '#contract/errors.ts';
import { isCutOff, lastAnswer } from '#http/connections/refused-connection.ts';
import { type CredentialRules, credentialsOf } from '#http/requests/credentials.ts';
import type { ServedCallDeps } from '#http/server.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { FindCallerAt } from '#operations/credentials.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import type { Forwarding, Owner } from './forwarding.ts';

/** Belong to a connection, or are those of the node that was asked. */
const NOT_RELAYED = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'date', 'strict-transport-security'];

/** Of an owner that has ended its connection with them: the body was too slow, or had no room. */
const ENDING = [408, 429];

export const isForwarded = ({ headers }: FastifyRequest): boolean => headers[FORWARDED_HEADER] !== undefined;

/**
 * Begins to read the account of a request with the header of a node, for the database to work while the header is verified. The caller
 * is looked for in it after that: until then nothing is judged, noted or counted.
 */
export function readAhead(
  request: FastifyRequest,
  { callDeps, rules }: { callDeps: ServedCallDeps | undefined; rules: CredentialRules },
): FindCallerAt | undefined {
  const { headers, method } = request;
  if (!isForwarded(request) || !callDeps?.forwarding) return undefined;
  const claims = readHeader(String(headers[FORWARDED_HEADER]));
  const head = claims && ({ method, headers, isTls: claims.isTls, origin: 'own' } as const);
  return head && credentialsOf(head, rules)?.read(callDeps.accounts);
}

/** What the node says that has passed the request on: it is then the request of that client. Refuses a header of anyone else. */
export async function verified(
  request: FastifyRequest,
  reply: FastifyReply,
  callDeps: ServedCallDeps | undefined,
): Promise<Forwarded | undefined> {
  if (!isForwarded(request) || !callDeps?.forwarding) return undefined;
  // The account that is read ahead is asked for first.
  await yieldToEventLoop();
  const forwarded = await callDeps.forwarding.calls.verify(receivedOf(request));
  if (!forwarded) throw callDeps.attempts.refuse(request.remoteIp);
  request.remoteIp = forwarded.address;
  request.isTls = forwarded.isTls;
  request.id = forwarded.requestId;
  reply.header('x-request-id', forwarded.requestId);
  return forwarded;
}

/** Sends the answer of the owner of the object; false where the call is to be answered here. A reply itself cannot be awaited. */
export async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  { forwarding, clock }: { forwarding: Forwarding | undefined; clock: Clock },
): Promise<boolean> {
  const { owner, call, raw, headers } = request;
  if (!owner || !call || !forwarding) return false;
  try {
    const how = { body: announcesBody(headers) ? raw : undefined, gone: call.gone };
    const answer = await forwarding.pass(receivedOf(request), owner, how);
    const relayed = { ...answer.headers, ...nodeHeader(owner.name) };
    for (const name of NOT_RELAYED) delete relayed[name];
    const { statusCode = 502, headers: told } = answer;
    const isEnding = ENDING.includes(statusCode) && told.connection === 'close';
    const isLast = isEnding || (statusCode >= 400 && isCutOff(raw, reply.raw));
    const body = isLast ? lastAnswer(await wholeOf(answer, owner), raw, clock) : (arrivedOf(answer) ?? answer);
    if (isLast) relayed.connection = 'close';
    reply.code(statusCode).headers(relayed).send(body);
    return true;
  } catch (error) {
    // The rights of a caller come before the state of the object.
    await call.authorize();
    const isSilent = error instanceof ApiError && error.kind === 'nodeUnreachable';
    if (isSilent && call.endpoint.runsWithoutOwner) return false;
    throw error;
  }
}

/** The body of an answer that has come whole with its head, as short ones do: a stream takes longer to send it. */
const arrivedOf = (answer: IncomingMessage): Buffer | null =>
  answer.complete && answer.headers['content-length'] !== undefined ? answer.read() : null;

const wholeOf = (answer: IncomingMessage, { name }: Owner): Promise<Buffer> =>
  buffer(answer).catch((cause) => {
    throw Object.assign(nodeUnreachable(name), { cause });
  });

type AskOthers = (params: Readonly<Record<string, string>>, gone: AbortSignal) => Promise<OtherAnswers>;

export function askOthers(request: FastifyRequest, forwarding: Forwarding | undefined): AskOthers {
  return async (params, gone) => {
    if (!forwarding) return { answers: [], unanswered: [] };
    const { url, ...received } = receivedOf(request);
    const [path = '', query = ''] = url.split('?', 2);
    const search = new URLSearchParams(query);
    for (const [name, value] of Object.entries(params)) search.set(name, value);
    return await forwarding.calls.askOthers({ ...received, url: `${path}?${search}` }, gone);
  };
}

/** As it was received here. */
export const receivedOf = ({
  id,
  method,
  originalUrl: url,
  headers,
  remoteIp,
  isTls,
}: FastifyRequest): ReceivedRequest => ({
  id,
  method,
  url,
  headers,
  remoteIp,
  isTls,
});
