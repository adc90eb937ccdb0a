// Locations of addresses (geoip): records of networks, of which the narrowest one that contains an address counts.

import type { AddressLocations } from '#query/model/run-facts.ts';
import type { MapValue } from '#query/model/values.ts';
import { type AddressRange, addressOf } from './addresses.ts';

export interface LocatedNetwork {
  readonly range: AddressRange;
  readonly location: MapValue;
}

/** Networks must be nested or disjoint. Of equal networks the first counts. */
export function locationsOf(networks: readonly LocatedNetwork[]): AddressLocations {
  const ipv4 = new Boundaries(networks.filter(({ range }) => range.family === 4));
  const ipv6 = new Boundaries(networks.filter(({ range }) => range.family === 6));
  return {
    of(text) {
      const address = addressOf(text);
      return address ? (address.family === 4 ? ipv4 : ipv6).at(address.number) : undefined;
    },
  };
}

/** The addresses at which the location changes, in ascending order. */
class Boundaries {
  readonly #starts: bigint[] = [];
  readonly #locations: (MapValue | undefined)[] = [];

  constructor(networks: readonly LocatedNetwork[]) {
    const enclosing: LocatedNetwork[] = [];
    const close = (before: bigint | undefined) => {
      for (
        let last = enclosing.at(-1);
        last && (before === undefined || last.range.high < before);
        last = enclosing.at(-1)
      ) {
        enclosing.pop();
        this.#begin(last.range.high + 1n, enclosing.at(-1)?.location);
      }
    };
    for (const network of networks.toSorted(byWidth)) {
      const { low, high } = network.range;
      close(low);
      const last = enclosing.at(-1)?.range;
      if (last?.low === low && last.high === high) continue;
      this.#begin(low, network.location);
      enclosing.push(network);
    }
    close(undefined);
  }

  at(number: bigint): MapValue | undefined {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0n) <= number) low = middle + 1;
      else high = middle;
    }
    return this.#locations[low - 1];
  }

  #begin(start: bigint, location: MapValue | undefined): void {
    if (this.#starts.at(-1) === start) this.#locations[this.#locations.length - 1] = location;
    else {
      this.#starts.push(start);
      this.#locations.push(location);
    }
  }
}

/** Orders by first address, and a wider network before those inside of it. */
function byWidth({ range: one }: LocatedNetwork, { range: other }: LocatedNetwork): number {
  if (one.low !== other.low) return one.low < other.low ? -1 : 1;
  return one.high === other.high ? 0 : one.high > other.high ? -1 : 1;
}
