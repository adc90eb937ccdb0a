// DELETE /scheduled-queries

import { eachOnce } from '#contract/partial-outcome.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { oneOf, orElse } from '#operations/params/params.ts';
import { guidsOf } from '#operations/shared-fields.ts';
import { requestStop } from '#scheduler/attempts/stop-requests.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { removeLedger, runningJobs } from '#scheduler/slots/ledger.ts';
import type { Store } from '#store/store.ts';
import { scheduledQueryJob } from './job.ts';
import { partialOutcome } from './partial-outcome.ts';
import { existingGuids, KIND, removeRows } from './store.ts';

const POLICIES = ['skip', 'force'] as const;

interface Needs extends Call {
  readonly store: Store;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export const remove = endpoint({
  title: 'Remove scheduled queries',
  notes:
    'Its slots go with a query. With policy `skip` a query that runs is left alone, and counts neither as succeeded nor as ' +
    'failed; with `force` it is stopped first.',
  method: 'DELETE',
  path: '/api/core/scheduled-queries',
  access: 'ADMIN',
  audit: 'scheduled-queries.remove',
  params: {
    guids: guidsOf('scheduled queries to remove'),
    policy: orElse(
      oneOf(POLICIES),
      'skip',
      'Treatment of a query that runs: `skip` leaves it, `force` ends the run and removes it.',
    ),
  },
  answer: partialOutcome,

  /** Outside of the unit, because it waits for the ends of runs. */
  async prepare({ guids, policy }, { store, clock, scheduler }: Needs) {
    if (policy === 'skip') return;
    const stop = { now: clock.now().epochMilliseconds, force: true };
    const { running, alreadyStopping } = await store.write((db) => requestStop(db, KIND, guids, stop));
    await scheduler.stop([...running, ...alreadyStopping], { force: true });
  },

  async run({ guids, policy }, { db, clock, scheduler, leaveAlone, afterCommit }: Needs) {
    const found = await existingGuids(db, guids);
    const busy = policy === 'skip' ? await runningJobs(db, KIND, guids) : new Set();
    const { failures } = await eachOnce(guids, async (guid) =>
      found.has(guid) ? undefined : 'scheduled-query-not-found',
    );
    for (const guid of found) if (busy.has(guid)) leaveAlone(guid, 'still-running');
    const removed = [...found].filter((guid) => !busy.has(guid));
    // Runs that started after the first stop.
    const { running } = await requestStop(db, KIND, removed, { now: clock.now().epochMilliseconds, force: true });
    await removeLedger(db, KIND, removed);
    await removeRows(db, removed);
    afterCommit(async () => {
      await scheduler.changed(scheduledQueryJob, removed);
      await scheduler.stop(running, { force: true });
    });
    return { succeeded: removed.length, failures };
  },
});
