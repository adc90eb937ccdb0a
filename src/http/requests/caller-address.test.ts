import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressSet } from '#kernel/net/address.ts';
import { callerAddress } from './caller-address.ts';

const none = addressSet([]);
const proxies = addressSet(['10.0.0.0/8', '2001:db8::/32']);

describe("The caller's address", () => {
  it.each([
    ['the peer, where no proxy is trusted', '10.0.0.1', '203.0.113.1', none, '10.0.0.1'],
    ['the peer, when it is no trusted proxy', '192.0.2.1', '203.0.113.1', proxies, '192.0.2.1'],
    ['the peer, when the header is absent', '10.0.0.1', undefined, proxies, '10.0.0.1'],
    ['an IPv4 peer of a dual-stack socket', '::ffff:192.0.2.1', undefined, none, '192.0.2.1'],
    ['behind such a proxy', '::ffff:10.0.0.1', '203.0.113.1', proxies, '203.0.113.1'],
    ['the last address', '10.0.0.1', '1.1.1.1, 203.0.113.1', proxies, '203.0.113.1'],
    ['the last that is not trusted', '10.0.0.1', '1.1.1.1, 203.0.113.1, 10.0.0.2', proxies, '203.0.113.1'],
    ['through proxies of both families', '2001:db8::1', '203.0.113.1, 10.0.0.2', proxies, '203.0.113.1'],
    ['not what a client wrote in front', '10.0.0.1', '10.9.9.9, 203.0.113.1', proxies, '203.0.113.1'],
    ['an IPv6 address', '10.0.0.1', '2001:db9::7', proxies, '2001:db9::7'],
    ['a mapped IPv4 address as IPv4', '10.0.0.1', '::ffff:203.0.113.1', proxies, '203.0.113.1'],
  ])('is %s', (_, peer, forwarded, trusted, address) => {
    expect(callerAddress(peer, forwarded, trusted)).toBe(address);
  });

  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', '10.200.3.4', '2001:db8::1'));
  const hop = fc.oneof(address, fc.string(), fc.constantFrom('unknown', '', '999.9.9.9', '_x'));

  it('is an address, whatever the header says', () => {
    fc.assert(
      fc.property(address, fc.array(hop), (peer, hops) => {
        expect(isIP(callerAddress(peer, hops.join(', '), proxies))).toBeGreaterThan(0);
      }),
    );
  });

  it('does not depend on what stands left of the last untrusted address', () => {
    const trusted = fc.constantFrom('10.0.0.1', '10.200.3.4', '2001:db8::1');
    const untrusted = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => isIP(text) > 0 && !proxies.has(text));
    fc.assert(
      fc.property(fc.array(hop), untrusted, fc.array(trusted), (spoofed, client, chain) => {
        const forwarded = (hops: readonly string[]) => hops.join(',');
        const honest = callerAddress('10.0.0.1', forwarded([client, ...chain]), proxies);
        expect(callerAddress('10.0.0.1', forwarded([...spoofed, client, ...chain]), proxies)).toBe(honest);
        expect(proxies.has(honest)).toBe(false);
      }),
    );
  });
});
