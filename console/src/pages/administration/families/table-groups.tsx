// Table groups: folders for tables.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, type FolderDraft, folderFields, namedFields, nameValue, timeValues } from './values.tsx';

type Group = AnswerFor<'GET /api/core/table-groups'>['table_groups'][number];

const bodyOf = ({ name, ...others }: FolderDraft) => ({ name, ...present(others) });

export const tableGroups = defineFamily<Group, Group, FolderDraft>({
  id: 'table-groups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['table-groups'],
  list: listed('GET /api/core/table-groups', (answer) => answer.table_groups),
  get: async (guid) => (await call('GET /api/core/table-groups/:guid', { guid })).table_group,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Group>(context)],
  fields: (context, group) => [
    ...namedFields<FolderDraft>(context),
    ...folderFields(context, context.options['table-groups'], group?.guid),
  ],
  draftOf: (group) => ({
    name: group?.name ?? '',
    description: group?.description ?? '',
    parent_guid: group?.parent_guid ?? '',
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/table-groups', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/table-groups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids) => call('DELETE /api/core/table-groups', { guids }),
});
