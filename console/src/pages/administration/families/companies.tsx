// Companies divide users, user groups and audit entries.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Company = AnswerFor<'GET /api/core/companies'>['companies'][number];

interface Draft {
  readonly name: string;
  readonly description: string;
}

const bodyOf = ({ name, description }: Draft) => ({ name, ...present({ description }) });

export const companies = defineFamily<Company, Company, Draft>({
  id: 'companies',
  readers: 'MASTER',
  writers: 'MASTER',
  list: listed('GET /api/core/companies', (answer) => answer.companies),
  get: async (guid) => (await call('GET /api/core/companies/:guid', { guid })).company,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Company>(context)],
  fields: (context) => namedFields(context, 200),
  draftOf: (company) => ({ name: company?.name ?? '', description: company?.description ?? '' }),
  create: async (draft) => ({ key: (await call('POST /api/core/companies', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/companies/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids) => call('DELETE /api/core/companies', { guids }),
});
