// User groups: users of one company that share grants.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { MemberNames } from './member-names.tsx';
import { countValue, descriptionValue, NAME_WIDTH, namedFields, nameValue, timeValues } from './values.tsx';

type Group = AnswerFor<'GET /api/core/user-groups'>['user_groups'][number];

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly user_guids: readonly string[];
  readonly company_guid: string;
}

const bodyOf = ({ name, description, user_guids, company_guid }: Draft) => ({
  name,
  user_guids,
  ...present({ description, company_guid }),
});

export const groups = defineFamily<Group, Group, Draft>({
  id: 'groups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users', 'companies'],
  list: listed('GET /api/core/user-groups', (answer) => answer.user_groups),
  get: async (guid) => (await call('GET /api/core/user-groups/:guid', { guid })).user_group,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    countValue('members', context.labels.administration.members, ({ user_guids }) => user_guids.length),
    descriptionValue(context),
    {
      id: 'company',
      label: context.labels.administration.company,
      width: NAME_WIDTH,
      show: ({ company_name }) => company_name,
    },
    ...timeValues<Group>(context),
  ],
  fields: (context) => [
    ...namedFields<Draft>(context, 200),
    {
      kind: 'choices',
      name: 'user_guids',
      label: context.labels.administration.members,
      options: context.options.users,
    },
    {
      kind: 'choice',
      name: 'company_guid',
      label: context.labels.administration.company,
      options: context.options.companies,
      noneLabel: context.labels.administration.ownCompany,
      isShown: () => context.account.role_name === 'MASTER',
    },
  ],
  draftOf: (group) => ({
    name: group?.name ?? '',
    description: group?.description ?? '',
    user_guids: group?.user_guids ?? [],
    company_guid: group?.company_guid ?? '',
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/user-groups', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/user-groups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids) => call('DELETE /api/core/user-groups', { guids }),
  Below: ({ record }) => <MemberNames guids={record.user_guids} />,
});
