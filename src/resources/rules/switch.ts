// POST /<kind>-rules/:guid/enable and /<kind>-rules/:guid/disable

import { alreadyDisabled, alreadyEnabled, notFound } from '#contract/errors.ts';
import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule, setEnabled } from '#detection/rules/rule-store.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { reschedule, type ScheduleDeps } from './schedule.ts';

interface Needs extends ScheduleDeps {
  readonly clock: Clock;
}

export const enable = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Enable ${ruleTerm(kind)}`,
    notes: 'Writes no version: whether a rule is in force is a state of operation.',
    method: 'POST',
    path: `/api/core/${kind}-rules/:guid/enable`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.enable`,
    params: { guid: guidOf('rule') },
    answer: nothing,

    run: (input, needs: Needs) => turn(kind, input.guid, true, needs),
  });

export const disable = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Disable ${ruleTerm(kind)}`,
    method: 'POST',
    path: `/api/core/${kind}-rules/:guid/disable`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.disable`,
    params: { guid: guidOf('rule') },
    answer: nothing,

    run: (input, needs: Needs) => turn(kind, input.guid, false, needs),
  });

async function turn(kind: RuleKind, guid: string, isOn: boolean, needs: Needs): Promise<object> {
  const rule = await findRule(needs.db, kind, guid);
  if (!rule) throw notFound(ruleTerm(kind), guid);
  if ((rule.enabled === 1) === isOn) throw (isOn ? alreadyEnabled : alreadyDisabled)(ruleTerm(kind), guid);
  await reschedule(kind, [guid], needs);
  await setEnabled(needs.db, rule, isOn, needs.clock.now().epochMilliseconds);
  return {};
}
