// DELETE /users

import type { Caller } from '#access/caller.ts';
import { eachOnce } from '#contract/partial-outcome.ts';
import { references } from '#objects/references/reference-record.ts';
import { referencesTo } from '#objects/references/references.ts';
import { failures, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { dryRun, guidsOf } from '#operations/shared-fields.ts';
import type { Db } from '#store/kysely.ts';
import { userScopeOf } from './model.ts';
import { countMasters, findUser, removeUser } from './store.ts';

export const remove = endpoint({
  title: 'Remove users',
  notes:
    'Keys, sessions and uploads of a removed user end at once. `references` lists the objects that refer to it, with the procedures and datasets ' +
    'that ran with its rights. With `dry_run=true` nothing is removed.',
  method: 'DELETE',
  path: '/api/core/users',
  access: 'ADMIN',
  audit: 'users.remove',
  params: { guids: guidsOf('users to remove'), dry_run: dryRun },
  answer: record({ failures, references: references('Objects that refer to the users.') }),

  async run(input, { db, caller }: Call) {
    const masters = { left: await countMasters(db) };
    const passed: string[] = [];
    const { failures } = await eachOnce(input.guids, async (guid) => {
      const reason = await removalFailure(guid, { db, caller, masters });
      if (reason === undefined) passed.push(guid);
      return reason;
    });
    // Before grants are removed with the user.
    const references = await referencesTo(db, 'users', passed);
    if (!input.dry_run) for (const guid of passed) await removeUser(db, guid);
    return { failures, references };
  },
});

/** Why a user cannot be removed, if so. Counts the remaining masters. */
async function removalFailure(
  guid: string,
  { db, caller, masters }: { db: Db; caller: Caller; masters: { left: number } },
): Promise<string | undefined> {
  const user = await findUser(db, guid, userScopeOf(caller));
  if (!user) return 'user-not-found';
  if (user.role !== 'MASTER') return undefined;
  if (caller.role !== 'MASTER') return 'no-permission';
  if (masters.left === 1) return 'last-master';
  masters.left -= 1;
  return undefined;
}
