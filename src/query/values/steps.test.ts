// The budget of steps: which work is counted, which is not, and that counting changes no result.

import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { Value } from '#query/model/values.ts';
import { compileRule } from '#query/rules/condition.ts';
import { StepsExceeded } from './failures.ts';
import { captures, occurs, regexOf, replacedAll } from './regexes/regexes.ts';
import { StepMeter } from './steps.ts';

/** The steps that a condition takes for a record. */
function stepsOf(text: string, fields: Readonly<Record<string, Value>>): number {
  const steps = new StepMeter(1_000_000_000);
  const now = () => Temporal.Instant.fromEpochMilliseconds(0);
  const { judge } = runToEnd(
    compileRule(text, {
      zone: 'UTC',
      user: 'kim',
      constants: new Map(),
      groups: () => new Map(),
      now,
      steps,
    }),
  );
  steps.beginRecord();
  judge(new Map(Object.entries(fields)));
  return steps.spent;
}

const listOf = (length: number): Value => Array.from({ length }, (_, n) => BigInt(n));

describe('Steps', () => {
  it('are one for an operation, and none for a field', () => {
    expect(stepsOf('search a == 1', { a: 1n })).toBe(1);
    expect(stepsOf('search a == 1 and b == 2', { a: 1n, b: 2n })).toBe(3);
    expect(stepsOf('search a == 1 and b == 2', { a: 2n, b: 2n })).toBe(2);
  });

  it('grow with the size of the values read', () => {
    const read = (length: number) => stepsOf('search contains(text, "q")', { text: 'x'.repeat(length) });
    expect([read(10), read(6400)]).toEqual([1, 101]);
  });

  it.each([
    ['a list', 'eval x = foreach(_1 + 1, list)', (n: number) => ({ list: listOf(n) }), 1],
    ['a list in a list', 'eval x = foreach(foreach(_1 + 1, list), list)', (n: number) => ({ list: listOf(n) }), 2],
    ['text that is taken apart', 'parsejson field=a', (n: number) => ({ a: `[${'1,'.repeat(n)}1]` }), 1],
  ] as const)('of %s grow with its length, to that power', (_, text, fields, power) => {
    const few = stepsOf(text, fields(100));
    const many = stepsOf(text, fields(200));
    expect(Math.log2(many / few)).toBeGreaterThan(power - 0.3);
    expect(Math.log2(many / few)).toBeLessThan(power + 0.3);
  });

  it('end an evaluation that exceeds the limit of the rule or of the record', () => {
    const steps = new StepMeter(100);
    steps.beginRecord();
    steps.take(100);
    expect(() => steps.take(1)).toThrow(StepsExceeded);
    for (let rule = 1; rule < 10; rule += 1) {
      expect(steps.isRecordSpent).toBe(false);
      steps.beginRule();
      steps.take(100);
    }
    expect([steps.isRecordSpent, steps.spent]).toEqual([true, 1000]);
    steps.beginRule();
    expect(() => steps.take(1)).toThrow(StepsExceeded);
    steps.beginRecord();
    expect([steps.isRecordSpent, steps.spent]).toEqual([false, 0]);
  });
});

describe('Steps of a regular expression', () => {
  const counted = (work: (steps: StepMeter) => unknown): number => {
    const steps = new StepMeter(1_000_000_000);
    steps.beginRecord();
    work(steps);
    return steps.spent;
  };
  const scattered = Array.from({ length: 2000 }, (_, n) => (((n * n * 7919) % 65_537) % 2 === 0 ? 'a' : 'b')).join('');

  it('are few if the automaton knows its states', () => {
    const text = 'GET /index.html from 10.0.0.1 '.repeat(50);
    occurs(text, 'from [0-9]+x');
    expect(counted((steps) => occurs(text, 'from [0-9]+x', steps))).toBeLessThan(text.length / 8);
  });

  it('include each created state', () => {
    expect(counted((steps) => occurs(`${scattered}d`, 'a[ab]{40}d*d', steps))).toBeGreaterThan(10 * scattered.length);
  });

  it('include each thread when groups of a long text are captured', () => {
    const text = `${scattered.repeat(10)} kim`;
    const found = (steps?: StepMeter) => captures(text, regexOf('([ab]*)(a|b|ab)* (kim)'), steps);
    expect(found()?.at(-1)).toBe('kim');
    expect(counted(found)).toBeGreaterThan(text.length);
  });

  it('include each character read when all matches are searched', () => {
    const text = 'a'.repeat(400);
    const few = counted((steps) => replacedAll('a'.repeat(200), '(a[^x]*x)|a', '-', steps));
    const many = counted((steps) => replacedAll(text, '(a[^x]*x)|a', '-', steps));
    expect(many / few).toBeGreaterThan(3);
    expect(replacedAll(text, '(a[^x]*x)|a', '-')).toBe('-'.repeat(400));
  });

  it('may end a match at any time, and the pattern stays usable', () => {
    for (let most = 1; most < 4000; most = Math.ceil(most * 1.4)) {
      const steps = new StepMeter(most);
      for (const pattern of ['a[ab]{12}d', '(a)([ab]*)(d)', '(a[^x]*x)|b']) {
        try {
          replacedAll(`${scattered}d`, pattern, '', steps);
        } catch (failure) {
          expect(failure).toBeInstanceOf(StepsExceeded);
        }
      }
    }
    expect(captures('xxabbad', regexOf('(a)([ab]*)(d)'))).toEqual(['a', 'bba', 'd']);
    expect(replacedAll('abxa', '(a[^x]*x)|b', '-')).toBe('-a');
  });
});
