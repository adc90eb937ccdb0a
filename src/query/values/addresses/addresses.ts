// Addresses (9.6) as a family and a number. Their text is canonical: IPv4 in decimals, IPv6 by RFC 5952.

import { isIPv6 } from 'node:net';
import type { Value } from '#query/model/values.ts';

export interface Address {
  readonly family: 4 | 6;
  readonly number: bigint;
}

const MAPPED = 0xffffn << 32n;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Four decimals without leading zeros as one number; undefined for any other text. */
export function ipv4Of(text: string): number | undefined {
  const { length } = text;
  if (length < 7 || length > 15) return undefined;
  let number = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0) return undefined;
      number = number * 256 + part;
      dots += 1;
      part = 0;
      digits = 0;
    } else {
      if (code < ZERO || code > NINE || (digits > 0 && part === 0)) return undefined;
      part = part * 10 + code - ZERO;
      digits += 1;
      if (part > 255) return undefined;
    }
  }
  return dots === 3 && digits > 0 ? number * 256 + part : undefined;
}

export function addressOf(text: string): Address | null {
  const ipv4 = ipv4Of(text);
  if (ipv4 !== undefined) return { family: 4, number: BigInt(ipv4) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const number = ipv6Number(text);
  return number >> 32n === 0xffffn ? { family: 4, number: number - MAPPED } : { family: 6, number };
}

const ipv4Number = (text: string): bigint => text.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);

function ipv6Number(text: string): bigint {
  const tail = /\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0];
  const inner = tail ? ipv4Number(tail) : 0n;
  const hex = tail
    ? `${text.slice(0, -tail.length)}${(inner >> 16n).toString(16)}:${(inner & 0xffffn).toString(16)}`
    : text;
  const [head = '', rest] = hex.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].reduce((number, part) => (number << 16n) + BigInt(`0x${part}`), 0n);
}

export function addressText({ family, number }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join('.');
  const parts = Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  const run = longestZeros(parts);
  if (!run) return parts.join(':');
  return `${parts.slice(0, run.at).join(':')}::${parts.slice(run.at + run.length).join(':')}`;
}

/** The longest run of at least two zeros; the first of equally long ones. */
function longestZeros(parts: readonly string[]): { at: number; length: number } | undefined {
  let best: { at: number; length: number } | undefined;
  for (let at = 0; at < parts.length; at += 1) {
    let length = 0;
    while (parts[at + length] === '0') length += 1;
    if (length > Math.max(1, best?.length ?? 0)) best = { at, length };
    at += length;
  }
  return best;
}

const bitsOf = ({ family }: Address): number => (family === 4 ? 32 : 128);

export function networkOf(address: Address, bits: bigint): Address | null {
  if (bits < 0n || bits > bitsOf(address)) return null;
  const rest = BigInt(bitsOf(address)) - bits;
  return { family: address.family, number: (address.number >> rest) << rest };
}

export interface AddressRange {
  readonly family: 4 | 6;
  readonly low: bigint;
  readonly high: bigint;
}

/** `address/bits` */
export function cidrOf(text: string): AddressRange | null {
  const [, head = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = addressOf(head);
  // The prefix length of an IPv4-mapped IPv6 network counts from the start of the 128 bits.
  const count = BigInt(bits || 0) - (address?.family === 4 && head.includes(':') ? 96n : 0n);
  const low = address && networkOf(address, count);
  if (!low) return null;
  return { family: low.family, low: low.number, high: low.number + (1n << (BigInt(bitsOf(low)) - count)) - 1n };
}

/** An entry of an address group: an address, a network, or two addresses with a dash between them. */
export function groupEntryOf(text: string): AddressRange | null {
  if (text.includes('/')) return cidrOf(text);
  const [low, high] = text.split('-').map((part) => addressOf(part.trim()));
  if (!low) return null;
  if (!high) return text.includes('-') ? null : { family: low.family, low: low.number, high: low.number };
  return low.family === high.family ? { family: low.family, low: low.number, high: high.number } : null;
}

/**
 * The canonical text of an address or a network; null for any other text. A network of one address is written as that
 * address.
 */
export function entryText(text: string): string | null {
  const range = text.includes('-') ? null : groupEntryOf(text);
  if (!range) return null;
  const { family, low, high } = range;
  const first = { family, number: low };
  if (low === high) return addressText(first);
  return `${addressText(first)}/${bitsOf(first) - (high - low + 1n).toString(2).length + 1}`;
}

export const isWithin = ({ family, number }: Address, range: AddressRange): boolean =>
  family === range.family && number >= range.low && number <= range.high;

/** True if the text is an address of the range. */
export function rangeTest(range: AddressRange): (text: Value) => boolean {
  const [low, high] = range.family === 4 ? [Number(range.low), Number(range.high)] : [1, 0];
  return (text) => {
    const ipv4 = ipv4Of(`${text}`);
    if (ipv4 !== undefined) return ipv4 >= low && ipv4 <= high;
    const address = addressOf(`${text}`);
    return address !== null && isWithin(address, range);
  };
}

/** A text that sorts in the order of addresses. */
export const addressKey = ({ family, number }: Address): string =>
  `${family}${number.toString(16).padStart(family === 4 ? 8 : 32, '0')}`;

/** The 32 hexadecimal digits of an address as IPv6, those of IPv4 as IPv4-mapped. */
export const ipv6DigitsOf = (family: 4 | 6, number: bigint): string =>
  (family === 4 ? number + MAPPED : number).toString(16).padStart(32, '0');
