// POST /scheduled-queries/stop

import { eachOnce } from '#contract/partial-outcome.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { flag, orElse } from '#operations/params/params.ts';
import { guidsOf } from '#operations/shared-fields.ts';
import { endedOf, requestStop, type StopOutcome } from '#scheduler/attempts/stop-requests.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Store } from '#store/store.ts';
import { partialOutcome } from './partial-outcome.ts';
import { existingGuids, KIND } from './store.ts';

interface Needs extends Call {
  readonly store: Store;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export const stop = endpoint({
  title: 'Stop scheduled queries',
  notes:
    'Answers when the runs have ended; queries that do not run, or ended by themselves meanwhile, count neither ' +
    'as succeeded nor as failed. With `force` the rows so far are dropped. `enabled` and the schedule stay as ' +
    'they are, and slots that wait to be backfilled stay queued (Cancel backfill ends a backfill whole). Of two callers that stop or remove the same ' +
    'query one counts it.',
  method: 'POST',
  path: '/api/core/scheduled-queries/stop',
  access: 'ADMIN',
  audit: 'scheduled-queries.stop',
  params: {
    guids: guidsOf('scheduled queries to stop'),
    force: orElse(
      flag,
      false,
      'Whether the run is ended at once and its rows are dropped; otherwise it is cancelled and keeps its rows.',
    ),
  },
  answer: partialOutcome,

  async run({ guids, force }, { db, store, clock, scheduler, leaveAlone, afterCommit }: Needs) {
    const found = await existingGuids(db, guids);
    const { failures } = await eachOnce(guids, async (guid) =>
      found.has(guid) ? undefined : 'scheduled-query-not-found',
    );
    const stopped = await requestStop(db, KIND, [...found], { now: clock.now().epochMilliseconds, force });
    // The audit entry is part of this unit: it counts stop requests, regardless of their result.
    const asked = new Set([...stopped.cancelled, ...stopped.running.map(({ guid }) => guid)]);
    for (const guid of found) if (!asked.has(guid)) leaveAlone(guid, 'already-stopped');
    const outcome = { succeeded: 0, failures };
    afterCommit(async () => {
      await scheduler.stop([...stopped.running, ...stopped.alreadyStopping], { force });
      outcome.succeeded = await stoppedJobs(stopped, store);
    });
    return outcome;
  },
});

/** Runs that ended by themselves do not count, nor do runs that another request stops. */
async function stoppedJobs({ cancelled, running }: StopOutcome, store: Store): Promise<number> {
  const ended = await store.read((db) => endedOf(db, running));
  const broken = ended.filter(({ state }) => state === 'cancelled').map(({ slot }) => slot.guid);
  return new Set([...cancelled, ...broken]).size;
}
