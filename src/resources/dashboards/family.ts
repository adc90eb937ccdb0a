// A dashboard: a grid of panels, each a query with its chart. Visible to its owner, to grantees and to administrators; its
// queries run with the rights of the account that looks at it.

import { family } from '#objects/families/family.ts';
import { computed, json, named, nameOf, sharedGroups, sharedUsers } from '#objects/families/fields.ts';
import { mayChangeOwned, ownOrGranted, requireOwnedQuota } from '#objects/families/owned.ts';
import { guidText } from '#operations/answers/shapes.ts';
import { required } from '#operations/params/params.ts';
import type { DashboardRow } from '#store/schema/schema.ts';
import { layoutParam, layoutRecord } from './layout.ts';

const PATH = 'dashboards';

export const dashboards = family({
  path: PATH,
  thing: 'dashboard',
  things: 'dashboards',
  singular: 'dashboard',
  plural: 'dashboards',
  table: 'dashboards',
  writers: 'MEMBER',
  hasDryRun: true,
  uniqueWithin: ['owner_guid'],
  fields: {
    ...named,
    layout: json(required(layoutParam), layoutRecord),
    shared_users: sharedUsers,
    shared_groups: sharedGroups,
  },
  derived: {
    owner_guid: computed(guidText, ({ owner_guid }: DashboardRow) => owner_guid),
    owner_name: nameOf('user', 'owner_guid'),
  },
  meanings: {
    layout: 'Panels of the dashboard and their places.',
    shared_users: 'Users that the dashboard is shared with.',
    shared_groups: 'User groups that the dashboard is shared with.',
    owner_guid: 'GUID of the user that owns the dashboard.',
    owner_name: 'Name of the owner; null where that user has been removed.',
  },
  notes: {
    list: 'A MEMBER sees its own and those shared with it or its groups, an administrator all.',
    get: 'Grants are shown as far as their holders are.',
    create:
      'The caller becomes the owner. Names are unique among the dashboards of one owner. The queries of panels are not ' +
      'checked: each runs with the rights of the account that looks at the dashboard.',
    update:
      'Changed by its owner, by accounts it is shared with for writing, and by administrators; others that see it ' +
      'get `no-permission`. The owner stays. Given grants replace those to holders that the caller may see.',
  },
  visibleTo(rows, caller, db) {
    const visible = ownOrGranted(PATH, caller, db);
    return visible ? rows.where(visible) : rows;
  },
  mayChange: (row, call) => mayChangeOwned(PATH, row, call),
  columns: (_, { before, call: { caller } }) => ({ owner_guid: before?.owner_guid ?? caller.userGuid }),
  async initialColumns(_, { call: { db, caller, quotas } }) {
    await requireOwnedQuota(db, PATH, caller, quotas.dashboardsPerAccount);
    return {};
  },
});
