// Which hosts requests may name. A page of a stranger can let its own name point at this service (DNS rebinding); its requests
// then name that host, and get nothing.

import { isIP } from 'node:net';

export type HostRule = (rawHeaders: readonly string[]) => string | undefined;

/** Gives the host of a request that is not allowed; undefined where all is well. An empty list allows any. */
export function hostRule(allowedHosts: readonly string[]): HostRule {
  if (allowedHosts.length === 0) return () => undefined;
  const allowed = new Set(allowedHosts.map(bareHost));
  return (rawHeaders) => {
    const hosts = hostsIn(rawHeaders);
    if (hosts.length === 0) return '';
    return hosts.find((host) => !isAlwaysAllowed(bareHost(host)) && !allowed.has(bareHost(host)));
  };
}

/** All of them: which one of several another program would believe is anybody's guess. */
function hostsIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
}

/** An address cannot be made to point elsewhere. */
const isAlwaysAllowed = (host: string): boolean => host === 'localhost' || isIP(host) !== 0;

/** In lower case, without its port, its brackets and the point that may end a name. */
function bareHost(host: string): string {
  const [, bracketed, name] = /^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return bracketed ?? name?.replace(/\.$/, '') ?? host;
}
