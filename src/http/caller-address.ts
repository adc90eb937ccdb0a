// The address a request counts as coming from. `X-Forwarded-For` is believed only from trusted proxies, and then read
// from the right: everything left of the last untrusted address is whatever the client chose to write.

import { isIP } from 'node:net';
import { type AddressSet, plainAddress } from '#kernel/address.ts';

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
