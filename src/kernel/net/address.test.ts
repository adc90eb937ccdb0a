import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressSet, isAddressOrNetwork, plainAddress } from './address.ts';

describe('An address or network', () => {
  it.each([
    '0.0.0.0',
    '255.255.255.255',
    '10.0.0.0/8',
    '10.1.2.3/8',
    '0.0.0.0/0',
    '1.2.3.4/32',
    '::',
    '::1',
    '2001:db8::/32',
    '2001:DB8::1',
    '::/0',
    '::1/128',
    '::ffff:10.0.0.1',
  ])('is %s', (text) => expect(isAddressOrNetwork(text)).toBe(true));

  it.each([
    '',
    ' ',
    'localhost',
    'example.com',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/8 ',
    '1.2.3.4/0x8',
    '1.2.3.4/1e1',
    '/8',
    '::1/129',
    ':::1',
    '::g',
    '[::1]',
    '1.2.3.4:80',
    'fe80::1%eth0',
    '10.0.0.*',
    '10.0.0.1-10.0.0.9',
    '１.2.3.4',
  ])('is not "%s"', (text) => expect(isAddressOrNetwork(text)).toBe(false));

  it('is recognized without an exception in any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d.:/a-f%]*$/)), (text) => {
        if (isAddressOrNetwork(text)) expect(addressSet([text]).isEmpty).toBe(false);
      }),
    );
  });
});

describe('A set of addresses', () => {
  it.each([
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3/8'], '10.200.0.1', true],
    [['192.0.2.128/25'], '192.0.2.127', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['::1', '10.0.0.0/8'], '::1', true],
    [['2001:db8::/32'], '2001:0DB8:0000::1', true],
    [['2001:db8::/33'], '2001:db8:8000::', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.0.0.0/8'], 'localhost', false],
    [['10.0.0.0/8'], '', false],
    [[], '10.0.0.1', false],
  ])('%j has %s: %s', (items, address, isIn) => expect(addressSet(items).has(address)).toBe(isIn));

  it('has every address that shares the bits of a network, and no other', () => {
    const bits = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => ((a * 256 + b) * 256 + c) * 256 + d;
    const octets = fc.array(fc.nat({ max: 255 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(octets, octets, fc.nat({ max: 32 }), (network, address, length) => {
        const size = 2 ** (32 - length);
        const isInside = Math.floor(bits(network) / size) === Math.floor(bits(address) / size);
        expect(addressSet([`${network.join('.')}/${length}`]).has(address.join('.'))).toBe(isInside);
      }),
    );
  });

  it('is empty only without items', () => {
    expect([addressSet([]).isEmpty, addressSet(['::1']).isEmpty]).toEqual([true, false]);
  });
});

it.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.1'],
  ['::1', '::1'],
  ['::ffff:1', '::ffff:1'],
  ['', ''],
  ['2001:DB9::5', '2001:db9::5'],
  ['2001:db9:0:0:0:0:0:5', '2001:db9::5'],
  ['::FFFF:203.0.113.1', '203.0.113.1'],
  ['::ffff:cb00:7101', '203.0.113.1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('%s is plainly %s', (address, plain) => expect(plainAddress(address)).toBe(plain));
