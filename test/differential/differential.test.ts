// A short run of every check; `npm run test:differential -- --for 10m` is the long one. Each time another seed, which a
// failure names: `--seed` repeats it.

import { describe, expect, it } from 'vitest';
import { COMPARED } from '#test/support/expression-texts.ts';
import { checks } from './checks.ts';
import { judgeExpression, oneCall } from './expressions.ts';

const MILLISECONDS = 6000;
const seed = Number(process.env.VIGIL_DIFFERENTIAL_SEED ?? Date.now() % 1_000_000_007);

describe('Both evaluators', () => {
  for (const { name, explore } of checks) {
    it(`agree about ${name}`, { timeout: 120_000 }, async () => {
      const { failure, runs } = await explore({ seed, runs: 200, milliseconds: MILLISECONDS });
      expect(failure).toBeUndefined();
      expect(runs).toBeGreaterThan(0);
    });
  }

  it('agree about one call each of every function', { timeout: 120_000 }, async () => {
    for (const called of COMPARED) {
      for (const one of oneCall(called, seed)) expect(await judgeExpression(one)).toBeUndefined();
    }
  });
});
