// Rule categories: what kinds of findings rules and events are sorted by.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Category = AnswerFor<'GET /api/core/rule-categories'>['rule_categories'][number];

interface Draft {
  readonly name: string;
  readonly description: string;
}

const bodyOf = ({ name, description }: Draft) => ({ name, ...present({ description }) });

export const ruleCategories = defineFamily<Category, Category, Draft>({
  id: 'rule-categories',
  readers: 'MEMBER',
  writers: 'ADMIN',
  list: listed('GET /api/core/rule-categories', (answer) => answer.rule_categories),
  get: async (guid) => (await call('GET /api/core/rule-categories/:guid', { guid })).rule_category,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Category>(context)],
  fields: (context) => namedFields<Draft>(context, 255),
  draftOf: (category) => ({ name: category?.name ?? '', description: category?.description ?? '' }),
  create: async (draft) => ({ key: (await call('POST /api/core/rule-categories', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/rule-categories/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/rule-categories', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});
