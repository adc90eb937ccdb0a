// PUT /<kind>-rules/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type RuleKind, thingOf } from '#detection/kinds.ts';
import { contentOf, withNames } from '#detection/rule-content.ts';
import { changedRule } from '#detection/rule-fields.ts';
import { findRule, isNameTaken, setEnabled, writeVersion } from '#detection/rule-store.ts';
import { endpoint } from '#http/endpoint.ts';
import { nothing } from '#http/shapes.ts';
import { conditionGroups, requireQueries, type WritingNeeds } from './checks.ts';

export const update = (kind: RuleKind) =>
  endpoint({
    title: `Update ${thingOf(kind)}`,
    notes: 'Writes the next version. What is not given takes its default.',
    method: 'PUT',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'ADMIN',
    audit: `${kind}-rules.update`,
    params: changedRule[kind],
    answer: nothing,

    prepare: (input, needs: WritingNeeds) => requireQueries(kind, input, needs),

    async run(input, { db, caller, clock, note, afterCommit, ruleChanges }: WritingNeeds) {
      const { guid, name, comment = null } = input;
      const rule = await findRule(db, kind, guid);
      if (!rule) throw notFound(thingOf(kind), guid);
      if (await isNameTaken(db, kind, name, guid)) throw duplicatedName(name);
      const snapshot = await withNames(db, kind, contentOf(kind, input, conditionGroups(input)));
      const now = clock.now().epochMilliseconds;
      const version = await writeVersion(db, { kind, guid, snapshot, change: 'update', comment, author: caller, now });
      await setEnabled(db, rule, input.enabled, now);
      note({ version });
      afterCommit(() => ruleChanges.told(kind));
      return {};
    },
  });
