// The address behind a host that is listed. A name is resolved once, and the connection goes to the address that was checked
// here, which prevents DNS rebinding.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type HostList, plainHost } from '#kernel/net/host-list.ts';

export type HostFailure = 'host-not-allowed' | 'address-not-allowed' | 'unreachable';

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolveHost = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Refuses a host if any of its addresses is not allowed. */
export async function checkedAddress(
  { host, port }: { readonly host: string; readonly port: number },
  hosts: HostList,
  resolve: ResolveHost = addressesOf,
): Promise<CheckedAddress | HostFailure> {
  if (!hosts.has(host, port)) return 'host-not-allowed';
  const found = await resolve(plainHost(host)).catch(() => []);
  const [first] = found;
  if (first === undefined) return 'unreachable';
  if (!found.every(({ address }) => hosts.mayConnect(address, port))) return 'address-not-allowed';
  return { address: first.address, family: isIP(first.address) === 6 ? 6 : 4 };
}

const addressesOf: ResolveHost = async (host) =>
  isIP(host) === 0 ? await lookup(host, { all: true, order: 'ipv4first' }) : [{ address: host }];
