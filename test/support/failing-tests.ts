// Tests that fail on purpose: `test/failure-report.test.ts` runs them and reads what is reported.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepOutput, keepTail } from './log-tails.ts';

it('fails beside a service and a process', () => {
  using log = keepTail('service A');
  for (let line = 1; line <= 60; line += 1) log.info({ line }, 'request');
  keepOutput(
    'process B',
    () => 'ready\nbroken\n',
    () => true,
  );
  expect(1).toBe(2);
});

it('passes', () => {
  using log = keepTail('service of a passing test');
  log.error({}, 'expected');
});

it('fails with a generated case', () => {
  fc.assert(fc.property(fc.nat(), (n) => n < 0));
});
