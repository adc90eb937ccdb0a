// Statistics over a few samples, and numbers that vary but repeat with every run.

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return sorted[Math.max(0, at)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

export interface Chance {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  oneOf<T>(items: readonly [T, ...T[]]): T;
  text(length: number, alphabet: string): string;
}

/** The same seed gives the same sequence. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;

  // mulberry32: small, quick and even enough to choose names with.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    // An index below the length of a list that is not empty.
    oneOf: (items) => items[below(items.length)] ?? items[0],
    text(length, alphabet) {
      let made = '';
      for (let count = 0; count < length; count += 1) made += alphabet[below(alphabet.length)];
      return made;
    },
  };
}
