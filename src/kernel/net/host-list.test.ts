import { describe, expect, it } from 'vitest';
import { hostList, isHostItem } from './host-list.ts';

describe('A list of hosts', () => {
  it.each([
    ['db.example.com', 'db.example.com', 5432, true],
    ['db.example.com', 'DB.example.com.', 5432, true],
    ['db.example.com', 'x.db.example.com', 5432, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'badexample.com', 443, false],
    ['*.example.com', '.example.com', 443, false],
    ['api.example.com:8443', 'api.example.com', 8443, true],
    ['api.example.com:8443', 'api.example.com', 443, false],
    ['10.0.0.5', '10.0.0.5', 1, true],
    ['10.0.0.5', '::ffff:10.0.0.5', 1, true],
    ['10.0.0.0/8:5432', '10.9.9.9', 5432, true],
    ['10.0.0.0/8:5432', '10.9.9.9', 3306, false],
    ['[2001:db8::/32]:443', '[2001:db8::9]', 443, true],
    ['2001:db8::/32', '2001:db8::9', 80, true],
    ['2001:db8::/32', '2001:db9::9', 80, false],
    // Only names are compared with names, and addresses with addresses.
    ['*.0.0.5', '10.0.0.5', 1, false],
    ['fe80::/10', 'fe80::1%eth0', 1, false],
    ['127.0.0.1', '127.1', 1, false],
    ['', 'db.example.com', 5432, false],
  ])('%s and the host %s on port %i: %s', (item, host, port, isListed) => {
    expect(hostList(item === '' ? [] : [item]).has(host, port)).toBe(isListed);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fd12::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:0a00:0001::',
  ])('does not open %s behind a listed name, unless the address or its network is listed itself', (address) => {
    expect(hostList(['db.example.com']).mayConnect(address, 5432)).toBe(false);
    expect(hostList(['db.example.com', address]).mayConnect(address, 5432)).toBe(true);
    expect(hostList([address.includes('.') ? `${address}:1` : `[${address}]:1`]).mayConnect(address, 5432)).toBe(false);
  });

  it('opens any other address behind a listed name', () => {
    expect(hostList(['db.example.com']).mayConnect('203.0.113.7', 5432)).toBe(true);
    expect(hostList(['db.example.com']).mayConnect('2001:db8::7', 5432)).toBe(true);
  });

  it('has items of known forms alone', () => {
    const good = ['a', 'a.b', '*.b', 'a.b:1', '1.2.3.4', '1.2.3.0/24:80', '::1', '[::1]:80', '[::1]', '한국.kr'];
    expect(good.filter((item) => !isHostItem(item))).toEqual([]);
    const bad = ['', '*', 'a.*', '*b', 'a:0', 'a:65536', 'a:x', 'http://a', 'a/b', '1.2.3.0/33', '[a]:1', 'a b', '-a'];
    expect(bad.filter(isHostItem)).toEqual([]);
  });
});
