// Gives every property of fast-check the seed of the run, and VIGIL_FUZZ_PATH, which repeats one case. Loaded before each test file.

import fc from 'fast-check';
import { FUZZ_SEED } from './fuzz-seed.ts';

const path = process.env.VIGIL_FUZZ_PATH;

fc.configureGlobal({ seed: FUZZ_SEED, ...(path === undefined ? {} : { path }) });
