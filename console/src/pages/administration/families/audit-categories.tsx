// Audit categories: the subjects of the explanations that users are asked for.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Category = AnswerFor<'GET /api/core/audit-categories'>['audit_categories'][number];

interface Draft {
  readonly name: string;
  readonly description: string;
}

const bodyOf = ({ name, description }: Draft) => ({ name, ...present({ description }) });

export const auditCategories = defineFamily<Category, Category, Draft>({
  id: 'audit-categories',
  readers: 'MEMBER',
  writers: 'ADMIN',
  list: listed('GET /api/core/audit-categories', (answer) => answer.audit_categories),
  get: async (guid) => (await call('GET /api/core/audit-categories/:guid', { guid })).audit_category,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Category>(context)],
  fields: (context) => namedFields<Draft>(context, 255),
  draftOf: (category) => ({ name: category?.name ?? '', description: category?.description ?? '' }),
  create: async (draft) => ({ key: (await call('POST /api/core/audit-categories', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/audit-categories/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/audit-categories', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});
