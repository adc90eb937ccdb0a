// Ends the output of failed tests with the last lines of their services and with what repeats them. Passing tests print nothing.

import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { failureReport } from './failure-report.ts';
import { FUZZ_SEED } from './fuzz-seed.ts';
// For the type of what it hands over.
import type {} from './reported-failures.ts';

export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
    for (const test of failed) {
      const report = failureReport(failedTest(test), FUZZ_SEED);
      if (report) console.log(`\n${report}`);
    }
  }
}

const failedTest = (test: TestCase) => ({
  file: test.module.relativeModuleId,
  name: test.name,
  fullName: test.fullName,
  messages: test.result().errors?.map(({ message }) => message) ?? [],
  tails: test.meta().tails ?? [],
});
