// Caller addresses, and the networks they are compared with (trusted proxies, trust_hosts).

import { BlockList, isIP, isIPv4 } from 'node:net';

export interface AddressSet {
  readonly isEmpty: boolean;
  has(address: string): boolean;
}

/** True for an IPv4 or IPv6 address, or such an address with a prefix length. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Every item must satisfy `isAddressOrNetwork`. */
export function addressSet(items: readonly string[]): AddressSet {
  const list = new BlockList();
  for (const item of items) {
    const [address = '', prefix] = item.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return {
    isEmpty: items.length === 0,
    has: (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6'),
  };
}

/**
 * The canonical text of an address, so that two can be compared. An IPv4 peer of a dual-stack socket arrives as
 * `::ffff:10.0.0.1`; it becomes the IPv4 address.
 */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const host = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (host === undefined) return address;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low]
    .flatMap((digits) => [Number.parseInt(digits, 16) >> 8, Number.parseInt(digits, 16) & 255])
    .join('.');
}
