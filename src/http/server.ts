// The HTTP server: Fastify under our endpoint shape. Every answer that a client sees, errors of the framework and of
// the HTTP parser included, is the contract's.

import { performance } from 'node:perf_hooks';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type ApiError,
  malformedRequest,
  noSuchOperation,
  standingBy,
  unavailable,
  unknownHost,
} from '#contract/errors.ts';
import type { AddressSet } from '#kernel/address.ts';
import type { Clock } from '#kernel/clock.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { Bodies } from './bodies.ts';
import { OperationCall } from './call.ts';
import type { CallDeps } from './call-deps.ts';
import { callerAddress } from './caller-address.ts';
import type { ConsoleFiles } from './console-files.ts';
import { consoleHook } from './console-hook.ts';
import { credentialsOf } from './credentials.ts';
import { type AnyEndpoint, isOwn, JSON_TYPE } from './endpoint.ts';
import { answerError } from './error-answer.ts';
import { type HostRule, hostRule } from './hosts.ts';
import { missingRoute } from './missing-route.ts';
import { isUnderTls, type OriginRules, originKind } from './origins.ts';
import { boundPendingHeads } from './pending-heads.ts';
import { answerUnreadable, drainInTime } from './refused-connection.ts';
import { arrivedBytes, paramsOfRefused } from './refused-params.ts';
import { type RequestLines, requestIds, requestLines } from './request-line.ts';
import { rawParamsOf } from './request-params.ts';
import { sendAnswer } from './send-answer.ts';

/** Space for a path parameter of 100,000 characters, each percent-encoded as three bytes. */
const MAX_HEAD_BYTES = 1024 * 1024;
const PROTOCOL = {
  maxHeaderSize: MAX_HEAD_BYTES,
  /** Node would answer a request without a host itself, not in the contract's shape; no code here needs the header. */
  requireHostHeader: false,
  /** From the first byte of a connection, or of its next request, to the end of the headers. */
  headersTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};
/** Monitoring may use any host name. */
const FOR_EVERY_HOST = ['/healthz', '/readyz', '/metrics'];

/** An object while another node keeps the logs. */
export type ServiceState = 'starting' | 'running' | 'stopping' | { readonly keeper: string };

export interface ServerDeps {
  readonly endpoints: readonly AnyEndpoint[];
  /** Services for the service's own operations. */
  readonly ownServices: object;
  /** Undefined until the service is ready for calls. */
  callDeps(): CallDeps | undefined;
  state(): ServiceState;
  readonly clock: Clock;
  readonly bodies: Bodies;
  readonly trustedProxies: AddressSet;
  /** Allowed values of `Host`; empty for any. */
  readonly allowedHosts: readonly string[];
  readonly publicOrigins: readonly string[];
  /** max-age of `Strict-Transport-Security`; 0 for no header. */
  readonly hstsSeconds: number;
  /** Maximum number of open connections. */
  readonly connections: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly observer: RequestObserver & ConnectionObserver;
  /** Undefined on a port without the console. */
  readonly console?: ConsoleFiles | undefined;
}

/** Events of each request: begun, answered, ended. */
export interface RequestObserver {
  begun(): void;
  ended(): void;
  answered(request: AnsweredRequest): void;
  defect(error: unknown, requestId: string): void;
}

export interface ConnectionObserver {
  connected(): void;
  disconnected(): void;
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
    isTls: boolean;
    call: OperationCall | undefined;
    /** The part of the body that had arrived when the request was admitted. */
    arrived: Buffer | undefined;
  }
}

