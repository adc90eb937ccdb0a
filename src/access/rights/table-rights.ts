// Rights on log tables. ADMIN and MASTER may do everything; a MEMBER what was granted to it or to one of its groups. To
// a caller without rights a table does not exist.

import type { Rightful } from '#access/caller.ts';
import { isAtLeast } from '#contract/values.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { Db } from '#store/kysely.ts';
import { grantsOf } from '#store/rows/grants.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { LogTableRow } from '#store/schema/schema.ts';

type TableRight = 'none' | 'read' | 'write';

/** The user whose grants apply; undefined for a caller who sees every table. */
export const grantee = ({ role, userGuid }: Rightful): string | undefined =>
  isAtLeast(role, 'ADMIN') ? undefined : userGuid;

export async function rightOn(db: Db, caller: Rightful, tableId: number): Promise<TableRight> {
  const user = grantee(caller);
  if (user === undefined) return 'write';
  const grants = await grantsOf(db, user).select('read_only').where('table_id', '=', tableId).execute();
  if (grants.length === 0) return 'none';
  return grants.some(({ read_only }) => read_only === 0) ? 'write' : 'read';
}

/** Whether the caller may write to some table. */
export async function writesAnywhere(db: Db, caller: Rightful): Promise<boolean> {
  const user = grantee(caller);
  if (user === undefined) return true;
  const grants = grantsOf(db, user).select('read_only').where('read_only', '=', 0).limit(1);
  return (await grants.execute()).length > 0;
}

/** The table of this name, if there is one that the caller may see. */
export async function visibleTable(db: Db, caller: Rightful, name: string): Promise<LogTableRow | undefined> {
  const table = await db.selectFrom('log_tables').selectAll().where('name', '=', name).executeTakeFirst();
  if (!table) return undefined;
  return (await rightOn(db, caller, table.id)) === 'none' ? undefined : table;
}

export interface VisibleTable extends TableSpec {
  readonly schema_code: string | null;
  readonly right: Exclude<TableRight, 'none'>;
}

/** The tables that the caller may see, all or those with these names, ordered by name. */
export async function visibleTables(db: Db, caller: Rightful, names?: readonly string[]): Promise<VisibleTable[]> {
  const tables = db
    .selectFrom('log_tables')
    .select(['id', 'name', 'layout', 'compression', 'schema_code'])
    .orderBy('name');
  const found = await (names
    ? inChunks(names, (some) => tables.where('name', 'in', some).execute())
    : tables.execute());
  const user = grantee(caller);
  if (user === undefined) return found.map((table) => ({ ...table, right: 'write' }));
  const grants = await grantsOf(db, user).select(['table_id', 'read_only']).execute();
  const readable = new Set(grants.map(({ table_id }) => table_id));
  const writable = new Set(grants.filter(({ read_only }) => read_only === 0).map(({ table_id }) => table_id));
  return found
    .filter(({ id }) => readable.has(id))
    .map((table) => ({ ...table, right: writable.has(table.id) ? 'write' : 'read' }));
}
