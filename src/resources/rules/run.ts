// POST /batch-rules/:guid/run

import { alreadyRunning, notFound } from '#contract/errors.ts';
import { BATCH_RULE } from '#detection/rules/batch-rule-job.ts';
import { findRule } from '#detection/rules/rule-store.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { int32, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { claimManual } from '#scheduler/slots/claims.ts';
import { runningJobs } from '#scheduler/slots/ledger.ts';

interface Needs extends Call {
  readonly batchRules: JobKind;
  readonly clock: Clock;
  readonly queries: LiveQueries;
  readonly scheduler: Scheduler;
}

export const run = endpoint({
  title: 'Run batch rule',
  notes:
    'Answers with the id of the query once the run has begun; where all places of the scheduler are taken, that ' +
    'is when one is free. A disabled rule may be run; its matches raise nothing. A running rule is 500 `batch ' +
    'rule is already running: <guid>`, a text that cannot run 400 invalid-query, a dataset without author 500 ' +
    '`dataset has no author: <name>`.',
  method: 'POST',
  path: '/api/core/batch-rules/:guid/run',
  access: 'ADMIN',
  audit: 'batch-rules.run',
  params: { guid: guidOf('rule') },
  answer: record({ id: int32('Id of the query of the run.') }),

  /** A text that cannot run is refused with the error of a rule being written. */
  async prepare({ guid }, { db, batchRules, queries }: Needs) {
    const request = await batchRules.request(db, guid);
    // A removed dataset leaves an empty text, which is refused.
    if (request?.refusal && request.text !== '') throw request.refusal;
    if (request) await queries.validate(request);
  },

  async run({ guid }, { db, clock, scheduler, afterCommit }: Needs) {
    if (!(await findRule(db, 'batch', guid))) throw notFound('batch rule', guid);
    if ((await runningJobs(db, BATCH_RULE, [guid])).has(guid)) throw alreadyRunning('batch rule', guid);
    const now = clock.now().epochMilliseconds;
    const { claimant } = scheduler;
    const claimed = await claimManual(db, BATCH_RULE, new Map([[guid, claimant]]), { ...claimant, now });
    const answer = { id: 0 };
    afterCommit(async () => {
      const id = await scheduler.startAndWait(claimed);
      if (id === undefined) throw notFound('batch rule', guid);
      answer.id = id;
    });
    return answer;
  },
});
