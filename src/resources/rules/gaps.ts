// GET /batch-rules/:guid/gaps

import { notFound } from '#contract/errors.ts';
import { keptStampsIn } from '#contract/times.ts';
import { findRule } from '#detection/rules/rule-store.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { arrayOf, record, stamp, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import { gapsOf } from '#scheduler/slots/gaps.ts';

const PERIOD = Temporal.Duration.from({ hours: 24 * 30 });
const MAX_GAPS = 1000;

const gap = record('Gap', {
  from: stamp('Start of the time that was not analysed, inclusive.'),
  to: stamp('End of it, exclusive; equal to `from` for a rule without `duration`.'),
  reason: string(
    'Error of the run, `cancelled`, or the reason why there was none.',
    'the window is more than 7 days old',
  ),
});

export const gaps = endpoint({
  title: 'List batch rule gaps',
  notes:
    'Time of the slots of the last 30 days that no run has analysed and none is going to, newest first, at most ' +
    `${MAX_GAPS}: runs that failed or were cancelled, and slots that were left out. A backfill closes them. Time of slots ` +
    'that were skipped because the rule was disabled is not listed.',
  method: 'GET',
  path: '/api/core/batch-rules/:guid/gaps',
  access: 'MEMBER',
  params: { guid: guidOf('rule') },
  answer: record({ gaps: arrayOf(gap)('Gaps, newest first.') }),

  async run({ guid }, needs: Call & { readonly zone: string; readonly clock: Clock; readonly batchRules: JobKind }) {
    const { db, zone, clock, batchRules } = needs;
    if (!(await findRule(db, 'batch', guid))) throw notFound('batch rule', guid);
    const stampOf = keptStampsIn(zone);
    const found = await gapsOf(db, batchRules, guid, clock.now().subtract(PERIOD).epochMilliseconds);
    const shown = found.slice(0, MAX_GAPS);
    return { gaps: shown.map(({ from, to, reason }) => ({ from: stampOf(from), to: stampOf(to), reason })) };
  },
});
