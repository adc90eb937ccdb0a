// Gives every property of fast-check the seed of the run. Loaded before each test file.

import fc from 'fast-check';
import { FUZZ_SEED } from './fuzz-seed.ts';

fc.configureGlobal({ seed: FUZZ_SEED });
