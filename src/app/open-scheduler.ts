// Wires the scheduler: its settings, and the kinds of jobs there are.

import { NODE_NAME } from '#contract/values.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { scheduledQueryJob } from '#resources/scheduled-queries/job.ts';
import { type JobFailures, type JobKind, NODE_TYPES } from '#scheduler/job-kind.ts';
import { openScheduler as open, type Scheduler } from '#scheduler/scheduler.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { instruments } from './instruments.ts';

interface SchedulerNeeds {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly batchRules: JobKind;
  readonly failures: JobFailures;
}

export async function openScheduler(
  config: Config,
  { batchRules, ...needs }: SchedulerNeeds,
  measured: ReturnType<typeof instruments>,
): Promise<Scheduler> {
  return await open({
    ...needs,
    zone: config['time-zone'],
    node: NODE_NAME,
    // The lease of the logs says so.
    isExclusive: true,
    // A service that runs by itself is both.
    nodeTypes: NODE_TYPES,
    settings: {
      catchUp: config['scheduler-catch-up'],
      jitter: Temporal.Duration.from({ seconds: config['scheduler-jitter'] }),
      concurrency: config['scheduler-concurrency'],
      runTimeout: Temporal.Duration.from({ seconds: config['scheduler-run-timeout'] }),
      kept: Temporal.Duration.from({ hours: 24 * config['scheduler-slots-kept'] }),
    },
    kinds: [scheduledQueryJob, batchRules],
    observer: {
      slots: (slots) => measured.slots(slots),
      runFailed: (run) => measured.runFailed(run),
      runStarted: (milliseconds) => measured.runBegun(milliseconds),
      failed: (error) => measured.defect(error, 'scheduler'),
    },
  });
}
