// Locations of addresses by network, and ports of groups.

import { describe, expect, it } from 'vitest';
import { AddressGroup } from './address-group.ts';
import { cidrOf } from './addresses.ts';
import { type LocatedNetwork, locationsOf } from './locations.ts';

function placed(...networks: readonly string[]) {
  const all = networks.flatMap((network, index): LocatedNetwork[] => {
    const range = cidrOf(network);
    return range ? [{ range, location: new Map([['city', `${network} ${index}`]]) }] : [];
  });
  const locations = locationsOf(all);
  return (address: string) => locations.of(address)?.get('city');
}

describe('Locations of addresses', () => {
  it('are those of the narrowest network, at any position in the wider ones', () => {
    const at = placed('10.0.0.0/8', '10.0.0.0/16', '10.255.0.0/16', '10.5.0.0/16', '10.5.5.0/24', '10.5.5.5/32');
    expect(at('10.0.255.255')).toBe('10.0.0.0/16 1');
    expect(at('10.1.0.0')).toBe('10.0.0.0/8 0');
    expect(at('10.5.4.255')).toBe('10.5.0.0/16 3');
    expect(at('10.5.5.4')).toBe('10.5.5.0/24 4');
    expect(at('10.5.5.5')).toBe('10.5.5.5/32 5');
    expect(at('10.5.5.6')).toBe('10.5.5.0/24 4');
    expect(at('10.5.6.0')).toBe('10.5.0.0/16 3');
    expect(at('10.6.0.0')).toBe('10.0.0.0/8 0');
    expect(at('10.255.255.255')).toBe('10.255.0.0/16 2');
    expect(at('11.0.0.0')).toBeUndefined();
    expect(at('9.255.255.255')).toBeUndefined();
  });

  it('are those of the first of equal networks, in any order of the file', () => {
    expect(placed('10.0.0.0/8', '10.0.0.0/8')('10.0.0.1')).toBe('10.0.0.0/8 0');
    expect(placed('10.1.0.0/16', '10.0.0.0/8')('10.1.0.1')).toBe('10.1.0.0/16 0');
    expect(placed('10.1.0.0/16', '10.0.0.0/8')('10.2.0.1')).toBe('10.0.0.0/8 1');
  });

  it('differ by family, and do not exist for text that is no address', () => {
    const at = placed('0.0.0.0/0', '2001:db8::/32', '::/0');
    expect(at('255.255.255.255')).toBe('0.0.0.0/0 0');
    expect(at('::ffff:10.0.0.1')).toBe('0.0.0.0/0 0');
    expect(at('2001:db8:ffff::1')).toBe('2001:db8::/32 1');
    expect(at('2001:db9::')).toBe('::/0 2');
    expect(at('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')).toBe('::/0 2');
    for (const text of ['', 'x', '10.0.0', '10.0.0.0/8', 'fe80::1%eth0']) expect(at(text)).toBeUndefined();
    expect(placed()('10.0.0.1')).toBeUndefined();
  });
});

describe('Ports of a group', () => {
  const { ports } = new AddressGroup([
    'tcp/22',
    'TCP/80-90',
    'tcp/85-100',
    'udp/65000-99999',
    'udp/9-3',
    '10.0.0.0/8',
    'x',
  ]);

  it.each([
    [22n, 'tcp', true],
    [22n, 'TCP', true],
    [22n, 'udp', false],
    [100n, 'tcp', true],
    [101n, 'tcp', false],
    [65535n, 'udp', true],
    [65536n, 'udp', false],
    [5n, 'udp', false],
    [-1n, 'tcp', false],
    [22n, '', false],
  ])('hold %s of %s: %s', (port, protocol, isThere) => {
    expect(ports.has(port, protocol)).toBe(isThere);
  });
});
