// The seed of generated cases. The suite that decides about a change has one seed, so that its answer depends on the change
// alone; long runs explore further ones. vitest.config.ts loads this first, in the process that starts the others: a run has one
// seed. Moments at which suites of crashes and broken connections interrupt a process are not drawn from it, because what
// happens then depends on the machine.

import { randomInt } from 'node:crypto';

export const SUITE_SEED = 1;

/** VIGIL_FUZZ_SEED: a number repeats a run, `random` draws another seed for each run. */
if (process.env.VIGIL_FUZZ_SEED === 'random') {
  const seed = String(randomInt(2 ** 31));
  // Further processes of the run inherit it.
  process.env.VIGIL_FUZZ_SEED = seed;
  const { npm_lifecycle_event: script = 'npx' } = process.env;
  const command = script === 'npx' ? 'npx vitest run' : `npm run ${script}`;
  console.log(`seed ${seed}: VIGIL_FUZZ_SEED=${seed} ${command} repeats it`);
}

export const FUZZ_SEED = Number(process.env.VIGIL_FUZZ_SEED ?? SUITE_SEED);
