// The origin under which a request reached the service, and whether the page that sent it is the service's own.

import type { AddressSet } from '#kernel/net/address.ts';
import type { OriginKind } from '#operations/credentials.ts';
import type { Headers } from '#operations/requests/body-params.ts';

export interface OriginRules {
  readonly isTls: boolean;
  readonly trustedProxies: AddressSet;
  /** Additional own origins: the setting `public-origins`. */
  readonly publicOrigins: readonly string[];
}

interface ReceivedRequest {
  readonly headers: Headers;
  readonly peer: string;
}

/** True for TLS of this service or of a trusted proxy in front of it. */
export function isUnderTls({ headers, peer }: ReceivedRequest, { isTls, trustedProxies }: OriginRules): boolean {
  if (isTls) return true;
  const proto = headers['x-forwarded-proto'];
  return proto !== undefined && /^https$/i.test(firstOf(proto)) && trustedProxies.has(peer);
}

export function originKind(request: ReceivedRequest, rules: OriginRules): OriginKind {
  const { origin, host } = request.headers;
  if (origin === undefined) return 'none';
  if (typeof origin !== 'string') return 'foreign';
  const scheme = isUnderTls(request, rules) ? 'https' : 'http';
  const own = URL.parse(`${scheme}://${host ?? ''}`)?.origin;
  // Compared as browsers write it: a text with a path, or one that is not an origin, is foreign.
  const isOwn = origin === own || rules.publicOrigins.includes(origin);
  return isOwn ? 'own' : 'foreign';
}

/** With several proxies the first value is that of the proxy next to the client. */
function firstOf(header: string | string[]): string {
  const [first = ''] = String(header).split(',');
  return first.trim();
}
