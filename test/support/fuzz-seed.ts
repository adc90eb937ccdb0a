// The seed of generated cases. The suite that decides about a change has one seed, so that its answer depends on the change
// alone; long runs explore further ones.

import { randomInt } from 'node:crypto';

const SUITE_SEED = 1;
const given = process.env.VIGIL_FUZZ_SEED;

/** A number repeats a run; `random` is another seed in each process. */
export const FUZZ_SEED = given === 'random' ? randomInt(2 ** 31) : Number(given ?? SUITE_SEED);
