// DELETE /<kind>-rules

import { eachOnce } from '#contract/partial-outcome.ts';
import { BATCH_RULE } from '#detection/rules/batch-rule-job.ts';
import { type RuleKind, ruleTerm, STREAM_RULE } from '#detection/rules/rule-kinds.ts';
import { findRule, removeRule } from '#detection/rules/rule-store.ts';
import { failures, record } from '#operations/answers/shapes.ts';
import { endpoint } from '#operations/endpoint.ts';
import { guidsOf } from '#operations/shared-fields.ts';
import { removeLedger } from '#scheduler/slots/ledger.ts';
import { reschedule, type ScheduleDeps } from './schedule.ts';

export const remove = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Remove ${ruleTerm(kind)}s`,
    notes:
      'Versions stay readable. The slots of a batch rule are removed; a running one ends by itself and raises ' +
      'nothing. Events stay visible to accounts that the newest version names and to members of its alarm group.',
    method: 'DELETE',
    path: `/api/core/${kind}-rules`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.remove`,
    params: { guids: guidsOf('rules to remove') },
    answer: record({ failures }),

    async run(input, needs: ScheduleDeps) {
      return await eachOnce(input.guids, async (guid) => {
        if (!(await findRule(needs.db, kind, guid))) return `${kind}-rule-not-found`;
        await reschedule(kind, [guid], needs);
        await removeRule(needs.db, kind, guid);
        // Without its slot an active run cannot raise events, not even for a new rule with the same GUID.
        await removeLedger(needs.db, kind === 'batch' ? BATCH_RULE : STREAM_RULE, [guid]);
        return undefined;
      });
    },
  });
