import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusedAddress } from './special-addresses.ts';
import { isWebTarget, schemeAndHost } from './web-target.ts';

const REFUSED_URLS = [
  // Loopback, and the unspecified addresses that lead to it
  'http://localhost/x',
  'http://LOCALHOST./x',
  'http://a.b.localhost',
  'http://ip6-localhost',
  'http://%6c%6fcalhost',
  'http://ⓛocalhost',
  'http://127.0.0.1',
  'http://127.9.9.9:8443/x',
  'http://2130706433',
  'http://017700000001',
  'http://0x7f000001',
  'http://0x7f.1',
  'http://127.1',
  'http://0177.0.0.01',
  'http://①②⑦.0.0.1',
  'http://0.0.0.0',
  'http://0',
  'http://[::1]',
  'http://[::]',
  'http://[0:0:0:0:0:0:0:1]',
  // Link-local, multicast, broadcast
  'http://169.254.1.1',
  'http://[fe80::1]',
  'http://[febf::1]',
  'http://224.0.0.1',
  'http://239.255.255.250',
  'http://255.255.255.255',
  'http://[ff02::1]',
  // Metadata of clouds
  'http://169.254.169.254/latest',
  'http://2852039166',
  'http://0xa9fea9fe',
  'http://0251.0376.0251.0376',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://192.0.0.192',
  'http://[fd00:ec2::254]',
  'http://[fd20:ce::254]',
  'http://[fd00:c1::a9fe:a9fe]',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://METADATA.google.internal.',
  'http://metadata.goog',
  'http://instance-data',
  // IPv4 in IPv6
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:a9fe:a9fe]',
  'http://[::127.0.0.1]',
  'http://[::a9fe:a9fe]',
  'http://[::ffff:0:127.0.0.1]',
  'http://[64:ff9b::127.0.0.1]',
  'http://[64:ff9b::a9fe:a9fe]',
  'http://[64:ff9b:1::7f00:1]',
  'http://[64:ff9b:1:7f00:0:100::]',
  'http://[2002:7f00:1::]',
  'http://[2002:a9fe:a9fe::1]',
  'http://[2001:0:7f00:1::1]',
  'http://[2001:0:808:808:0:0:80ff:fffe]',
  'http://[2001:db8::5efe:127.0.0.1]',
  'http://[2001:db8::200:5efe:a9fe:a9fe]',
];

const ALLOWED_URLS = [
  'http://10.0.0.5:8080/x',
  'https://192.168.1.1',
  'https://example.com',
  'https://localhost.example.com',
  'http://128.0.0.1',
  'http://[2001:db8::1]/x',
  'http://[fd12:3456::1]',
  'http://[::ffff:8.8.8.8]',
  'http://[64:ff9b::8.8.8.8]',
  'http://[2002:808:808::1]',
  'http://example.com/@x',
  'http://example.com?a=@x',
  'http://example.com#@x',
  'http://example.com\\@x',
];

const WRONG_URLS = [
  '',
  'example.com',
  'http://',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user@example.com',
  'http://user:password@example.com',
  'http://:password@example.com',
  'http://@example.com/',
  'http://:@example.com/',
  'https:@example.com',
  'https:/\\@example.com',
  ' ht\ttp:/\n/@example.com',
];

describe('A webhook may not point at', () => {
  it.each(REFUSED_URLS)('%s, unless any target is allowed', (url) => {
    expect([isWebTarget(url, 'remote'), isWebTarget(url, 'any')]).toEqual([false, true]);
  });

  it.each(WRONG_URLS)('%s, whatever is allowed', (url) => {
    expect([isWebTarget(url, 'remote'), isWebTarget(url, 'any')]).toEqual([false, false]);
  });

  it.each(ALLOWED_URLS)('anything but those: %s', (url) => expect(isWebTarget(url, 'remote')).toBe(true));
});

const hex = (...bytes: number[]) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
const groups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => `${hex(a, b)}:${hex(c, d)}`;
const inverted = (bytes: readonly number[]) => bytes.map((byte) => byte ^ 255);

const EMBEDDINGS: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  mapped: (bytes) => `::ffff:${bytes.join('.')}`,
  compatible: (bytes) => `::${groups(bytes)}`,
  translated: (bytes) => `::ffff:0:${groups(bytes)}`,
  NAT64: (bytes) => `64:ff9b::${groups(bytes)}`,
  'local NAT64': (bytes) => `64:ff9b:1:1::${groups(bytes)}`,
  '6to4': (bytes) => `2002:${groups(bytes)}::1`,
  'Teredo server': (bytes) => `2001:0:${groups(bytes)}::`,
  'Teredo client': (bytes) => `2001:0:808:808::${groups(inverted(bytes))}`,
  ISATAP: (bytes) => `2001:db8::5efe:${groups(bytes)}`,
};

const octet = fc.nat(255);
const ipv4 = fc.oneof(
  fc.tuple(octet, octet, octet, octet),
  fc.tuple(fc.constantFrom(0, 127, 224, 239), octet, octet, octet),
  fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  fc.constantFrom([100, 100, 100, 200], [255, 255, 255, 255], [168, 63, 129, 16], [192, 0, 0, 192]),
);

describe('Every IPv4 address that is refused', () => {
  it.each(Object.entries(EMBEDDINGS))('is refused as %s too', (_, embedded) => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        fc.pre(isRefusedAddress(bytes.join('.')));
        expect(isRefusedAddress(embedded(bytes))).toBe(true);
        expect(isWebTarget(`http://[${embedded(bytes)}]/`, 'remote')).toBe(false);
      }),
    );
  });

  it('is refused in every notation of its number', () => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
        const wanted = !isRefusedAddress(bytes.join('.'));
        const octal = bytes.map((byte) => `0${byte.toString(8)}`).join('.');
        for (const host of [`${number}`, `0x${number.toString(16)}`, `0${number.toString(8)}`, octal]) {
          expect(isWebTarget(`http://${host}/`, 'remote')).toBe(wanted);
        }
      }),
    );
  });

  it('is refused with a zone behind it, and so is a text that is not an address', () => {
    expect(['fe80::1%eth0', '::1%lo', 'x', '', '1.2.3'].map(isRefusedAddress)).toEqual(Array(5).fill(true));
  });
});

it.each([
  ['https://hooks.example.com/services/T0/secret?token=x#y', 'https://hooks.example.com'],
  ['http://user:password@example.com:8080/x', 'http://example.com:8080'],
  ['file:///etc/passwd', 'file://'],
  ['mailto:secret', 'mailto://'],
  ['no url', undefined],
])('Of %s only scheme and host are shown', (url, shown) => expect(schemeAndHost(url)).toBe(shown));
