// Where a webhook may point. A person who sets up an alarm must not reach, through the service, what only its machine or its
// cloud reaches: loopback, link-local, multicast and metadata addresses, in whatever notation they are written.

import { isIPv4 } from 'node:net';
import { addressSet, plainAddress } from './address.ts';

/** `remote` leaves out the targets that are refused here. */
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
 * Cloud metadata: Amazon, Google, Oracle, Scaleway. 64:ff9b:1::/48 is translated by a rule of the local network (RFC 8215):
 * where in it the IPv4 address stands cannot be known, so all of it is refused.
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

/** How IPv6 carries IPv4: the network in which it does, and the byte where the address begins. */
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

/** Whether a text is an http or https URL without user and password that may be called. */
export function isWebTarget(text: string, targets: Targets): boolean {
  const url = URL.parse(text);
  const isPlain = url?.username === '' && url.password === '' && !hasUser(text);
  return isPlain && mayBeCalled(url, targets);
}

/** Also an empty one, of which a parsed url tells nothing: whatever stands before an `@` of the part that names the host. */
function hasUser(text: string): boolean {
  // A parser of urls passes over these three characters wherever they are, and takes a backslash for a slash.
  const [, authority = ''] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  return authority.includes('@');
}

/** Names are resolved, and what they resolve to is looked at, by the caller. Urls of before may hold user and password. */
export function mayBeCalled({ protocol, hostname }: URL, targets: Targets): boolean {
  if (!['http:', 'https:'].includes(protocol) || hostname === '') return false;
  return targets === 'any' || !isRefusedHost(hostname);
}

/** Of an address; for what a name resolved to. A text that is no address is refused. */
export function isRefusedAddress(address: string): boolean {
  const plain = plainAddress(address.replace(/%.*$/, ''));
  if (isIPv4(plain)) return REFUSED_IPV4.has(plain);
  const bytes = bytesOf(plain);
  if (!bytes) return true;
  return REFUSED_IPV6.has(plain) || embeddedIn(plain, bytes).some((inner) => REFUSED_IPV4.has(inner));
}

/** As a URL spells it: IPv4 of any notation is four decimals by then, and IPv6 stands in brackets. */
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
  // ISATAP (RFC 5214) has its mark in the second half, whatever the network.
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

/** All of a webhook's url that may be shown: the rest may hold a secret. Undefined for a text that is no url. */
export function schemeAndHost(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.host}` : undefined;
}
