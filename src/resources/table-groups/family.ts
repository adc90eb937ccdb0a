// A table group: a folder for tables, possibly inside another group.

import { duplicatedTableGroup, noParentTableGroup, wrongTableGroupName } from '#contract/errors.ts';
import { family } from '#objects/families/family.ts';
import { plain } from '#objects/families/fields.ts';
import { moveUp, parent } from '#objects/families/parents.ts';
import { anyText, meaning, required, text } from '#operations/params/params.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/;

const name = meaning(anyText, { pattern: NAME.source }, (value) => {
  if (!NAME.test(value)) throw wrongTableGroupName();
  return value;
});

export const tableGroups = family({
  path: 'table-groups',
  thing: 'table group',
  things: 'table groups',
  singular: 'table_group',
  plural: 'table_groups',
  table: 'table_groups',
  fields: { name: plain(required(name)), description: plain(text(2000)), parent_guid: parent(noParentTableGroup) },
  duplicated: duplicatedTableGroup,
  meanings: {
    parent_guid: 'GUID of the group that this one lies in; absent at the top.',
  },
  notes: {
    update: 'Replaces: without `parent_guid` the group lies in no other one.',
    remove: 'Tables of a removed group are in none; its child groups move to its parent.',
  },
  async beforeRemove(row, { db }) {
    await db.updateTable('log_tables').set({ group_guid: null }).where('group_guid', '=', row.guid).execute();
    await moveUp(db, 'table_groups', row);
  },
});
