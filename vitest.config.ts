import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';

// As the executable does: every statement at work holds a thread of the pool, and services run in these processes, too.
process.env.UV_THREADPOOL_SIZE ??= '96';
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

/** Suites that measure their own process: its memory, its open files, its event loop. */
const MEASURING = ['test/limits/**/*.test.ts', 'src/engines/duckdb/{instance,runs}/{limits,memory}.test.ts'];

/** `npm run test:senders`: programs that take minutes to build. */
const PROGRAMS =
  process.env.VIGIL_SENDER_PROGRAMS === undefined
    ? ['programs', 'loggers', 'syslog-ng'].map((name) => `test/senders/${name}.test.ts`)
    : [];

const shared = {
  setupFiles: ['test/support/checked-answers.ts', 'test/support/seeded-properties.ts'],
  // For what hangs. Nothing is judged by time here: benchmarks do that, and a machine may be busy with something else.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  restoreMocks: true,
  // What is polled for comes late on a busy machine; what never comes is found out all the same.
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/global-setup.ts'],
    // The databases of a whole run are some hundred thousand files to remove.
    teardownTimeout: 60_000,
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        // Files share the modules and the compiled code of their worker: a quarter less processor time.
        extends: true,
        test: {
          ...shared,
          name: 'suites',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...MEASURING, ...PROGRAMS, '**/node_modules/**'],
          isolate: false,
          // A third worker uses the two cores while tests of the others wait for a timer, a disk or a connection.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // First, and by themselves: a third worker would be measured, too.
        extends: true,
        test: { ...shared, name: 'measuring', include: MEASURING, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
    ],
  },
});
