// Memoizes the written form of field names: the same few names occur in every row.

import { BoundedMap } from '#runtime/bounded-map.ts';

const MAX_NAMES = 10_000;

export function memoize(write: (name: string) => string): (name: string) => string {
  // Records may have any number of different keys.
  const known = new BoundedMap<string, string>({ max: MAX_NAMES, evicts: 'all' });
  return (name) => known.getOrSet(name, () => write(name));
}
