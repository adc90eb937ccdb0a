// The route of an operation: the checks before its body in the order of the reference, then the call itself, or the answer of the
// node that owns its object.

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Forwarded } from '#cluster/calls/signed-header.ts';
import {
  type ApiError,
  malformedBody,
  malformedRequest,
  noSuchOperation,
  standingBy,
  unavailable,
  unknownHost,
} from '#contract/errors.ts';
import { OperationCall, type RequestFacts } from '#operations/calls/call.ts';
import type { FindCallerAt } from '#operations/credentials.ts';
import { type AnyEndpoint, type Content, isOwn, NO_CONTENT } from '#operations/endpoint.ts';
import { rawParamsOf } from '#operations/requests/request-params.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { answerError } from './answers/error-answer.ts';
import { sendAnswer } from './answers/send-answer.ts';
import { hasBody } from './bodies/bodies.ts';
import { askOthers, isForwarded, passOn, readAhead, receivedOf, verified } from './forwarding/passing.ts';
import { credentialsOf } from './requests/credentials.ts';
import type { HostRule } from './requests/hosts.ts';
import { type OriginRules, originKind } from './requests/origins.ts';
import { arrivedBytes, paramsOfRefused } from './requests/refused-params.ts';
import type { RequestLines } from './requests/request-line.ts';
import type { RouteMethods } from './route-methods.ts';
import type { ServedCallDeps, ServerDeps, ServiceState } from './server.ts';

/** Monitoring may use any host name. */
const FOR_EVERY_HOST = ['/healthz', '/readyz', '/metrics'];

export interface RouteDeps extends ServerDeps {
  readonly lines: RequestLines;
  readonly origins: OriginRules;
  readonly wrongHost: HostRule;
  readonly methodsOf: RouteMethods;
}

const refusalIn = (state: ServiceState): ApiError =>
  typeof state === 'object' ? standingBy(state.keeper) : unavailable(state === 'stopping' ? state : 'starting');

export function addRoute(server: FastifyInstance, endpoint: AnyEndpoint, deps: RouteDeps): void {
  server.route({
    method: deps.methodsOf(endpoint),
    url: endpoint.path,
    errorHandler: (error, request, reply) => answerError(deps, error, request, reply, endpoint.refusals),
    async onRequest(request, reply) {
      mirror(request, reply, endpoint);
      requireRoute(request, endpoint);
      const callDeps = deps.callDeps();
      // The header cannot be verified yet: its client did nothing wrong.
      if (!callDeps && !isOwn(endpoint) && isForwarded(request)) throw refusalIn(deps.state());
      const found = needsAccount(endpoint) ? readAhead(request, { callDeps, rules: rulesOf(endpoint) }) : undefined;
      // The node that was asked has checked the host.
      const forwarded = isOwn(endpoint) ? undefined : await verified(request, reply, callDeps);
      if (!forwarded) requireHost(request, endpoint, deps);
      // The service's own operations answer in every state of the service: they report it.
      if (isOwn(endpoint) && endpoint.access === 'none') return;
      const state = deps.state();
      if (state !== 'running' || !callDeps) throw refusalIn(state);
      request.forwarded = forwarded;
      const { origins, bodies, connections } = deps;
      const admission = { callDeps, forwarded, readAhead: found, origins, bodies, connections };
      const facts = factsOf(request, endpoint, admission);
      request.call = new OperationCall(endpoint, facts, callDeps);
      await admit(request, request.call, { ...facts, ...admission });
    },
    async handler(request, reply) {
      if (deps.lines.isUndecodable(request.raw)) throw malformedRequest();
      // They take no parameters, and their services were checked where they are listed.
      if (isOwn(endpoint) || !request.call)
        return sendAnswer(request, reply, {
          endpoint,
          answer: await endpoint.run({}, deps.ownServices as never, undefined as never),
        });
      if (await passOn(request, reply, { forwarding: deps.callDeps()?.forwarding, clock: deps.clock })) return reply;
      const slot = eventLoop.slotAfterAccepts();
      if (slot) await slot;
      return sendAnswer(request, reply, { endpoint, answer: await performed(request, request.call, endpoint, deps) });
    },
  });
}

