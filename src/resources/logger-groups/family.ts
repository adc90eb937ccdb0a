// Folders for loggers.

import { tooManyCharacters } from '#contract/errors.ts';
import { family } from '#objects/families/family.ts';
import { plain } from '#objects/families/fields.ts';
import { moveUp, parent } from '#objects/families/parents.ts';
import { required, text } from '#operations/params/params.ts';

export const loggerGroups = family({
  path: 'logger-groups',
  thing: 'logger group',
  things: 'logger groups',
  singular: 'logger_group',
  plural: 'logger_groups',
  table: 'logger_groups',
  hasDryRun: true,
  fields: {
    name: plain(required(text(50, tooManyCharacters))),
    description: plain(text(2000, tooManyCharacters)),
    parent_guid: parent(),
  },
  meanings: {
    parent_guid: 'GUID of the group that this one lies in; absent at the top.',
  },
  notes: {
    update: 'Replaces: without `parent_guid` the group lies in no other one.',
    remove: 'Loggers keep the guid of a removed group, with `group_name` null; its child groups move to its parent.',
  },
  beforeRemove: (row, { db }) => moveUp(db, 'logger_groups', row),
});
