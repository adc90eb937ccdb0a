// Address groups: sets of addresses and networks for queries and rules.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { ChildList } from '#console/pages/administration/view/child-list.tsx';
import { addresses } from './addresses.tsx';
import { countValue, descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Group = AnswerFor<'GET /api/core/address-groups'>['address_groups'][number];

interface Draft {
  readonly name: string;
  readonly description: string;
}

const bodyOf = ({ name, description }: Draft) => ({ name, ...present({ description }) });

export const addressGroups = defineFamily<Group, Group, Draft>({
  id: 'address-groups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  list: listed('GET /api/core/address-groups', (answer) => answer.address_groups),
  get: async (guid) => (await call('GET /api/core/address-groups/:guid', { guid })).address_group,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    countValue('count', context.labels.administration.addresses.count, ({ count }) => count),
    descriptionValue(context),
    ...timeValues<Group>(context),
  ],
  facts: ({ labels }) => [
    { id: 'version', label: labels.administration.addresses.version, show: ({ version }) => String(version) },
  ],
  fields: (context) => namedFields(context),
  draftOf: (group) => ({ name: group?.name ?? '', description: group?.description ?? '' }),
  create: async (draft) => ({ key: (await call('POST /api/core/address-groups', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/address-groups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/address-groups', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  Below: ({ record }) => <ChildList family={addresses} scope={record.guid} />,
});
