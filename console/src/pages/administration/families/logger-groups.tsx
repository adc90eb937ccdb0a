// Logger groups: folders for loggers.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, type FolderDraft, folderFields, namedFields, nameValue, timeValues } from './values.tsx';

type Group = AnswerFor<'GET /api/core/logger-groups'>['logger_groups'][number];

const bodyOf = ({ name, ...others }: FolderDraft) => ({ name, ...present(others) });

export const loggerGroups = defineFamily<Group, Group, FolderDraft>({
  id: 'logger-groups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['logger-groups'],
  list: listed('GET /api/core/logger-groups', (answer) => answer.logger_groups),
  get: async (guid) => (await call('GET /api/core/logger-groups/:guid', { guid })).logger_group,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [nameValue(context), descriptionValue(context), ...timeValues<Group>(context)],
  fields: (context, group) => [
    ...namedFields<FolderDraft>(context),
    ...folderFields(context, context.options['logger-groups'], group?.guid),
  ],
  draftOf: (group) => ({
    name: group?.name ?? '',
    description: group?.description ?? '',
    parent_guid: group?.parent_guid ?? '',
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/logger-groups', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/logger-groups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/logger-groups', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});
