import { defineConfig } from 'vitest/config';

// As the executable does: every statement at work holds a thread of the pool, and services run in these processes, too.
process.env.UV_THREADPOOL_SIZE ??= '96';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checked-answers.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    // For what hangs. Nothing is judged by time here: benchmarks do that, and a machine may be busy with something else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is polled for comes late on a busy machine; what never comes is found out all the same.
    expect: { poll: { timeout: 15_000 } },
  },
});
