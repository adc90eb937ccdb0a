// Addresses that a stranger must not reach through the service: loopback, link-local, multicast, metadata of clouds and private
// networks, in any notation and also inside of IPv6 addresses that stand for them.

import { isIPv4 } from 'node:net';
import { type AddressSet, addressSet, plainAddress } from './address.ts';

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

/** RFC 1918, and the shared addresses of providers (RFC 6598). */
const PRIVATE_IPV4 = addressSet(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']);

/** Unique local addresses, and the site-local ones before them. */
const PRIVATE_IPV6 = addressSet(['fc00::/7', 'fec0::/10']);

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

/** For resolved addresses. A text that is not an address is refused. */
export const isRefusedAddress = (address: string): boolean => isWithin(address, [REFUSED_IPV4], [REFUSED_IPV6]);

/** As `isRefusedAddress`, and true for addresses of private networks. */
export const isInternalAddress = (address: string): boolean =>
  isWithin(address, [REFUSED_IPV4, PRIVATE_IPV4], [REFUSED_IPV6, PRIVATE_IPV6]);

function isWithin(address: string, ipv4: readonly AddressSet[], ipv6: readonly AddressSet[]): boolean {
  const plain = plainAddress(address.replace(/%.*$/, ''));
  const isIn = (sets: readonly AddressSet[], one: string) => sets.some((set) => set.has(one));
  if (isIPv4(plain)) return isIn(ipv4, plain);
  const bytes = bytesOf(plain);
  if (!bytes) return true;
  return isIn(ipv6, plain) || embeddedIn(plain, bytes).some((inner) => isIn(ipv4, inner));
}

function embeddedIn(address: string, bytes: readonly number[]): string[] {
  const known = EMBEDDINGS.filter((_, index) => NETWORKS[index]?.has(address)).map(({ at, isInverted }) =>
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
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const groups = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return groups.flatMap((group) => [group >> 8, group & 255]);
}
