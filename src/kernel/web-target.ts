// Allowed targets of webhooks. An account that sets up an alarm must not reach, through the service, addresses that
// only its machine or its cloud reaches: loopback, link-local, multicast and metadata addresses, in any notation.

import { isIPv4 } from 'node:net';
import { addressSet, plainAddress } from './address.ts';

/** `remote` excludes the targets refused here. */
export const TARGETS = ['remote', 'any'] as const;
export type Targets = (typeof TARGETS)[number];

/** Unspecified addresses lead to the loopback, too. Cloud metadata beyond 169.254.0.0/16: Alibaba, Azure, Oracle. */
const REFUSED_IPV4 = addressSet([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

/**
 * Cloud metadata: Amazon, Google, Oracle, Scaleway. 64:ff9b:1::/48 is translated by a rule of the local network (RFC
 * 8215): the position of the IPv4 address in it is unknown, so all of it is refused.
 */
const REFUSED_IPV6 = addressSet([
  '::',
  '::1',
  'fe80::/10',
  'ff00::/8',
  '64:ff9b:1::/48',
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
]);

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

/** An IPv6 network that embeds IPv4 addresses, and the byte at which the address begins. */
interface Embedding {
  readonly network: string;
  readonly prefix: number;
  readonly at: number;
  /** Teredo inverts the bits of the client. */
  readonly isInverted?: true;
}

const EMBEDDINGS: readonly Embedding[] = [
  { network: '::', prefix: 96, at: 12 }, // IPv4-compatible
  { network: '::ffff:0:0', prefix: 96, at: 12 }, // IPv4-mapped
  { network: '::ffff:0:0:0', prefix: 96, at: 12 }, // IPv4-translated (RFC 2765)
  { network: '64:ff9b::', prefix: 96, at: 12 }, // NAT64
  { network: '2002::', prefix: 16, at: 2 }, // 6to4
  { network: '2001::', prefix: 32, at: 4 }, // Teredo, server
  { network: '2001::', prefix: 32, at: 12, isInverted: true }, // Teredo, client
];

const NETWORKS = EMBEDDINGS.map(({ network, prefix }) => addressSet([`${network}/${prefix}`]));

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

/** For resolved addresses. A text that is not an address is refused. */
export function isRefusedAddress(address: string): boolean {
  const plain = plainAddress(address.replace(/%.*$/, ''));
  if (isIPv4(plain)) return REFUSED_IPV4.has(plain);
  const bytes = bytesOf(plain);
  if (!bytes) return true;
  return REFUSED_IPV6.has(plain) || embeddedIn(plain, bytes).some((inner) => REFUSED_IPV4.has(inner));
}

/** The host as a parsed URL spells it: IPv4 of any notation is four decimals by then, and IPv6 stands in brackets. */
function isRefusedHost(host: string): boolean {
  const [, inBrackets] = /^\[(.*)\]$/.exec(host) ?? [];
  if (inBrackets !== undefined) return isRefusedAddress(inBrackets);
  const name = host.replace(/\.+$/, '');
  if (isIPv4(name)) return isRefusedAddress(name);
  return REFUSED_NAMES.has(name) || name.endsWith('.localhost');
}

function embeddedIn(address: string, bytes: readonly number[]): string[] {
  const known = EMBEDDINGS.filter((_, place) => NETWORKS[place]?.has(address)).map(({ at, isInverted }) =>
    bytes.slice(at, at + 4).map((byte) => (isInverted ? byte ^ 255 : byte)),
  );
  // ISATAP (RFC 5214) is marked in the second half, in any network.
  const isIsatap = [0, 2].includes(bytes[8] ?? -1) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return [...known, ...(isIsatap ? [bytes.slice(12)] : [])].map((four) => four.join('.'));
}

/** The sixteen bytes of an IPv6 address as `plainAddress` writes it. */
function bytesOf(address: string): readonly number[] | undefined {
  const host = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = '', tail] = host.split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((digits) => Number.parseInt(digits, 16)));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const groups = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/**
 * The part of a webhook's URL that may be shown: the rest may hold a secret. Undefined for a text that is not a URL.
 */
export function schemeAndHost(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.host}` : undefined;
}
