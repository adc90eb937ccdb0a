// POST /scheduled-queries/run

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guidsOf } from '#http/shared-fields.ts';
import type { Clock } from '#kernel/clock.ts';
import { claimManual } from '#scheduler/claims.ts';
import { runningJobs } from '#scheduler/ledger.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { partialOutcome } from './partial-outcome.ts';
import { existingGuids, KIND } from './store.ts';

export const run = endpoint({
  title: 'Run scheduled queries',
  notes:
    'Answers at once with the number of runs that were started. A query that is not enabled may be run, too. ' +
    'Followers follow, as after any run.',
  method: 'POST',
  path: '/api/core/scheduled-queries/run',
  access: 'ADMIN',
  audit: 'scheduled-queries.run',
  params: { guids: guidsOf('scheduled queries to run') },
  answer: partialOutcome,

  async run({ guids }, { db, clock, scheduler, afterCommit }: Call & { clock: Clock; scheduler: Scheduler }) {
    const found = await existingGuids(db, guids);
    const running = await runningJobs(db, KIND, guids);
    const { failures } = await eachOnce(guids, async (guid) => {
      if (!found.has(guid)) return 'scheduled-query-not-found';
      return running.has(guid) ? 'already-running' : undefined;
    });
    const idle = [...found].filter((guid) => !running.has(guid));
    const now = clock.now().epochMilliseconds;
    const claimed = await claimManual(db, KIND, idle, { ...scheduler.claimant, now });
    afterCommit(async () => scheduler.take(claimed));
    return { succeeded: idle.length, failures };
  },
});
