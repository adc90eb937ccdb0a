// The HTTP server: Fastify under our endpoint shape. Every answer that a client sees, errors of the framework and of
// the HTTP parser included, is the contract's.

import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { Forwarded } from '#cluster/calls/signed-header.ts';
import { malformedRequest } from '#contract/errors.ts';
import type { AddressSet } from '#kernel/net/address.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { CallDeps, OperationCall } from '#operations/calls/call.ts';
import { type AnyEndpoint, JSON_TYPE } from '#operations/endpoint.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { answerError } from './answers/error-answer.ts';
import { missingRoute } from './answers/missing-route.ts';
import type { Bodies } from './bodies/bodies.ts';
import type { Connections } from './connections/connections.ts';
import { answerUnreadable, drainInTime, hasLastAnswer } from './connections/refused-connection.ts';
import type { ConsoleFiles } from './console/console-files.ts';
import { consoleHook } from './console/console-hook.ts';
import type { Forwarding, Owner } from './forwarding/forwarding.ts';
import { callerAddress } from './requests/caller-address.ts';
import { hostRule } from './requests/hosts.ts';
import { isUnderTls, type OriginRules } from './requests/origins.ts';
import { requestIds, requestLines } from './requests/request-line.ts';
import { addRoute } from './route.ts';
import { routeMethods } from './route-methods.ts';

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

/** An object while another node keeps the logs. */
export type ServiceState = 'starting' | 'running' | 'stopping' | { readonly keeper: string };

/** With what only the server uses of the services of calls. */
export interface ServedCallDeps extends CallDeps {
  /** Undefined on a database that one process alone uses. */
  readonly forwarding?: Forwarding | undefined;
}

export interface ServerDeps {
  readonly endpoints: readonly AnyEndpoint[];
  /** Services for the service's own operations. */
  readonly ownServices: object;
  /** Undefined until the service is ready for calls. */
  callDeps(): ServedCallDeps | undefined;
  state(): ServiceState;
  readonly clock: Clock;
  readonly bodies: Bodies;
  readonly trustedProxies: AddressSet;
  /** Allowed values of `Host`; empty for any. */
  readonly allowedHosts: readonly string[];
  readonly publicOrigins: readonly string[];
  /** max-age of `Strict-Transport-Security`; 0 for no header. */
  readonly hstsSeconds: number;
  readonly connections: Connections;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly observer: RequestObserver;
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
    /** The other node that the request is to be passed on to. */
    owner: Owner | undefined;
    /** What a node says that has passed it on. */
    forwarded: Forwarded | undefined;
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
    exposeHeadRoutes: false,
    http: PROTOCOL,
    ...(deps.tls ? { https: { ...deps.tls, ...PROTOCOL } } : {}),
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, {
        'content-type': JSON_TYPE,
        ...STANDING_HEADERS,
        'x-request-id': nextRequestId(),
        ...hsts(deps, false),
      }),
    frameworkErrors: (_error, request, reply) => void answerError(deps, malformedRequest(), request, reply),
  });
  // Fastify's type depends on whether TLS is on; the part used here does not.
  const plain = server as unknown as FastifyInstance;
  plain.removeAllContentTypeParsers();
  // The handler reads bodies itself, within limits of its own.
  plain.addContentTypeParser('*', (_request, _body, done) => done(null));
  const origins = { isTls: deps.tls !== undefined, ...deps };
  observeRequests(plain, deps, origins);
  const routeDeps = {
    ...deps,
    lines,
    origins,
    wrongHost: hostRule(deps.allowedHosts),
    methodsOf: routeMethods(deps.endpoints),
  };
  for (const endpoint of deps.endpoints) addRoute(plain, endpoint, routeDeps);
  const missing = missingRoute(deps.endpoints);
  if (deps.console) plain.addHook('onRequest', consoleHook(deps.console, { missing, ...routeDeps }));
  // In a hook, because Fastify's handler for it runs after the body: an unknown route is reported before a bad body.
  plain.addHook('onRequest', ({ is404, method, originalUrl }, _reply, done) => {
    done(is404 ? missing(method, originalUrl.split('?')[0] ?? '') : undefined);
  });
  plain.server.on('connection', () => eventLoop.connectionAccepted());
  deps.connections.watch(plain.server, { isTls: deps.tls !== undefined });
  // A request with an unknown expectation is answered like one without, instead of Node's bare 417.
  plain.server.on('checkExpectation', (request, response) => plain.server.emit('request', request, response));
  plain.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply));
  return plain;
}

const STANDING_HEADERS = {
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
  server.decorateRequest('owner', undefined);
  server.decorateRequest('forwarded', undefined);
  server.decorateRequest('arrived', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    request.begun = performance.now();
    observer.begun();
    // Whether it was answered or aborted. A response closes once, so the listener need not remove itself.
    reply.raw.on('close', () => {
      observer.ended();
      if (reply.raw.writableFinished) return;
      if (hasLastAnswer(request.raw)) answered(request, reply);
      else request.call?.clientDisconnected();
    });
    const forwarded = request.headers['x-forwarded-for'];
    const chain = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    const peer = request.raw.socket.remoteAddress ?? '';
    request.remoteIp = callerAddress(peer, chain, trustedProxies);
    request.isTls = isUnderTls({ headers: request.headers, peer }, origins);
    reply.headers({ 'x-request-id': request.id, ...STANDING_HEADERS, ...hsts(deps, request.isTls) });
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    drainInTime(request.raw, bodies.deadlines, request.call?.account === undefined);
    answered(request, reply);
    done();
  });
  const answered = (request: FastifyRequest, reply: FastifyReply) =>
    observer.answered({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: performance.now() - request.begun,
      remoteIp: request.remoteIp,
      login: request.call?.login ?? '-',
    });
}
