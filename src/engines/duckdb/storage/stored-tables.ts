// Which tables have records in a data folder, without opening any: in segments, or in journals.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableSpec } from '#engines/engine.ts';
import type { Store } from '#store/store.ts';
import { segmentFiles, tableSpecs } from './catalog.ts';
import { holdsRecords } from './journal.ts';

/** The folder of a table, by its name in the folder of all tables. */
export const folderOf = ({ name, id }: TableSpec): string => `${name}.${id}`;

/** How many. Folders of tables that are gone do not count. */
export async function countStoredTables(store: Store, dataFolder: string): Promise<number> {
  const root = join(dataFolder, 'tables');
  const stored = new Set((await segmentFiles(store)).keys());
  const folders = new Set(await readdir(root).catch(() => []));
  for (const spec of await tableSpecs(store)) {
    const name = folderOf(spec);
    if (folders.has(name) && (await holdsRecords(join(root, name)))) stored.add(spec.id);
  }
  return stored.size;
}
