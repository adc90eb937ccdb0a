// A company divides users, user groups and audit entries.

import { family } from '#objects/families/family.ts';
import { plain } from '#objects/families/fields.ts';
import { required, text } from '#operations/params/params.ts';
import type { Db } from '#store/kysely.ts';
import { removeGrantsTo } from '#store/rows/grants.ts';

export const companies = family({
  path: 'companies',
  thing: 'company',
  things: 'companies',
  singular: 'company',
  plural: 'companies',
  table: 'companies',
  readers: 'MASTER',
  writers: 'MASTER',
  fields: { name: plain(required(text(200))), description: plain(text(2000)) },
  searched: ['name'],
  notes: {
    remove: 'A company with users stays (`company-in-use`). User groups without users are removed with their company.',
  },
  removalRefusal: async ({ guid }, { db }) => ((await hasUsers(db, guid)) ? 'company-in-use' : undefined),
  beforeRemove: ({ guid }, { db }) => removeGroupsOf(db, guid),
});

async function hasUsers(db: Db, guid: string): Promise<boolean> {
  const user = db.selectFrom('users').select('guid').where('company_guid', '=', guid).limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

/** Removes the user groups of a company, which has no users any more. */
async function removeGroupsOf(db: Db, guid: string): Promise<void> {
  const groups = await db.selectFrom('user_groups').select('guid').where('company_guid', '=', guid).execute();
  for (const group of groups) await removeGrantsTo(db, { kind: 'group', guid: group.guid });
  await db.deleteFrom('user_groups').where('company_guid', '=', guid).execute();
}
