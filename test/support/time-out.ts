// The time-outs of all tests. They end what hangs and judge nothing: a busy machine takes its time. No test, hook or poll
// declares its own, which test/time-outs.test.ts checks.

const MINUTE_MS = 60_000;

/** Ends a test or a hook that hangs. Runs whose length the caller chooses have none: their scripts pass `--testTimeout=0`. */
export const TEST_TIME_OUT_MS = 15 * MINUTE_MS;

/** Shorter, so that a poll whose condition never comes true fails with the last state it saw, and not as a test that hangs. */
export const POLL_TIME_OUT_MS = 5 * MINUTE_MS;
