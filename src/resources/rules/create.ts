// POST /<kind>-rules

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { contentOf, type RuleInput, requireKnownTemplates, withNames } from '#detection/rule-content.ts';
import { newRule } from '#detection/rule-fields.ts';
import { type RuleKind, ruleTerm } from '#detection/rule-kinds.ts';
import { findRule, writeVersion } from '#detection/rule-store.ts';
import { endpoint } from '#http/endpoint.ts';
import { created } from '#http/shapes.ts';
import { newGuid } from '#kernel/guid.ts';
import { isNameTaken } from '#store/names.ts';
import { validateQueryTexts, type WriteDeps } from './query-texts.ts';
import { reschedule } from './schedule.ts';

export const create = (kind: RuleKind) =>
  endpoint({
    title: `Create ${ruleTerm(kind)}`,
    notes: 'Writes version 1, or the next one where rules of this GUID have been before.',
    method: 'POST',
    path: `/api/core/${kind}-rules`,
    access: 'ADMIN',
    audit: `${kind}-rules.create`,
    params: newRule[kind],
    answer: created,

    prepare: (input: RuleInput, needs: WriteDeps) => validateQueryTexts(input, needs),

    async run(input, needs: WriteDeps, texts) {
      const { db, caller, clock } = needs;
      const { guid = newGuid(), name, enabled, comment = null } = input;
      if (await isNameTaken(db, 'rules', name, { within: { kind } })) throw duplicatedName(name);
      if (await findRule(db, kind, guid)) throw duplicatedGuid(guid);
      requireKnownTemplates(input);
      const snapshot = await withNames(db, kind, contentOf(kind, input, texts));
      const now = clock.now().epochMilliseconds;
      await reschedule(kind, [guid], needs);
      await writeVersion(db, { kind, guid, snapshot, change: 'create', comment, author: caller, now }, enabled);
      return { guid };
    },
  });
