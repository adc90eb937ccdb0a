import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, cidrOf } from './addresses.ts';
import { networkRegex } from './network-regex.ts';

const regexOf = (cidr: string) => {
  const network = cidrOf(cidr);
  if (!network) throw new Error(`${cidr} is not a network`);
  return networkRegex(network);
};

describe('The regular expression of an IPv6 network', () => {
  it.each([
    ['2001:db8::/32', '^(?i)((2001):(0db8|db8)(:|$))'],
    ['fe80::/10', '^(?i)((fe[89ab][0-9a-f])(:|$))'],
    [
      '2001:db8:0:1::/64',
      '^(?i)((2001):(0db8|db8):(0000|000|00|0):(0001|001|01|1)(:|$)|(2001):(0db8|db8)::(0001|001|01|1)(:[0-9a-f]+){4}$)',
    ],
    [
      '1:2:3:4:5:6:7:0/128',
      '^(?i)((0001|001|01|1):(0002|002|02|2):(0003|003|03|3):(0004|004|04|4):(0005|005|05|5):(0006|006|06|6):(0007|007|07|7):(0000|000|00|0)(:|$)|(0001|001|01|1):(0002|002|02|2):(0003|003|03|3):(0004|004|04|4):(0005|005|05|5):(0006|006|06|6):(0007|007|07|7)::$)',
    ],
    ['::/0', ''],
  ])('of %s has the digits of its groups', (cidr, regex) => expect(regexOf(cidr)).toBe(regex));

  it('does not exist for IPv4', () => expect(regexOf('10.0.0.0/8')).toBeUndefined());

  it('matches the addresses of a network in every form of their texts', () => {
    fc.assert(
      fc.property(ADDRESS, ADDRESS, fc.integer({ min: 1, max: 128 }), (one, other, bits) => {
        const network = cidrOf(`${one}/${bits}`);
        const address = addressOf(other);
        if (!network || network.family === 4 || !address || address.family === 4) return;
        const regex = new RegExp(networkRegex(network)?.replace('(?i)', '') ?? '', 'i');
        const isWithin = network.low <= address.number && address.number <= network.high;
        expect([one, other, bits, regex.test(other)]).toEqual([one, other, bits, isWithin]);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Of few different groups, with some of their zeros left out. */
const ADDRESS = fc
  .tuple(
    fc.array(fc.constantFrom('0', '0', '0000', '1', '001', 'db8', 'FFFF'), { minLength: 8, maxLength: 8 }),
    fc.nat(7),
    fc.nat(8),
  )
  .map(([groups, begin, count]) => {
    const end = Math.min(8, begin + count);
    const isShort = end > begin && groups.slice(begin, end).every((group) => /^0+$/.test(group));
    return isShort ? `${groups.slice(0, begin).join(':')}::${groups.slice(end).join(':')}` : groups.join(':');
  });
