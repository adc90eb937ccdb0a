// A group of addresses or ports as a set: ranges of addresses by key, sorted and merged, so that one search by halves
// tells membership, and ranges of ports by protocol.

import { type AddressRange, addressKey, addressOf, groupEntryOf } from './addresses.ts';
import { PortRanges } from './port-ranges.ts';

export interface KeyRange {
  readonly low: string;
  readonly high: string;
}

export class AddressGroup {
  readonly ranges: readonly KeyRange[];
  readonly ports: PortRanges;

  constructor(given: Iterable<string>) {
    const entries = [...given];
    const ranges = entries.map(groupEntryOf).filter((range) => range !== null);
    this.ports = new PortRanges(entries);
    this.ranges = merged(ranges.map(keyRange).sort((left, right) => (left.low < right.low ? -1 : 1)));
  }

  has(text: string): boolean {
    const address = addressOf(text);
    if (!address) return false;
    const key = addressKey(address);
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranges[middle]?.low ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    const found = this.ranges[low - 1];
    return found !== undefined && key <= found.high;
  }
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
