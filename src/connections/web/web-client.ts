// Sends one HTTP request to a host that is listed. The connection goes to the address that was checked, redirects stay on the
// same host and are checked again, and time and size of the answer are bounded. Nothing is kept between requests.

import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { type CheckedAddress, checkedAddress, type ResolveHost } from '#connections/checked-address.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { WebAnswer, WebError } from '#query/plan-nodes/shared/web.ts';
import { http, https } from '#runtime/http-clients.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** PEM of authorities that are trusted instead of those of the system. */
  readonly ca?: string;
  readonly maxBytes: number;
  readonly timeout: Temporal.Duration;
}

export interface WebClientDeps {
  readonly hosts: HostList;
  readonly clock: Clock;
  readonly resolve?: ResolveHost;
  /** Called before each request, those of redirects too. May throw. */
  begin(url: URL): void;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Sent again with its body; after any other redirect the answer is asked for. */
const SAME_METHOD = [307, 308];

/** A failed request is an answer; rejects only where `signal` is aborted or `begin` throws. */
export async function sendRequest(
  request: OutgoingRequest,
  deps: WebClientDeps,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const late = deps.clock
    .sleep(request.timeout, both)
    .then((): Promise<WebAnswer> | WebAnswer =>
      signal.aborted ? Promise.reject(signal.reason) : { error: 'timeout' },
    );
  late.catch(() => undefined);
  try {
    return await Promise.race([followed(request, deps, both), late]);
  } finally {
    over.abort();
  }
}

async function followed(request: OutgoingRequest, deps: WebClientDeps, signal: AbortSignal): Promise<WebAnswer> {
  let current = request;
  for (let redirects = 0; ; redirects += 1) {
    const found = await sent(current, deps, signal);
    if (!('bytes' in found)) return found;
    const target = redirectOf(found, current.url);
    if (target === undefined) return found;
    if (redirects === MAX_REDIRECTS || target?.origin !== current.url.origin || hasUser(target)) {
      return { error: 'redirect-refused', code: found.code };
    }
    current = redirected(current, target, found.code);
  }
}

const hasUser = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** Undefined where the answer is no redirect, null where it leads to no url. */
function redirectOf({ code, headers }: Extract<WebAnswer, { bytes: unknown }>, from: URL): URL | null | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  return REDIRECTS.includes(code) && location !== undefined ? URL.parse(location, from) : undefined;
}

function redirected(request: OutgoingRequest, url: URL, code: number): OutgoingRequest {
  if (SAME_METHOD.includes(code) || request.method === 'head') return { ...request, url };
  const { 'content-type': _, ...headers } = request.headers;
  return { ...request, url, method: 'get', headers, body: null };
}

async function sent(request: OutgoingRequest, deps: WebClientDeps, signal: AbortSignal): Promise<WebAnswer> {
  const { url } = request;
  if (!deps.hosts.has(url.hostname, portOf(url))) return { error: 'host-not-allowed' };
  deps.begin(url);
  const checked = await checkedAddress({ host: url.hostname, port: portOf(url) }, deps.hosts, deps.resolve);
  if (typeof checked === 'string') return { error: checked };
  signal.throwIfAborted();
  try {
    const answer = await exchanged(request, checked, signal);
    const bytes = await bytesOf(answer, request.maxBytes);
    if (!bytes) return { error: 'too-large' };
    return { code: answer.statusCode ?? 0, headers: headersOf(answer), bytes };
  } catch (error) {
    signal.throwIfAborted();
    return { error: failureOf(error) };
  }
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

function exchanged(
  { url, method, headers, body, ca }: OutgoingRequest,
  checked: CheckedAddress,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions & { ca?: string } = {
    method: method.toUpperCase(),
    headers: { 'user-agent': 'vigil', 'accept-encoding': 'identity', ...headers, ...length },
    // A new connection each time, which takes no proxy of the environment.
    agent: false,
    signal,
    lookup: only(checked),
    ...(ca === undefined ? {} : { ca }),
  };
  const call = (url.protocol === 'https:' ? https : http).request(url, options, resolve);
  call.on('error', reject);
  call.end(body ?? undefined);
  return promise;
}

/** No second answer of the resolver is used. */
const only =
  ({ address, family }: CheckedAddress): LookupFunction =>
  (_host, { all }, found) =>
    all ? found(null, [{ address, family }]) : found(null, address, family);

/** Undefined where there are more bytes than allowed. */
async function bytesOf(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    size += piece.length;
    if (size > maxBytes) {
      answer.destroy();
      return undefined;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const headersOf = ({ headers }: IncomingMessage): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );

const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|EPROTO)/;

function failureOf(error: unknown): WebError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return TLS_CODES.test(code) ? 'tls' : 'unreachable';
}
