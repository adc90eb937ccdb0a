// A short run of every check; `npm run test:differential -- --for 10m` is the long one, with another seed each time, which a
// failure names: `--seed` repeats it.

import { describe, expect, it } from 'vitest';
import { COMPARED } from '#test/support/expression-texts.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { checks } from './checks.ts';
import { judgeExpression, oneCall } from './expressions.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 25);
const LONG = { timeout: 120_000 + RUNS * 8000 };

describe(`Both evaluators, from seed ${FUZZ_SEED}`, () => {
  for (const { name, explore } of checks) {
    it(`agree about ${name}`, LONG, async () => {
      const { failure, runs } = await explore({ seed: FUZZ_SEED, runs: RUNS });
      expect(failure).toBeUndefined();
      expect(runs).toBe(RUNS);
    });
  }

  it.each([
    'lpad(field((0 == b)), field(s), lpad("-", b, "a"))',
    'dateadd(dateadd(t, "day", -2), "day", 2)',
    'datetrunc(t, "1s", "2d")',
  ])('agree about %s, which long runs have found', async (text) => {
    for (const table of [0, 1, 2]) expect(await judgeExpression({ text, zone: 'Asia/Seoul', table })).toBeUndefined();
  });

  it('agree about a call of every function', LONG, async () => {
    for (const called of COMPARED) {
      for (const one of oneCall(called, FUZZ_SEED)) expect(await judgeExpression(one)).toBeUndefined();
    }
  });
});
