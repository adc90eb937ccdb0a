// Throws generated and broken queries at the front end: whatever comes, it answers with a plan or with a mistake that
// has a place in the text. VIGIL_FUZZ_INPUTS says how many; `npm run test:fuzz` does it for long.

import { describe, expect, it } from 'vitest';
import { seededDice } from '#kernel/dice.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { QueryError, reportOf } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkCondition, checkQuery } from '#query/query.ts';
import { compileRule } from '#query/rules/condition.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { RULE_CONTEXT } from '#test/differential/records.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { world } from '#test/support/query.ts';
import { EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import { fuzzInput } from '#test/support/query-mutations.ts';

const INPUTS = Number(process.env.VIGIL_FUZZ_INPUTS ?? 3000);
const BATCH = 10_000;

/** Constants are folded with every other input, so that what is known and what is not are both met. */
const run = { now: EXAMPLE_NOW, zone: EXAMPLE_ZONE, user: EXAMPLE_USER, groups: new Map(), nextRow: () => 1n };
const plainWorld = world();
const foldingWorld = world({ evaluate: (expression, constants) => evaluateConstant(expression, run, constants) });

describe('Hostile queries', () => {
  it(`are answered with a plan or a mistake, ${INPUTS} times from seed ${FUZZ_SEED}`, async () => {
    const seen = { planned: 0, refused: 0 };
    for (let index = 0; index < INPUTS; index += 1) {
      const text = fuzzInput(seededDice(FUZZ_SEED + index));
      const isPlanned = holds(text, index % 2 === 0 ? foldingWorld : plainWorld, `seed ${FUZZ_SEED + index}`);
      seen[isPlanned ? 'planned' : 'refused'] += 1;
      // The reporter of the tests wants its turn.
      if (index % BATCH === 0) await new Promise(setImmediate);
    }
    // Were all refused at the first word, nothing behind it would have been tried.
    expect(seen.planned).toBeGreaterThan(INPUTS / 20);
    expect(seen.refused).toBeGreaterThan(INPUTS / 20);
  });
});

/** Whether there was a plan. */
function holds(text: string, context: QueryContext, which: string): boolean {
  const checked = answer(text, which, () => checkQuery(text, context));
  // What follows the first command may be a condition.
  const steps = text.slice(text.search(/[|｜]/) + 1);
  answer(steps, which, () => runToEnd(checkCondition(steps, context)));
  answer(steps, which, () => judgedRule(steps));
  if (!checked) return false;
  const again = answer(checked.normalized, which, () => checkQuery(checked.normalized, context));
  if (again?.normalized !== checked.normalized) throw new Error(`${which}: not normalized to itself: ${text}`);
  const left = again.warnings.find(({ code }) => LEFT_OUT.has(code));
  if (left) throw new Error(`${which}: warning ${left.code} about normalized text: ${text}`);
  return true;
}

/** Warnings about parts that normalized text leaves out. */
const LEFT_OUT = new Set([20100, 20301, 22002, 90905, 90915]);

const RECORDS: readonly MapValue[] = [
  new Map(),
  new Map<string, Value>([
    ['a', 2n ** 63n - 1n],
    ['b', 'x=1 y'],
    ['c', -0],
    ['line', '{"a":[1,{"b":null}]}'],
    ['l', [1n, 'a', null, [2.5]]],
    ['when', EXAMPLE_NOW],
    ['한글', new Uint8Array([255])],
    ['x.y', new Map([['k', true]])],
  ]),
];

/** No record stops a rule that was accepted. */
function judgedRule(text: string): { readonly normalized: string } {
  const rule = runToEnd(compileRule(text, { ...RULE_CONTEXT, constants: plainWorld.constants }));
  for (const record of RECORDS) rule.judge(record);
  return { normalized: rule.text };
}

function answer<T extends Pick<CheckedQuery, 'normalized'>>(text: string, which: string, run: () => T): T | undefined {
  try {
    return run();
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw new Error(`${which}: ${text}`, { cause: failure });
    let before = 0;
    for (const mistake of [failure, ...failure.further]) {
      const { code, begin, end } = mistake;
      const isPlaced = Number.isInteger(begin) && begin >= before && begin <= end && end <= text.length;
      if (!isPlaced) throw new Error(`${which}: ${code} at ${begin}..${end} of ${text.length}: ${text}`);
      for (const locale of ['en', 'ko'] as const) requireSpoken(reportOf(mistake, text, locale).message, which);
      before = begin;
    }
    return undefined;
  }
}

function requireSpoken(message: string, which: string): void {
  if (
    /\{(?:name|kind|what|value|min|max|n|detail|token|instead|expected|command|type|do|escape|feature|column)\}/.test(
      message,
    )
  ) {
    throw new Error(`${which}: a hole is left in: ${message}`);
  }
}
