// PUT /<kind>-rules/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import { contentOf, type RuleInput, requireKnownTemplates, withNames } from '#detection/rules/rule-content.ts';
import { changedRule } from '#detection/rules/rule-fields.ts';
import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule, setEnabled, writeVersion } from '#detection/rules/rule-store.ts';
import { findingsBeside } from '#operations/answers/finding-shapes.ts';
import { record } from '#operations/answers/shapes.ts';
import { endpoint } from '#operations/endpoint.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { validateQueryTexts, type WriteDeps } from './query-texts.ts';
import { reschedule } from './schedule.ts';

export const update = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Update ${ruleTerm(kind)}`,
    notes:
      'Writes the next version. A field that is absent takes its default. Lists of references that are not set are ' +
      '`[]`, single ones null, other values are left out. Wrong parameters are reported first, then errors in ' +
      'query texts, then the state of referenced objects.',
    method: 'PUT',
    path: `/api/core/${kind}-rules/:guid`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.update`,
    params: changedRule[kind as RuleKind],
    answer: record(findingsBeside),

    prepare: (input: RuleInput, needs: WriteDeps) => validateQueryTexts(input, needs),

    async run(input, needs: WriteDeps, texts) {
      const { db, caller, clock, note } = needs;
      const { guid, name, comment = null } = input;
      const rule = await findRule(db, kind, guid);
      if (!rule) throw notFound(ruleTerm(kind), guid);
      if (await isNameTaken(db, 'rules', name, { within: { kind }, except: guid })) throw duplicatedName(name);
      requireKnownTemplates(input);
      const snapshot = await withNames(db, kind, contentOf(kind, input, texts));
      const now = clock.now().epochMilliseconds;
      await reschedule(kind, [guid], needs);
      const written = { kind, guid, snapshot, change: 'update', before: rule, comment, author: caller, now } as const;
      const version = await writeVersion(db, written);
      await setEnabled(db, rule, input.enabled, now);
      note({ version });
      return texts.findings;
    },
  });
