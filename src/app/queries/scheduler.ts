// Wires the scheduler: its settings and the kinds of jobs; and declares the metrics of slots and runs.

import type { Defects } from '#app/defects.ts';
import { leaseTimes } from '#app/foundation/own-node.ts';
import type { ServiceLog } from '#app/service-log.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { scheduledQueryJob } from '#resources/scheduled-queries/job.ts';
import { NODE_UNAVAILABLE } from '#scheduler/attempts/active-attempt.ts';
import type { JobFailures, JobKind } from '#scheduler/job-kind.ts';
import { openScheduler as open, type Scheduler } from '#scheduler/scheduler.ts';
import { type CountedSlot, type FailedAttempt, OUTCOMES } from '#scheduler/slots/slot.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface SchedulerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly batchRules: JobKind;
  readonly failures: JobFailures;
  readonly cluster: Cluster;
  /** Of the process. */
  readonly lease: string;
  /** Whether no other process uses the database. */
  readonly isExclusive: boolean;
}

export async function openScheduler(
  config: Config,
  { batchRules, ...deps }: SchedulerDeps,
  instruments: Defects & ReturnType<typeof scheduleInstruments>,
): Promise<Scheduler> {
  return await open({
    ...deps,
    zone: config['time-zone'],
    clock: deps.cluster.clock,
    leaseTimes: leaseTimes(config),
    settings: {
      catchUp: config['scheduler-catch-up'],
      jitter: Temporal.Duration.from({ seconds: config['scheduler-jitter'] }),
      concurrency: new Map([
        [scheduledQueryJob.name, config['scheduler-concurrency']],
        [batchRules.name, config['scheduler-rule-concurrency']],
      ]),
      runTimeout: Temporal.Duration.from({ seconds: config['scheduler-run-timeout'] }),
      kept: Temporal.Duration.from({ hours: 24 * config['scheduler-slots-kept'] }),
    },
    kinds: [scheduledQueryJob, batchRules],
    observer: {
      slots: (slots) => instruments.slots(slots),
      attemptFailed: (attempt) => instruments.attemptFailed(attempt),
      attemptStarted: (milliseconds) => instruments.attemptBegun(milliseconds),
      failed: (error) => instruments.defect(error, 'scheduler'),
    },
  });
}

const DELAY_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const JOB_KINDS = ['scheduled-query', 'batch-rule'];
const ENDS = ['succeeded', 'failed', 'cancelled'] as const;
/** Every combination of outcome and state that a slot can end with. */
const ENDED_SLOTS = OUTCOMES.flatMap((outcome) => {
  const hasRun = outcome === 'ran' || outcome === 'backfilled';
  return (hasRun ? ENDS : ['none']).map((state) => ({ outcome, state }));
});

export function scheduleInstruments(metrics: Metrics, log: ServiceLog) {
  const slots = metrics.counter(
    'vigil_slots_total',
    'Slots of scheduled queries and batch rules, by kind, outcome and state; a slot that runs is counted at its end.',
  );
  const delays = metrics.histogram(
    'vigil_slot_delay_seconds',
    'Time from a due slot to the start of its run.',
    DELAY_SECONDS,
  );
  for (const kind of JOB_KINDS) for (const ended of ENDED_SLOTS) slots.add({ kind, ...ended }, 0);
  return {
    slots(counted: readonly CountedSlot[]) {
      for (const { kind, outcome, state } of counted) {
        if (state !== 'running') slots.add({ kind, outcome, state: state ?? 'none' });
      }
    },
    attemptFailed({ kind, guid, name, reason }: FailedAttempt) {
      // A run that a stop interrupted says nothing about its job.
      const level = reason === NODE_UNAVAILABLE ? 'warn' : 'error';
      log[level]({ kind, guid, name, reason }, 'a run has failed');
    },
    attemptBegun(milliseconds: number) {
      delays.observe({}, milliseconds / 1000);
    },
  };
}
