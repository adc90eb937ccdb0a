// The tables of the log store as a server has them: made where they are missing, and brought to the columns that were learnt.

import type { TableSpec } from '#logs/log-store.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { ACCESS_DENIED, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import {
  alterStatement,
  createStatement,
  NAMING_COLUMN,
  type PresentColumn,
  type PresentTable,
  tableId,
  tableName,
} from './layout.ts';

export async function layOut(client: ClickhouseClient, spec: TableSpec, columns: Columns): Promise<void> {
  const present = await client.rows(
    'select name, type, comment from system.columns where database = currentDatabase() and table = {table:String}',
    { params: { table: tableName(spec.id) } },
  );
  if (present.length === 0) return await client.execute(createStatement(spec, columns));
  const known = new Map<string, PresentColumn>();
  for (const [name, type, comment] of present)
    known.set(String(name), { type: String(type), comment: String(comment) });
  const [[created] = []] = await client.rows(
    'select create_table_query from system.tables where database = currentDatabase() and name = {table:String}',
    { params: { table: tableName(spec.id) } },
  );
  const alter = async (table: PresentTable) => {
    const altering = alterStatement(spec, columns, table);
    if (altering !== undefined) await client.execute(altering, { settings: { alter_sync: 2 } });
  };
  // A server whose disk was full has taken a column and lost the text of the table: that tells nothing of its filters.
  const definition = created ? { created: String(created) } : {};
  await alter({ columns: known, ...definition }).catch(async (error: unknown) => {
    if (!(error instanceof StatementFailed && error.code === ACCESS_DENIED)) throw error;
    // An account that was set up for an earlier version may not add filters.
    await alter({ columns: known });
  });
}

/** The ids of tables that a server has, with whether their comments name them: those of earlier versions do not. */
export async function presentTables(client: ClickhouseClient): Promise<ReadonlyMap<number, boolean>> {
  const rows = await client.rows(
    `select table, comment from system.columns where database = currentDatabase() and match(table, '^t_[0-9]+$')
     and name = {column:String}`,
    { params: { column: NAMING_COLUMN } },
  );
  return new Map(rows.map(([name, comment]) => [tableId(String(name)), comment !== '']));
}
