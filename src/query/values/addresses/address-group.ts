// A group of addresses or ports as a set: address ranges by key, sorted and merged, so that a binary search decides
// membership, and port ranges by protocol. IPv4 ranges, the most frequent ones, are also kept as numbers.

import { type AddressRange, addressKey, addressOf, groupEntryOf, ipv4Of } from './addresses.ts';
import { PortRanges } from './port-ranges.ts';

export interface KeyRange {
  readonly low: string;
  readonly high: string;
}

export class AddressGroup {
  /** The entries as written; another thread builds the group from them. */
  readonly entries: readonly string[];
  readonly ranges: readonly KeyRange[];
  readonly ports: PortRanges;
  readonly #keys: readonly string[];
  readonly #lows: readonly number[];
  readonly #highs: readonly number[];

  constructor(given: Iterable<string>) {
    const entries = [...given];
    this.entries = entries;
    const ranges = entries.map(groupEntryOf).filter((range) => range !== null);
    this.ports = new PortRanges(entries);
    this.ranges = merged(ranges.map(keyRange).sort((left, right) => (left.low < right.low ? -1 : 1)));
    this.#keys = this.ranges.map(({ low }) => low);
    const ipv4 = this.ranges.filter(({ low }) => low.startsWith('4'));
    this.#lows = ipv4.map(({ low }) => numberOf(low));
    this.#highs = ipv4.map(({ high }) => numberOf(high));
  }

  has(text: string): boolean {
    const ipv4 = ipv4Of(text);
    if (ipv4 !== undefined) return ipv4 <= (this.#highs[lastAtMost(this.#lows, ipv4)] ?? -1);
    const address = addressOf(text);
    if (!address) return false;
    const key = addressKey(address);
    const found = this.ranges[lastAtMost(this.#keys, key)];
    return found !== undefined && key <= found.high;
  }
}

const numberOf = (key: string): number => Number.parseInt(key.slice(1), 16);

/** Index of the last sorted item that is not above `wanted`; -1 if all are above. */
function lastAtMost<T extends string | number>(items: readonly T[], wanted: T): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && item <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const keyRange = ({ family, low, high }: AddressRange): KeyRange => ({
  low: addressKey({ family, number: low }),
  high: addressKey({ family, number: high }),
});

function merged(sorted: readonly KeyRange[]): KeyRange[] {
  const ranges: KeyRange[] = [];
  for (const range of sorted) {
    const last = ranges.at(-1);
    if (!last || range.low > last.high) ranges.push(range);
    else if (range.high > last.high) ranges[ranges.length - 1] = { low: last.low, high: range.high };
  }
  return ranges;
}
