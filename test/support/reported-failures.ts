// Hands the last lines of the services of a failed test to the reporter. Loaded before each test file.

import { afterAll, beforeEach } from 'vitest';
import { forgetEndedTails, forgetTails, lastLines, type ReportedTail } from './log-tails.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Given if the test has failed. */
    tails?: readonly ReportedTail[];
  }
}

const LINES = 40;

beforeEach(({ task, onTestFailed }) => {
  forgetEndedTails();
  onTestFailed(() => {
    task.meta.tails = lastLines(LINES);
  });
});

afterAll(forgetTails);
