// The address functions (9.6 of the reference). Addresses are strings in canonical form.

import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import {
  type Address,
  addressKey,
  addressOf,
  addressText,
  cidrOf,
  isWithin,
  networkOf,
  rangeTest,
} from '#query/values/addresses/addresses.ts';
import { textOf, wholeOf } from '#query/values/conversions.ts';
import { groupGuid, i, n, s, several, x } from './arguments.ts';
import { groupClues, presenceClues } from './clues.ts';

export const addresses: readonly FunctionDeclaration[] = [
  {
    name: 'ip',
    group: 'addresses',
    syntax: 'ip(x)',
    summary: {
      en: 'The canonical form of an address; a long from 0 to 2^32 - 1 is IPv4, and one from -2^31 to -1 counts 2^32 more. Null if the value is no address.',
      ko: '주소의 표준 표기입니다.',
    },
    args: [x],
    result: 'string',
    nulls: 'null',
    baseSteps: 12,
    local: ([x = null]) => {
      const address = addressIn(x);
      return address && addressText(address);
    },
    examples: [
      { text: 'ip("2001:DB8:0:0::1")', gives: '2001:db8::1' },
      { text: 'ip(-2147483648)', gives: '128.0.0.0' },
    ],
  },
  {
    name: 'network',
    group: 'addresses',
    syntax: 'network(s, bits)',
    summary: {
      en: 'The first address of the network; null if the bits are out of range.',
      ko: '네트워크의 첫 주소입니다.',
    },
    args: [s, i],
    result: 'string',
    nulls: 'null',
    baseSteps: 12,
    local: ([text, bits = 0n]) => {
      const address = addressOf(`${text}`);
      const first = address && networkOf(address, typeof bits === 'bigint' ? bits : -1n);
      return first && addressText(first);
    },
    examples: [{ text: 'network("2001:db8:1::5", 32)', gives: '2001:db8::' }],
  },
  {
    name: 'innet',
    group: 'addresses',
    syntax: 'innet(s, cidr)',
    summary: {
      en: 'True if an address is in the network `address/bits`. False for null.',
      ko: '주소가 네트워크에 있으면 참입니다.',
    },
    args: [s, s],
    result: 'bool',
    nulls: 'own',
    clues: presenceClues,
    baseSteps: 4,
    testOf: ([cidr], { zone }) => {
      const text = textOf(cidr?.value ?? null, zone);
      const network = text === null ? null : cidrOf(text);
      return network ? rangeTest(network) : () => false;
    },
    local: ([text = null, cidr = null]) => {
      if (text === null || cidr === null) return false;
      const address = addressOf(`${text}`);
      const network = cidrOf(`${cidr}`);
      return address !== null && network !== null && isWithin(address, network);
    },
    examples: [{ text: 'innet("::ffff:10.1.2.3", "10.0.0.0/8")', gives: true }],
  },
  {
    name: 'iprange',
    group: 'addresses',
    syntax: 'iprange(s, lo, hi)',
    summary: {
      en: 'True if an address is between two addresses, both included. False for null.',
      ko: '주소가 두 주소 사이에 있으면 참입니다.',
    },
    args: [s, s, s],
    result: 'bool',
    nulls: 'own',
    clues: presenceClues,
    baseSteps: 6,
    testOf: (bounds, { zone }) => {
      const [low, high] = bounds.map(({ value = null }) => addressOf(textOf(value, zone) ?? ''));
      if (!low || !high || low.family !== high.family) return () => false;
      return rangeTest({ family: low.family, low: low.number, high: high.number });
    },
    local: (args) => {
      const [address, low, high] = args.map((text) => (text === null ? null : addressOf(`${text}`)));
      if (!address || !low || !high || low.family !== high.family) return false;
      return isWithin(address, { family: low.family, low: low.number, high: high.number });
    },
    examples: [{ text: 'iprange("10.0.0.9", "10.0.0.1", "10.0.0.10")', gives: true }],
  },
  {
    name: 'ipkey',
    group: 'addresses',
    syntax: 'ipkey(s)',
    summary: {
      en: 'A text that sorts by address: `4` and 8, or `6` and 32 hexadecimal digits.',
      ko: '주소 순으로 정렬되는 텍스트입니다.',
    },
    args: [s],
    result: 'string',
    nulls: 'null',
    baseSteps: 8,
    local: ([text]) => {
      const address = addressOf(`${text}`);
      return address && addressKey(address);
    },
    examples: [{ text: 'ipkey("10.0.0.1")', gives: '40a000001' }],
  },
  {
    name: 'ip2long',
    group: 'addresses',
    syntax: 'ip2long(s)',
    summary: { en: 'The number of an IPv4 address.', ko: 'IPv4 주소의 수입니다.' },
    args: [s],
    result: 'long',
    nulls: 'null',
    baseSteps: 4,
    local: ([text]) => {
      const address = addressOf(`${text}`);
      return address?.family === 4 ? address.number : null;
    },
    examples: [{ text: 'ip2long("0.0.1.0")', gives: 256 }],
  },
  {
    name: 'long2ip',
    group: 'addresses',
    syntax: 'long2ip(n)',
    summary: { en: 'The IPv4 address of a number, negative ones as in ip().', ko: '수의 IPv4 주소입니다.' },
    args: [n],
    result: 'string',
    nulls: 'null',
    local: ([n = null]) => ipv4Of(wholeOf(n)),
    examples: [
      { text: 'long2ip(256)', gives: '0.0.1.0' },
      { text: 'long2ip(-1)', gives: '255.255.255.255' },
      { text: 'long2ip(-2147483649)', gives: null },
    ],
  },
  {
    name: 'ip2int',
    group: 'addresses',
    syntax: 'ip2int(s)',
    summary: {
      en: 'The number of an IPv4 address as a signed number of 32 bits.',
      ko: 'IPv4 주소의 부호 있는 32비트 수입니다.',
    },
    args: [s],
    result: 'long',
    nulls: 'null',
    baseSteps: 4,
    local: ([text]) => {
      const address = addressOf(`${text}`);
      return address?.family === 4 ? BigInt.asIntN(32, address.number) : null;
    },
    examples: [
      { text: 'ip2int("127.0.0.1")', gives: 2130706433 },
      { text: 'ip2int("192.168.0.1")', gives: -1062731775 },
    ],
  },
  {
    name: 'matchnet',
    group: 'addresses',
    syntax: "matchnet(guid', s)",
    summary: {
      en: 'True if an address belongs to the address group. False for null.',
      ko: '주소가 주소 그룹에 있으면 참입니다.',
    },
    args: [groupGuid, s],
    result: 'bool',
    nulls: 'own',
    clues: groupClues,
    local: ([guid, text = null], { groups }) =>
      text !== null && (groups.get(`${guid}`.toLowerCase())?.has(`${text}`) ?? false),
    examples: [{ text: 'matchnet("11111111-1111-1111-1111-111111111111", "192.168.0.7")', gives: true }],
  },
  {
    name: 'matchblackip',
    group: 'addresses',
    syntax: "matchblackip(guid', s, ...)",
    summary: {
      en: 'True if any of the addresses belongs to the address group. Null belongs to no group.',
      ko: '주소 중 하나라도 주소 그룹에 있으면 참입니다.',
    },
    args: [groupGuid, several(s)],
    result: 'bool',
    nulls: 'own',
    local: ([guid, ...texts], { groups }) => {
      const group = groups.get(`${guid}`.toLowerCase());
      return texts.some((text) => text !== null && (group?.has(`${text}`) ?? false));
    },
    examples: [
      { text: 'matchblackip("11111111-1111-1111-1111-111111111111", null, "172.16.0.1", "10.1.2.3")', gives: true },
      { text: 'matchblackip("11111111-1111-1111-1111-111111111111", null, "10.1.2")', gives: false },
    ],
  },
  {
    name: 'matchport',
    group: 'addresses',
    syntax: "matchport(guid', i, s)",
    summary: {
      en: 'True if port and protocol match an entry of the port group, such as `tcp/22` or `udp/1000-2000`. The protocol is compared without regard to case. False for null.',
      ko: '포트와 프로토콜이 포트 그룹의 항목과 맞으면 참입니다.',
    },
    args: [groupGuid, i, s],
    result: 'bool',
    nulls: 'own',
    local: ([guid, port = null, protocol = null], { groups }) =>
      typeof port === 'bigint' &&
      protocol !== null &&
      (groups.get(`${guid}`.toLowerCase())?.ports.has(port, `${protocol}`) ?? false),
    examples: [
      { text: 'matchport("11111111-1111-1111-1111-111111111111", "1500", "UDP")', gives: true },
      { text: 'matchport("11111111-1111-1111-1111-111111111111", 22, "udp")', gives: false },
    ],
  },
  {
    name: 'reverseip',
    group: 'addresses',
    syntax: 'reverseip(s)',
    summary: {
      en: 'The parts of an address in reverse order, as in the names of reverse DNS zones and DNS block lists: four decimals of IPv4, 32 hexadecimal digits of IPv6, separated by dots.',
      ko: '주소의 부분을 거꾸로 씁니다.',
    },
    args: [s],
    result: 'string',
    nulls: 'null',
    local: ([text]) => {
      const address = addressOf(`${text}`);
      if (!address) return null;
      const parts = address.family === 4 ? addressText(address).split('.') : [...addressKey(address).slice(1)];
      return parts.reverse().join('.');
    },
    examples: [
      { text: 'reverseip("192.0.2.10")', gives: '10.2.0.192' },
      {
        text: 'reverseip("2001:db8::1")',
        gives: '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2',
      },
      { text: 'reverseip("10.1.2")', gives: null },
    ],
  },
];

/** An address from text, or from a long of 32 bits, signed or not. */
function addressIn(x: Value): Address | null {
  if (typeof x === 'string') return addressOf(x);
  if (typeof x !== 'bigint' || x < -(2n ** 31n) || x >= 2n ** 32n) return null;
  return { family: 4, number: BigInt.asUintN(32, x) };
}

function ipv4Of(number: bigint | null): Value {
  const address = addressIn(number);
  return address && addressText(address);
}
