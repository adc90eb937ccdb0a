// POST /table-groups

import { duplicatedGuid, duplicatedTableGroup } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { requireParent } from './rules.ts';
import { insertTableGroup } from './store.ts';

export const create = endpoint({
  title: 'Create table group',
  method: 'POST',
  path: '/api/core/table-groups',
  access: 'ADMIN',
  audit: 'table-groups.create',
  params: { guid, ...fields },
  answer: created,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid = newGuid(), name, description = null } = input;
    if (await isTaken(db, 'table_groups', { name })) throw duplicatedTableGroup(name);
    if (await isTaken(db, 'table_groups', { guid })) throw duplicatedGuid(guid);
    await requireParent(db, input.parent_guid);
    const now = clock.now().epochMilliseconds;
    await insertTableGroup(db, {
      guid,
      name,
      description,
      parent_guid: input.parent_guid ?? null,
      search: searchable([name, description]),
      created_at: now,
      updated_at: now,
    });
    return { guid };
  },
});
