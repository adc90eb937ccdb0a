// Where generators of queries get their choices from: a seed for fuzzing, fast-check for properties that shrink.

export interface Dice {
  /** From 0 up to but not including n. */
  below(n: number): number;
}

export function pick<T>(dice: Dice, choices: readonly T[]): T {
  const choice = choices[dice.below(choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

export const chance = (dice: Dice, oneIn: number): boolean => dice.below(oneIn) === 0;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** mulberry32: small, fast, and the same everywhere. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below(n) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
    },
  };
}
