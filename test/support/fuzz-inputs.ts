// How often checks of generated inputs run: VIGIL_FUZZ_INPUTS says it, VIGIL_FUZZ_SEED where they begin.

import { type Dice, seededDice } from '#kernel/dice.ts';
import { FUZZ_SEED } from './fuzz-seed.ts';

export const INPUTS = Number(process.env.VIGIL_FUZZ_INPUTS ?? 150);
const BATCH = 1000;

/** Runs a check once for each seed. Checks use `assert`: `expect` takes longer than most of the decoders. */
export async function repeat(check: (dice: Dice) => void): Promise<void> {
  for (let index = 0; index < INPUTS; index += 1) {
    try {
      check(seededDice(FUZZ_SEED + index));
    } catch (cause) {
      throw new Error(`seed ${FUZZ_SEED + index}`, { cause });
    }
    // The reporter of the tests wants its turn.
    if (index % BATCH === 0) await new Promise(setImmediate);
  }
}