export function createServer(deps: ServerDeps): FastifyInstance {
  const nextRequestId = requestIds();
  const lines = requestLines();
  const server = Fastify({
    logger: false,
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES, querystringParser: () => ({}) },
    rewriteUrl: lines.routable,
    return503OnClosing: false,
    http: PROTOCOL,
    ...(deps.tls ? { https: { ...deps.tls, ...PROTOCOL } } : {}),
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, { ...STANDING_HEADERS, 'x-request-id': nextRequestId(), ...hsts(deps, false) }),
    frameworkErrors: (_error, request, reply) => void answerError(deps, malformedRequest(), request, reply),
  });
  // Fastify's type depends on whether TLS is on; the part used here does not.
  const plain = server as unknown as FastifyInstance;
  plain.removeAllContentTypeParsers();
  // The handler reads bodies itself, within limits of its own.
  plain.addContentTypeParser('*', (_request, _body, done) => done(null));
  const origins = { isTls: deps.tls !== undefined, ...deps };
  observeRequests(plain, deps, origins);
  const routeDeps = { ...deps, lines, origins, wrongHost: hostRule(deps.allowedHosts) };
  for (const endpoint of deps.endpoints) addRoute(plain, endpoint, routeDeps);
  const missing = missingRoute(deps.endpoints);
  if (deps.console) plain.addHook('onRequest', consoleHook(deps.console, { missing, ...routeDeps }));
  // In a hook, because Fastify's handler for it runs after the body: an unknown route is reported before a bad body.
  plain.addHook('onRequest', ({ is404, method, originalUrl }, _reply, done) => {
    done(is404 ? missing(method, originalUrl.split('?')[0] ?? '') : undefined);
  });
  plain.server.maxConnections = deps.connections;
  plain.server.on('connection', (socket) => {
    eventLoop.connectionAccepted();
    deps.observer.connected();
    socket.once('close', () => deps.observer.disconnected());
  });
  const bounding = boundPendingHeads(plain.server, deps.clock);
  plain.addHook('onClose', async () => bounding[Symbol.dispose]());
  // A request with an unknown expectation is answered like one without, instead of Node's bare 417.
  plain.server.on('checkExpectation', (request, response) => plain.server.emit('request', request, response));
  plain.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply));
  return plain;
}

const STANDING_HEADERS = {
  'content-type': JSON_TYPE,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Tells browsers to use TLS from now on. */
function hsts({ hstsSeconds, tls }: ServerDeps, isTls: boolean): Readonly<Record<string, string>> {
  if (hstsSeconds === 0 || !(isTls || tls)) return {};
  return { 'strict-transport-security': `max-age=${hstsSeconds}` };
}

function observeRequests(server: FastifyInstance, deps: ServerDeps, origins: OriginRules): void {
  const { observer, trustedProxies, bodies } = deps;
  server.decorateRequest('begun', 0);
  server.decorateRequest('isTls', false);
  server.decorateRequest('remoteIp', '');
  server.decorateRequest('call', undefined);
  server.decorateRequest('arrived', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now();
    observer.begun();
    // Whether it was answered or aborted.
    reply.raw.once('close', () => observer.ended());
    const isStranger = () => request.call?.account === undefined;
    reply.raw.once('finish', () => drainInTime(request.raw, bodies.deadlines, isStranger()));
    const forwarded = request.headers['x-forwarded-for'];
    const chain = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    const peer = request.raw.socket.remoteAddress ?? '';
    request.remoteIp = callerAddress(peer, chain, trustedProxies);
    request.isTls = isUnderTls({ headers: request.headers, peer }, origins);
    const { 'content-type': _, ...standing } = STANDING_HEADERS;
    reply.headers({ 'x-request-id': request.id, ...standing, ...hsts(deps, request.isTls) });
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

interface RouteDeps extends ServerDeps {
  readonly lines: RequestLines;
  readonly origins: OriginRules;
  readonly wrongHost: HostRule;
}

const refusalIn = (state: ServiceState): ApiError =>
  typeof state === 'object' ? standingBy(state.keeper) : unavailable(state === 'stopping' ? state : 'starting');

function addRoute(server: FastifyInstance, endpoint: AnyEndpoint, deps: RouteDeps): void {
  server.route({
    method: endpoint.method,
    url: endpoint.path,
    errorHandler: (error, request, reply) => answerError(deps, error, request, reply, endpoint.refusals),
    async onRequest(request, reply) {
      mirror(request, reply, endpoint);
      requireRoute(request, endpoint);
      requireHost(request, endpoint, deps);
      // The service's own operations answer in every state of the service: they report it.
      if (isOwn(endpoint) && endpoint.access === 'none') return;
      const state = deps.state();
      const callDeps = deps.callDeps();
      if (state !== 'running' || !callDeps) throw refusalIn(state);
      const rawParams = () =>
        paramsOfRefused({ url: request.url, headers: request.headers, arrived: request.arrived }, endpoint);
      const call = new OperationCall(
        endpoint,
        { ...factsOf(request, endpoint, deps), paramsOfRefused: rawParams },
        callDeps,
      );
      request.call = call;
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) call.clientDisconnected();
      });
      try {
        await call.admit();
        // Before Fastify checks the content type.
        deps.bodies.checkAnnounced(request, endpoint);
      } finally {
        // For the audit entry of a call that is refused here, or for its body.
        if (endpoint.audit && !endpoint.rawBody) request.arrived = arrivedBytes(request.raw);
      }
    },
    async handler(request, reply) {
      if (deps.lines.isUndecodable(request.raw)) throw malformedRequest();
      // They take no parameters, and their services were checked where they are listed.
      if (isOwn(endpoint) || !request.call)
        return sendAnswer(request, reply, {
          endpoint,
          answer: await endpoint.run({}, deps.ownServices as never, undefined as never),
        });
      const slot = eventLoop.slotAfterAccepts();
      if (slot) await slot;
      return sendAnswer(request, reply, { endpoint, answer: await performed(request, request.call, endpoint, deps) });
    },
  });
}

