// A user group: users of one company that share grants. A MEMBER sees its own groups, an ADMIN those of its company.

import type { Caller } from '#access/caller.ts';
import { noPermission } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import { type Field, family } from '#objects/families/family.ts';
import { nameOf, plain, reference } from '#objects/families/fields.ts';
import { arrayOf, guidText, string } from '#operations/answers/shapes.ts';
import { guid, guids, required, text } from '#operations/params/params.ts';
import { removeGrantsTo } from '#store/rows/grants.ts';
import { setUsers, usersOf } from './store.ts';

/** Missing users, and users of another company than that of an ADMIN, are ignored. */
const members = {
  reader: guids,
  shape: arrayOf(guidText),
  keep: (given = [], { key, call: { db, caller } }) => setUsers(db, key, given, reachOf(caller)),
  show: (rows, { db }) =>
    usersOf(
      db,
      rows.map((row) => String(row.guid)),
    ),
} satisfies Field<string[] | undefined>;

export const userGroups = family({
  path: 'user-groups',
  thing: 'user group',
  things: 'user groups',
  singular: 'user_group',
  plural: 'user_groups',
  table: 'user_groups',
  fields: {
    name: plain(required(text(200))),
    description: plain(text(2000)),
    user_guids: members,
    company_guid: { ...reference(guid, 'company'), shape: guidText },
  },
  derived: { company_name: { ...nameOf('company', 'company_guid'), shape: string } },
  uniqueWithin: ['company_guid'],
  meanings: {
    user_guids: 'GUIDs of the users in the group.',
    company_guid: 'GUID of the company that the group belongs to.',
    company_name: 'Name of that company.',
  },
  notes: {
    list: 'A MEMBER sees the groups it is in, an ADMIN those of its company.',
    create:
      'Unknown users are left out. Only a MASTER names another company than its own. Names are unique within a ' +
      'company.',
    update: 'Replaces: users that are not named leave the group. A group stays in its company unless one is named.',
  },
  visibleTo(rows, caller, db) {
    if (caller.role === 'MASTER') return rows;
    if (isAtLeast(caller.role, 'ADMIN')) return rows.where('company_guid', '=', caller.companyGuid);
    const own = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', caller.userGuid);
    return rows.where('guid', 'in', own);
  },
  permit({ company_guid }, { call: { caller } }) {
    const reach = reachOf(caller);
    if (company_guid !== undefined && reach !== undefined && company_guid !== reach) throw noPermission();
  },
  columns: ({ company_guid }, { before, call }) => ({
    company_guid: company_guid ?? before?.company_guid ?? call.caller.companyGuid,
  }),
  beforeRemove: (row, { db }) => removeGrantsTo(db, { kind: 'group', guid: row.guid }),
});

/** The company that a caller may assign; undefined (any) for a MASTER. */
const reachOf = (caller: Caller): string | undefined => (caller.role === 'MASTER' ? undefined : caller.companyGuid);
