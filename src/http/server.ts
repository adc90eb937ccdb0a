// The HTTP server: Fastify under our endpoint shape. Everything a client can see of it, errors of the framework and
// of the HTTP parser included, is the contract's.

import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  bodyTooLarge,
  databaseUnreachable,
  headTooLarge,
  internalError,
  malformedBody,
  malformedRequest,
  noSpaceLeft,
  Refusal,
  unavailable,
  unsupportedContent,
} from '#contract/errors.ts';
import type { AddressSet } from '#kernel/address.ts';
import { arrived, letIn } from '#kernel/turns.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type CallParts, OperationCall } from './call.ts';
import { callerAddress } from './caller-address.ts';
import { credentialsOf } from './credentials.ts';
import { Answer, type AnyEndpoint, type Content } from './endpoint.ts';
import { missingRoute } from './missing-route.ts';
import { ByteBudget, type Held, NO_CONTENT, readRawBody } from './raw-body.ts';
import { arrivedBytes, givensOfRefused } from './refused-givens.ts';
import { givensOf } from './request-givens.ts';
import { type RequestLines, requestIds, requestLines } from './request-line.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Room for a path parameter of 100,000 characters, each percent-encoded as three bytes. */
const HEAD_MOST_BYTES = 1024 * 1024;
/** Of bodies that are data, in work at once over all requests. */
const RAW_MOST_BYTES = 256 * 1024 * 1024;
/** Node answers a request without a host by itself, in a shape that is not ours; nothing of ours depends on one. */
const PROTOCOL = { maxHeaderSize: HEAD_MOST_BYTES, requireHostHeader: false };

export type ServiceState = 'starting' | 'running' | 'stopping';

export interface ServerParts {
  readonly endpoints: readonly AnyEndpoint[];
  /** What the service's own operations need. */
  readonly ownServices: object;
  /** Undefined until the service is ready for calls. */
  callParts(): CallParts | undefined;
  state(): ServiceState;
  readonly trustedProxies: AddressSet;
  readonly bodyLimitBytes: number;
  /** Of a body that is data and read as a whole. */
  readonly dataLimitBytes: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly observer: RequestObserver;
}

/** Told of every request, when it begins, when it has been answered and when it is over. */
export interface RequestObserver {
  begun(): void;
  ended(): void;
  answered(request: AnsweredRequest): void;
  defect(error: unknown, requestId: string): void;
}

export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, never the path as sent: paths and queries may hold tokens. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly remoteIp: string;
  readonly login: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    begun: number;
    remoteIp: string;
    call: OperationCall | undefined;
    /** What had come of the body when it was decided whether to read it. */
    arrived: Buffer | undefined;
  }
}

export function createServer(parts: ServerParts): FastifyInstance {
  const nextRequestId = requestIds();
  const lines = requestLines();
  const server = Fastify({
    logger: false,
    bodyLimit: parts.bodyLimitBytes,
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: HEAD_MOST_BYTES, querystringParser: () => ({}) },
    rewriteUrl: lines.routable,
    return503OnClosing: false,
    http: PROTOCOL,
    ...(parts.tls ? { https: { ...parts.tls, ...PROTOCOL } } : {}),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, nextRequestId()),
    frameworkErrors: (_error, request, reply) => void answerError(parts, malformedRequest(), request, reply),
  });
  // Fastify's type depends on whether TLS is on; what we use of it does not.
  const plain = server as unknown as FastifyInstance;
  plain.removeAllContentTypeParsers();
  plain.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  observeRequests(plain, parts);
  const routeParts = { ...parts, lines, budget: new ByteBudget(RAW_MOST_BYTES) };
  for (const endpoint of parts.endpoints.filter(({ rawBody }) => !rawBody)) addRoute(plain, endpoint, routeParts);
  // In a scope of their own, where a body is handed on as it arrives.
  plain.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    for (const endpoint of parts.endpoints.filter(({ rawBody }) => rawBody)) addRoute(scope, endpoint, routeParts);
  });
  const missing = missingRoute(parts.endpoints);
  // In a hook, because Fastify's handler for it comes after the body: a missing route is said before a wrong body.
  plain.addHook('onRequest', ({ is404, method, originalUrl }, _reply, done) => {
    done(is404 ? missing(method, originalUrl.split('?')[0] ?? '') : undefined);
  });
  plain.server.on('connection', arrived);
  // An expectation that nobody knows is answered like a request without one, in place of Node's bare 417.
  plain.server.on('checkExpectation', (request, response) => plain.server.emit('request', request, response));
  plain.setErrorHandler((error, request, reply) => answerError(parts, error, request, reply));
  return plain;
}

function observeRequests(server: FastifyInstance, { observer, trustedProxies }: ServerParts): void {
  server.decorateRequest('begun', 0);
  server.decorateRequest('remoteIp', '');
  server.decorateRequest('call', undefined);
  server.decorateRequest('arrived', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now();
    observer.begun();
    // Whether it was answered or broken off.
    reply.raw.once('close', () => observer.ended());
    const forwarded = request.headers['x-forwarded-for'];
    const chain = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    request.remoteIp = callerAddress(request.raw.socket.remoteAddress ?? '', chain, trustedProxies);
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    observer.answered({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: performance.now() - request.begun,
      remoteIp: request.remoteIp,
      login: request.call?.login ?? '-',
    });
    done();
  });
}

