// The law of normalized text (12.3): it parses to the same plan and normalizes to itself.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dice } from '#kernel/dice.ts';
import { planShape } from '#test/support/plan-shape.ts';
import { check, queryErrorIn } from '#test/support/query.ts';
import { query } from '#test/support/query-generator.ts';
import { commands } from './commands/index.ts';
import { aggregates, functions } from './functions/index.ts';

const RUNS = 1000;

/** Of parts that normalized text leaves out. */
const LEFT_OUT = new Set([20100, 20301, 22002, 90905]);

const dice = fc.gen().map((make): Dice => ({ below: (n) => make(fc.nat, { max: n - 1 }) }));
const queries = dice.map((rolled) => query(rolled));

describe('Normalized text', () => {
  it('parses to the same plan and normalizes to itself, whatever the query', () => {
    fc.assert(
      fc.property(queries, (text) => {
        expect(queryErrorIn(text)).toBeUndefined();
        const first = check(text);
        const again = check(first.normalized);
        expect(again.normalized).toBe(first.normalized);
        expect(planShape(again.plan)).toBe(planShape(first.plan));
        expect(again.warnings.filter(({ code }) => LEFT_OUT.has(code))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('is tried with every command, function and aggregate', () => {
    const tried = fc
      .sample(queries, { numRuns: RUNS * 2, seed: 1 })
      .map((text) => check(text).normalized)
      .join('\n');
    const built = [...commands, ...functions, ...aggregates];
    const untried = built.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(tried));
    expect(untried.map(({ name }) => name)).toEqual([]);
  });
});
