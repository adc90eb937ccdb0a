// PUT /table-groups/:guid

import { duplicatedTableGroup, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { requireNoCycle, requireParent } from './rules.ts';
import { findTableGroup, updateTableGroup } from './store.ts';

export const update = endpoint({
  title: 'Update table group',
  notes: 'Replaces: without `parent_guid` the group lies in no other one.',
  method: 'PUT',
  path: '/api/core/table-groups/:guid',
  access: 'ADMIN',
  audit: 'table-groups.update',
  params: { guid: required(guid), ...fields },
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid, name, description = null } = input;
    if (!(await findTableGroup(db, guid))) throw notFound('table group', guid);
    if (await isTaken(db, 'table_groups', { name }, guid)) throw duplicatedTableGroup(name);
    await requireParent(db, input.parent_guid);
    await requireNoCycle(db, guid, input.parent_guid);
    await updateTableGroup(db, guid, {
      name,
      description,
      parent_guid: input.parent_guid ?? null,
      search: searchable([name, description]),
      updated_at: clock.now().epochMilliseconds,
    });
    return {};
  },
});
