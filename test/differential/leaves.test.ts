// A short run of generated records with objects in tables of each protection; VIGIL_FUZZ_RUNS makes it a long one.

import { expect, it } from 'vitest';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';
import { leavesCheck } from './leaves.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 2);
/** A case takes some seconds: most others take milliseconds. */
const MAX_MS = 600_000;

it.each(PROTECTIONS)(
  `What is inside of objects is found in a table that is %s, from seed ${FUZZ_SEED}`,
  async (protection) => {
    await using home = await makeEngineHome();
    const filed = { files: 0, withLeaves: 0 };
    const check = leavesCheck({ home, protection, filed });
    const { failure } = await check.explore({ seed: FUZZ_SEED, runs: RUNS, milliseconds: MAX_MS });
    expect(failure).toBeUndefined();
    expect(filed.withLeaves).toBeGreaterThan(filed.files / 2);
  },
);