interface RouteParts extends ServerParts {
  readonly lines: RequestLines;
  readonly budget: ByteBudget;
}

function addRoute(server: FastifyInstance, endpoint: AnyEndpoint, parts: RouteParts): void {
  // The service's own operations, at the root, answer in every state: they tell which state it is.
  const isOwn = !endpoint.path.startsWith('/api/');
  server.route({
    method: endpoint.method,
    url: endpoint.path,
    async onRequest(request, reply) {
      mirror(request, reply, endpoint);
      if (isOwn && endpoint.access === 'none') return;
      const state = parts.state();
      const callParts = parts.callParts();
      if (state !== 'running' || !callParts) throw unavailable(state === 'stopping' ? state : 'starting');
      const givens = () =>
        givensOfRefused({ url: request.url, headers: request.headers, arrived: request.arrived }, endpoint);
      const call = new OperationCall(endpoint, { ...factsOf(request, parts), givensOfRefused: givens }, callParts);
      request.call = call;
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) call.leave();
      });
      try {
        await call.admit();
      } finally {
        // For the entry of a call that is refused here, or for its body.
        if (endpoint.audit && !endpoint.rawBody) request.arrived = arrivedBytes(request.raw);
      }
    },
    async handler(request, reply) {
      if (parts.lines.isUndecodable(request.raw)) throw malformedRequest();
      // They take no parameters, and their services were checked where they are listed.
      if (isOwn || !request.call)
        return send(reply, await endpoint.run({}, parts.ownServices as never, undefined as never), endpoint);
      const crowd = letIn();
      if (crowd) await crowd;
      using held = parts.budget.open();
      const content = await contentOf(request, endpoint, { held, limitBytes: parts.dataLimitBytes });
      try {
        return send(reply, await request.call.perform(givensOf(request, endpoint), content), endpoint);
      } finally {
        // What was not read is let through: the connection carries the answer, and the next request.
        content.stream?.resume();
      }
    },
  });
}

function mirror({ headers }: FastifyRequest, reply: FastifyReply, { mirrored }: AnyEndpoint): void {
  if (!mirrored) return;
  for (const [name, value] of Object.entries(mirrored)) if (headers[name] !== undefined) reply.header(name, value);
}

function factsOf(request: FastifyRequest, { tls, trustedProxies }: ServerParts) {
  const { headers, method, id, remoteIp } = request;
  const ownOrigin = () => {
    const viaProxy = trustedProxies.has(request.raw.socket.remoteAddress ?? '') && headers['x-forwarded-proto'];
    return `${viaProxy || (tls ? 'https' : 'http')}://${headers.host}`;
  };
  const credentials = credentialsOf({ method, headers, ownOrigin });
  // Every route parameter is text.
  const path = request.params as Record<string, string>;
  const { 'user-agent': userAgent = '', accept = '' } = headers;
  return { requestId: id, remoteIp, credentials, userAgent, accept, path };
}

async function contentOf(
  { headers, body }: FastifyRequest,
  { rawBody }: AnyEndpoint,
  limits: { held: Held; limitBytes: number },
): Promise<Content> {
  // The scope of such operations hands on the stream of the request.
  return rawBody ? await readRawBody({ headers, body: body as Readable | undefined }, rawBody, limits) : NO_CONTENT;
}

function send(reply: FastifyReply, answer: object, { answerStatus }: AnyEndpoint): FastifyReply {
  const { body, status = answerStatus ?? 200, headers } = answer instanceof Answer ? answer : new Answer(answer);
  if (status === 204) return reply.code(status).headers(headers).send();
  reply.code(status).headers({ 'content-type': JSON_TYPE, ...headers });
  if (typeof body === 'string') return reply.send(body);
  if (Symbol.asyncIterator in body) return reply.send(Readable.from(body));
  return reply.send(JSON.stringify(body));
}

async function answerError(parts: ServerParts, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error, request, parts.bodyLimitBytes);
  request.call?.leave();
  if (refusal.code === 'internal-error') parts.observer.defect(error, request.id);
  await request.call?.recordFailure(refusal).catch((failure) => {
    // The store has told of that itself.
    if (!isOutOfSpace(failure) && !(failure instanceof StoreUnreachable)) parts.observer.defect(failure, request.id);
  });
  reply.code(refusal.status).headers({ 'content-type': JSON_TYPE, ...refusal.headers });
  return reply.send(JSON.stringify(refusal.body));
}

/** What Fastify itself complains about, in our words. */
function refusalOf(error: unknown, { headers, id }: FastifyRequest, bodyLimitBytes: number): Refusal {
  if (error instanceof Refusal) return error;
  if (isOutOfSpace(error)) return noSpaceLeft('metadata');
  if (error instanceof StoreUnreachable) return databaseUnreachable();
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimitBytes);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedContent(headers['content-type'] ?? '');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return malformedBody();
  return internalError(id);
}

/** The HTTP parser gave up: there is no request yet, only a socket. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? headTooLarge() : malformedRequest();
  const body = JSON.stringify(refusal.body);
  const reason = refusal.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request';
  const head = [
    `HTTP/1.1 ${refusal.status} ${reason}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
