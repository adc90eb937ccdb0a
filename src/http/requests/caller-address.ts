// The client address of a request. `X-Forwarded-For` is trusted only from trusted proxies, and then read from the
// right: the client controls everything left of the last untrusted address.

import { isIP } from 'node:net';
import { type AddressSet, plainAddress } from '#kernel/net/address.ts';

export function callerAddress(peer: string, forwardedFor: string | undefined, proxies: AddressSet): string {
  let address = plainAddress(peer);
  if (proxies.isEmpty || forwardedFor === undefined) return address;
  for (const hop of forwardedFor.split(',').reverse()) {
    if (!proxies.has(address)) return address;
    const named = plainAddress(withoutPort(hop.trim()));
    if (isIP(named) === 0) return address;
    address = named;
  }
  return address;
}

function withoutPort(hop: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}
