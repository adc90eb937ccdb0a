// What holds for the parent of a table group.

import { noParentTableGroup, parentCycle } from '#contract/errors.ts';
import type { Db } from '#store/kysely.ts';
import { findTableGroup, parents } from './store.ts';

export async function requireParent(db: Db, parent: string | undefined): Promise<void> {
  if (parent !== undefined && !(await findTableGroup(db, parent))) throw noParentTableGroup(parent);
}

/** Refuses a parent that lies in the group itself, or is the group. */
export async function requireNoCycle(db: Db, guid: string, parent: string | undefined): Promise<void> {
  const above = await parents(db);
  for (let one = parent; one !== undefined; one = above.get(one)) {
    if (one === guid) throw parentCycle('table group', parent ?? guid);
  }
}
