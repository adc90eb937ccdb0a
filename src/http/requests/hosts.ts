// Allowed host names. An attacker's page can point its own name at this service (DNS rebinding); its requests then
// carry that name and are refused.

import { isIP } from 'node:net';

export type HostRule = (rawHeaders: readonly string[]) => string | undefined;

/** Returns the host of a request that is not allowed; undefined for an allowed one. An empty list allows any. */
export function hostRule(allowedHosts: readonly string[]): HostRule {
  if (allowedHosts.length === 0) return () => undefined;
  const allowed = new Set(allowedHosts.map(bareHost));
  return (rawHeaders) => {
    const hosts = hostsIn(rawHeaders);
    if (hosts.length === 0) return '';
    return hosts.find((host) => !isAlwaysAllowed(bareHost(host)) && !allowed.has(bareHost(host)));
  };
}

/** All host headers: another program in front may have used any of several. */
function hostsIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
}

/** An address cannot be rebound. */
const isAlwaysAllowed = (host: string): boolean => host === 'localhost' || isIP(host) !== 0;

/** In lower case, without port, brackets and trailing point. */
function bareHost(host: string): string {
  const [, bracketed, name] = /^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return bracketed ?? name?.replace(/\.$/, '') ?? host;
}
