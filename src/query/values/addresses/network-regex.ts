// The texts of an IPv6 network as a regular expression over the first groups of an address, which costs less than reading
// the address.

import { type AddressRange, ipv6DigitsOf } from './addresses.ts';

/** The digits that a group may have at each of its four places. */
type Group = readonly string[];

/** Matches the IPv6 addresses of a network among all texts of IPv6 addresses without dots. Undefined if the range is not a network. */
export function networkRegex({ family, low, high }: AddressRange): string | undefined {
  const size = high - low + 1n;
  if (family === 4 || (size & (size - 1n)) !== 0n || low % size !== 0n) return undefined;
  const last = ipv6DigitsOf(family, high);
  const digits = [...ipv6DigitsOf(family, low)].map((digit, at) => digitRegex(digit, last.charAt(at)));
  const groups = Array.from({ length: GROUPS }, (_, at) => digits.slice(4 * at, 4 * at + 4));
  const compared = groups.filter((group) => !group.every((digit) => digit === ANY_DIGIT));
  return compared.length === 0 ? '' : `^(?i)(${[`${joined(compared)}(:|$)`, ...shortened(compared)].join('|')})`;
}

const GROUPS = 8;
const ANY_GROUP = '[0-9a-f]+';

const joined = (groups: readonly Group[]): string => groups.map(groupRegex).join(':');

/** The texts in which `::` stands for some of the compared groups: zeros from one group up to before another. */
function shortened(compared: readonly Group[]): string[] {
  return compared.flatMap((_, begin) => {
    const zeros = compared.slice(begin).findIndex((group) => !group.every(mayBeZero));
    const end = zeros === -1 ? compared.length : begin + zeros;
    const before = joined(compared.slice(0, begin));
    const ends = Array.from({ length: end - begin }, (_one, at) => begin + 1 + at);
    return ends.map((after) => `${before}::${behindZeros(compared, after)}$`);
  });
}

/** Those that `::` stands for end before the group at `after`, or behind all that are compared. */
function behindZeros(compared: readonly Group[], after: number): string {
  const others = GROUPS - compared.length;
  if (after < compared.length) return `${joined(compared.slice(after))}(:${ANY_GROUP}){${others}}`;
  return others === 0 ? '' : `(${ANY_GROUP}(:${ANY_GROUP}){0,${others - 1}})?`;
}

const ANY_DIGIT = '[0-9a-f]';

function digitRegex(low: string, high: string): string {
  if (low === high) return low;
  const digits = '0123456789abcdef'.slice(Number.parseInt(low, 16), Number.parseInt(high, 16) + 1);
  return digits.length === 16 ? ANY_DIGIT : `[${digits}]`;
}

/** Zeros at the beginning may be left out, but for the last digit. */
function groupRegex(digits: Group): string {
  const first = digits.findIndex((digit) => !mayBeZero(digit));
  const most = first === -1 ? digits.length - 1 : first;
  const shorter = Array.from({ length: most + 1 }, (_, left) => digits.slice(left).join(''));
  return `(${shorter.join('|')})`;
}

const mayBeZero = (digit: string): boolean => digit === '0' || digit.startsWith('[0');
