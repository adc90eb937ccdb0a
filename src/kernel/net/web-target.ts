// Allowed targets of webhooks. An account that sets up an alarm must not reach, through the service, addresses that
// only its machine or its cloud reaches: loopback, link-local, multicast and metadata addresses, in any notation.

import { isIPv4 } from 'node:net';
import { isRefusedAddress } from './special-addresses.ts';

/** `remote` excludes the targets refused here. */
export const TARGETS = ['remote', 'any'] as const;
export type Targets = (typeof TARGETS)[number];

const REFUSED_NAMES = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Whether a text is an http or https URL, without user and password, of an allowed target. */
export function isWebTarget(text: string, targets: Targets): boolean {
  const url = URL.parse(text);
  const isPlain = url?.username === '' && url.password === '' && !hasUser(text);
  return isPlain && mayBeCalled(url, targets);
}

/** Also true for an empty user, which a parsed URL does not show: any text before an `@` of the authority. */
function hasUser(text: string): boolean {
  // URL parsers drop these three characters everywhere, and treat a backslash as a slash.
  const [, authority = ''] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  return authority.includes('@');
}

/** The caller resolves names and checks the addresses. URLs stored by earlier versions may hold user and password. */
export function mayBeCalled({ protocol, hostname }: URL, targets: Targets): boolean {
  if (!['http:', 'https:'].includes(protocol) || hostname === '') return false;
  return targets === 'any' || !isRefusedHost(hostname);
}

/** The host as a parsed URL spells it: IPv4 of any notation is four decimals by then, and IPv6 stands in brackets. */
function isRefusedHost(host: string): boolean {
  const [, inBrackets] = /^\[(.*)\]$/.exec(host) ?? [];
  if (inBrackets !== undefined) return isRefusedAddress(inBrackets);
  const name = host.replace(/\.+$/, '');
  if (isIPv4(name)) return isRefusedAddress(name);
  return REFUSED_NAMES.has(name) || name.endsWith('.localhost');
}

/**
 * The part of a webhook's URL that may be shown: the rest may hold a secret. Undefined for a text that is not a URL.
 */
export function schemeAndHost(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.host}` : undefined;
}
