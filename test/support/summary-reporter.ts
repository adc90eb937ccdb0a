// Ends the output with one plain line that says what ran, and with CI=true makes every skip a failure. A promise that an engine
// declines, with its reason, is no skip: there is nothing to run.

import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that does not even load has no tests to count.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const declined = tests.filter(({ name }) => name.includes('(declined: ')).length;
    const [passed, failed, skipped] = [count('passed'), count('failed') + broken, count('skipped') - declined];
    console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    if (skipped > 0 && process.env.CI === 'true') process.exitCode = 1;
  }
}
