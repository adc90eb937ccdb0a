import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Part, QUICK, REST } from './test/parts.ts';
import './test/support/fuzz-seed.ts';
import LongestFirst from './test/support/longest-first.ts';
import { POLL_TIME_OUT_MS, TEST_TIME_OUT_MS } from './test/support/time-out.ts';

// As the executable does: every statement at work holds a thread of the pool, and services run in these processes, too.
process.env.UV_THREADPOOL_SIZE ??= '96';
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

/** A third worker uses the two cores while tests of the others wait for a timer, a disk or a connection. */
const WORKERS = 3;
const MEASURING_WORKERS = 2;

const projectOf = ([name, part]: readonly [string, Part]) => ({
  extends: true as const,
  test: {
    name,
    include: [...part.files],
    provide: { databases: part.databases, outside: part.outside },
    // Node loads the sources as they are, as it does for the service.
    experimental: { viteModuleRunner: part.isMadeByVite },
    // Files share the modules and the compiled code of their worker: a quarter less processor time.
    isolate: part.measures,
    maxWorkers: part.measures ? MEASURING_WORKERS : WORKERS,
    sequence: { groupOrder: part.measures ? 0 : 1 },
  },
});

export default defineConfig({
  test: {
    setupFiles: ['file-cost', 'checked-answers', 'seeded-properties', 'reported-failures'].map(
      (name) => `test/support/${name}.ts`,
    ),
    testTimeout: TEST_TIME_OUT_MS,
    hookTimeout: TEST_TIME_OUT_MS,
    restoreMocks: true,
    expect: { poll: { timeout: POLL_TIME_OUT_MS } },
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/global-setup.ts'],
    // The databases of a whole run are some hundred thousand files to remove.
    teardownTimeout: TEST_TIME_OUT_MS,
    reporters: ['default', './test/support/failure-reporter.ts', './test/support/summary-reporter.ts'],
    projects: [...Object.entries(QUICK), ...Object.entries(REST)].map(projectOf),
  },
});
