// The parent of an object, for families with nested objects.

import { type ApiError, notFound, parentCycle } from '#contract/errors.ts';
import { guidText } from '#operations/answers/shapes.ts';
import { guid } from '#operations/params/params.ts';
import type { Db } from '#store/kysely.ts';
import type { AnyRow, Field, WriteContext } from './family.ts';
import { plain } from './fields.ts';
import { rowExists } from './rows.ts';

type ParentTable = 'logger_groups' | 'table_groups';

/** The parent object, which must exist and must not be a descendant. */
export const parent = (complaint?: (guid: string) => ApiError) =>
  ({
    ...plain(guid, guidText),
    async require(above, writing) {
      if (above === undefined) return;
      const { family, call } = writing;
      if (!(await rowExists(call.db, family, { guid: above })))
        throw complaint?.(above) ?? notFound(family.thing, above);
      await requireNoCycle(above, writing);
    },
  }) satisfies Field<string | undefined>;

/** Moves the children of a removed object to its parent. */
export async function moveUp(db: Db, table: ParentTable, row: { guid: string; parent_guid: string | null }) {
  const { guid, parent_guid } = row;
  await db.updateTable(table).set({ parent_guid }).where('parent_guid', '=', guid).execute();
}

async function requireNoCycle(above: string, { family, key, call }: WriteContext<AnyRow>): Promise<void> {
  const parents = await parentsIn(call.db, family.table as unknown as ParentTable); // It has such a field.
  for (let one: string | undefined = above; one !== undefined; one = parents.get(one)) {
    if (one === key) throw parentCycle(family.thing, above);
  }
}

/** Parent by child. */
async function parentsIn(db: Db, table: ParentTable): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom(table)
    .select(['guid', 'parent_guid'])
    .where('parent_guid', 'is not', null)
    .$narrowType<{ parent_guid: string }>()
    .execute();
  return new Map(rows.map(({ guid, parent_guid }) => [guid, parent_guid]));
}
