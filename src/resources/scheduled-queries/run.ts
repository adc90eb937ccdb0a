// POST /scheduled-queries/run

import { eachOnce } from '#contract/partial-outcome.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidsOf } from '#operations/shared-fields.ts';
import { NODE_UNAVAILABLE } from '#scheduler/attempts/active-attempt.ts';
import { holdersOf } from '#scheduler/nodes/fitting-nodes.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { claimManual } from '#scheduler/slots/claims.ts';
import { runningJobs } from '#scheduler/slots/ledger.ts';
import { scheduledQueryJob } from './job.ts';
import { partialOutcome } from './partial-outcome.ts';
import { existingGuids, KIND } from './store.ts';

export const run = endpoint({
  title: 'Run scheduled queries',
  notes:
    'Answers at once with the number of runs that were started. A query that is not enabled may be run, too. ' +
    'Followers follow, as after any run. Where the node that is asked has none of the `node_types` of a query, another one ' +
    'runs it; where no living node has, the reason is `node-unavailable`.',
  method: 'POST',
  path: '/api/core/scheduled-queries/run',
  access: 'ADMIN',
  audit: 'scheduled-queries.run',
  params: { guids: guidsOf('scheduled queries to run') },
  answer: partialOutcome,

  async run({ guids }, { db, clock, scheduler, afterCommit }: Call & { clock: Clock; scheduler: Scheduler }) {
    const found = await existingGuids(db, guids);
    const running = await runningJobs(db, KIND, guids);
    const idle = [...found].filter((guid) => !running.has(guid));
    const { claimant } = scheduler;
    const holders = await holdersOf(db, scheduledQueryJob, idle, claimant);
    const { failures } = await eachOnce(guids, async (guid) => {
      if (!found.has(guid)) return 'scheduled-query-not-found';
      if (running.has(guid)) return 'already-running';
      return holders.has(guid) ? undefined : NODE_UNAVAILABLE;
    });
    const now = clock.now().epochMilliseconds;
    const claimed = await claimManual(db, KIND, holders, { ...claimant, now });
    afterCommit(async () => scheduler.take(claimed));
    return { succeeded: holders.size, failures };
  },
});
