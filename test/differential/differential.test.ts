// A short run of every check; `npm run test:differential -- --for 10m` is the long one, with another seed each time, which a
// failure names: `--seed` repeats it.

import { describe, expect, it } from 'vitest';
import { COMPARED } from '#test/support/expression-texts.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { checks } from './checks.ts';
import { judgeExpression, oneCall } from './expressions.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 15);

describe(`Both evaluators, from seed ${FUZZ_SEED}`, () => {
  for (const { name, explore } of checks) {
    it(`agree about ${name}`, async () => {
      const { failure, runs } = await explore({ seed: FUZZ_SEED, runs: RUNS });
      expect(failure).toBeUndefined();
      expect(runs).toBe(RUNS);
    });
  }

  it.each([
    ['lpad(field((0 == b)), field(s), lpad("-", b, "a"))', 'Asia/Seoul'],
    ['dateadd(dateadd(t, "day", -2), "day", 2)', 'Asia/Seoul'],
    ['datetrunc(t, "1s", "2d")', 'Asia/Seoul'],
    ['datetrunc(t, "1s", "1d")', 'Australia/Lord_Howe'],
    ['datetrunc(date("9999-12-31T23:59:59.999Z"), "3h")', 'Australia/Lord_Howe'],
  ])('agree about %s in %s, which long runs have found', async (text, zone) => {
    for (const table of [0, 1, 2]) expect(await judgeExpression({ text, zone, table })).toBeUndefined();
  });

  it('agree about a call of every function', async () => {
    for (const called of COMPARED) {
      for (const one of oneCall(called, FUZZ_SEED)) expect(await judgeExpression(one)).toBeUndefined();
    }
  });
});