interface Admission extends Pick<RouteDeps, 'origins' | 'bodies' | 'connections'> {
  readonly callDeps: ServedCallDeps;
  /** What a node says that has passed the request on. */
  readonly forwarded: Forwarded | undefined;
  readonly readAhead: FindCallerAt | undefined;
}

/** Of an operation that authenticates its caller. */
const needsAccount = (endpoint: AnyEndpoint): boolean =>
  !isOwn(endpoint) && endpoint.access !== 'none' && endpoint.access !== 'token';

const rulesOf = ({ takesLogs }: AnyEndpoint) => ({ isSender: takesLogs === 'pushed' });

/** Steps 2 to 4, and the announced length of a body. Beyond step 3 a request for an object of another node is the owner's. */
async function admit(request: FastifyRequest, call: OperationCall, admission: Admission & RequestFacts) {
  const { endpoint } = call;
  const { forwarded, bodies } = admission;
  try {
    const authenticated = call.authenticate({ isCounted: forwarded === undefined });
    const owner = ownerOf(request, endpoint, admission);
    await authenticated;
    request.owner = await owner;
    // A token without a stream has no owner.
    if (request.owner) return admission.credentialsAccepted();
    await call.authorize();
    // Before Fastify checks the content type.
    bodies.checkAnnounced(request, endpoint);
  } finally {
    // For the audit entry of a call that is refused here, or for its body.
    if (endpoint.audit && !endpoint.rawBody) request.arrived = arrivedBytes(request.raw);
  }
}

/** Read beside the account. A request that is refused without reading one reads no owner, and its refusal comes before any failure here. */
function ownerOf(request: FastifyRequest, endpoint: AnyEndpoint, admission: Admission & RequestFacts) {
  const { callDeps, forwarded, credentials, path } = admission;
  const isRead = !forwarded && (credentials?.isReadable || endpoint.access === 'token');
  const owner = isRead ? callDeps.forwarding?.ownerOf(endpoint, path, receivedOf(request)) : undefined;
  owner?.catch(() => undefined);
  return owner;
}

async function performed(request: FastifyRequest, call: OperationCall, endpoint: AnyEndpoint, { bodies }: RouteDeps) {
  const { values } = bodies.limits;
  if (!hasBody(request, endpoint)) {
    requireSignedBody(request, NO_CONTENT);
    return await call.perform(await rawParamsOf(request, endpoint, { body: NO_CONTENT.bytes, values }));
  }
  using permit = bodies.permitFor({ account: call.account, address: request.remoteIp });
  const content = await bodies.receive(request, endpoint, permit);
  requireSignedBody(request, content);
  try {
    return await call.perform(await rawParamsOf(request, endpoint, { body: content.bytes, values }), content);
  } finally {
    // The unread rest is discarded: the connection carries the answer, and the next request.
    content.stream?.resume();
  }
}

/** A query that a node asks for is the one that it has signed. */
function requireSignedBody({ forwarded }: FastifyRequest, { bytes }: Content): void {
  if (forwarded?.account && hash('sha256', bytes, 'hex') !== forwarded.account.body) throw malformedBody();
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

function factsOf(request: FastifyRequest, endpoint: AnyEndpoint, admission: Admission): RequestFacts {
  const { origins, callDeps, forwarded, readAhead, connections } = admission;
  const { headers, method, id, remoteIp, isTls } = request;
  // The node that was asked has checked the origin.
  const origin = forwarded ? 'own' : originKind({ headers, peer: request.raw.socket.remoteAddress ?? '' }, origins);
  const credentials = credentialsOf({ method, headers, isTls, origin }, rulesOf(endpoint));
  const { 'user-agent': userAgent = '', accept = '' } = headers;
  return {
    requestId: id,
    remoteIp,
    credentials,
    readAhead,
    isTls,
    origin,
    userAgent,
    accept,
    forwarded,
    // Every route parameter is text.
    path: request.params as Record<string, string>,
    paramsOfRefused: () => paramsOfRefused({ url: request.url, headers, arrived: request.arrived }, endpoint),
    credentialsAccepted: () => connections.credentialsAccepted(request.raw.socket),
    askOthers: askOthers(request, forwarded ? undefined : callDeps.forwarding),
  };
}
