// The texts of an IPv6 network as a regular expression over the first groups of an address, which costs less than reading
// the address.

import { type AddressRange, ipv6DigitsOf } from './addresses.ts';

/**
 * Matches the IPv6 addresses of a network among all texts of IPv6 addresses without dots. Undefined if the range is not a
 * network, or one of its whole groups is zero and may therefore be omitted.
 */
export function networkRegex({ family, low, high }: AddressRange): string | undefined {
  const size = high - low + 1n;
  if (family === 4 || (size & (size - 1n)) !== 0n || low % size !== 0n) return undefined;
  const last = ipv6DigitsOf(family, high);
  const digits = [...ipv6DigitsOf(family, low)].map((digit, at) => digitRegex(digit, last.charAt(at)));
  const groups = Array.from({ length: 8 }, (_, at) => digits.slice(4 * at, 4 * at + 4));
  const compared = groups.filter((group) => !group.every((digit) => digit === ANY_DIGIT));
  if (compared.some((group) => group.every((digit) => digit === '0'))) return undefined;
  return compared.length === 0 ? '' : `^(?i)${compared.map(groupRegex).join(':')}(:|$)`;
}

const ANY_DIGIT = '[0-9a-f]';

function digitRegex(low: string, high: string): string {
  if (low === high) return low;
  const digits = '0123456789abcdef'.slice(Number.parseInt(low, 16), Number.parseInt(high, 16) + 1);
  return digits.length === 16 ? ANY_DIGIT : `[${digits}]`;
}

/** Zeros at the beginning may be left out, all four where `::` stands for the group. */
function groupRegex(digits: readonly string[]): string {
  const optional = digits.findIndex((digit) => !mayBeZero(digit));
  const count = optional === -1 ? digits.length : optional;
  const shorter = Array.from({ length: count + 1 }, (_, left) => digits.slice(left).join(''));
  return `(${shorter.join('|')})`;
}

const mayBeZero = (digit: string): boolean => digit === '0' || digit.startsWith('[0');