async function performed(request: FastifyRequest, call: OperationCall, endpoint: AnyEndpoint, { bodies }: RouteDeps) {
  using permit = bodies.permitFor({ account: call.account, address: request.remoteIp });
  const content = await bodies.receive(request, endpoint, permit);
  try {
    const { values } = bodies.limits;
    return await call.perform(await rawParamsOf(request, endpoint, { body: content.bytes, values }), content);
  } finally {
    // The unread rest is discarded: the connection carries the answer, and the next request.
    content.stream?.resume();
  }
}

function requireRoute(request: FastifyRequest, endpoint: AnyEndpoint): void {
  const { method, url, headers, originalUrl } = request;
  if (endpoint.appliesTo?.({ method, url, headers }) !== false) return;
  throw noSuchOperation(method, originalUrl.split('?')[0] ?? '');
}

function requireHost({ raw }: FastifyRequest, { path }: AnyEndpoint, { wrongHost }: RouteDeps): void {
  const host = FOR_EVERY_HOST.includes(path) ? undefined : wrongHost(raw.rawHeaders);
  if (host !== undefined) throw unknownHost(host);
}

function mirror({ headers }: FastifyRequest, reply: FastifyReply, { mirrored }: AnyEndpoint): void {
  if (!mirrored) return;
  for (const [name, value] of Object.entries(mirrored)) if (headers[name] !== undefined) reply.header(name, value);
}

function factsOf(request: FastifyRequest, { takesLogs, isActivity }: AnyEndpoint, { origins }: RouteDeps) {
  const { headers, method, id, remoteIp, isTls } = request;
  const origin = originKind({ headers, peer: request.raw.socket.remoteAddress ?? '' }, origins);
  const rules = { isSender: takesLogs === 'pushed', isActivity: isActivity !== false };
  const credentials = credentialsOf({ method, headers, isTls, origin }, rules);
  // Every route parameter is text.
  const path = request.params as Record<string, string>;
  const { 'user-agent': userAgent = '', accept = '' } = headers;
  return { requestId: id, remoteIp, credentials, isTls, origin, userAgent, accept, path };
}
