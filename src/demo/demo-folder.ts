// The data folder of a demo, marked by a file in it. A demo is created in an empty folder, continues in a marked one, and
// changes no other folder.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';

type DemoConfig = Pick<Config, 'data' | 'database' | 'keys'>;

/** Content of the file: the key of the demo in the keys folder, once the demo is complete. */
interface Written {
  readonly key?: string;
}

const fileIn = (folder: string): string => join(folder, 'demo.json');

/** The key of the log feed of an existing demo; undefined where a demo can be created. Throws a UsageError otherwise. */
export async function findFeedKey({ data, database, keys }: DemoConfig): Promise<string | undefined> {
  const file = fileIn(data);
  if (existsSync(file)) {
    const { key }: Written = JSON.parse(readFileSync(file, 'utf8'));
    if (key === undefined || !existsSync(join(keys, key))) throw new UsageError('demo-unfinished', { data });
    return readFileSync(join(keys, key), 'utf8');
  }
  if (existsSync(data) && readdirSync(data).length > 0) throw new UsageError('demo-folder-in-use', { data });
  if (database !== undefined && (await isInstalled(database))) throw new UsageError('demo-database-in-use');
  return undefined;
}

/** Marks a folder whose demo is incomplete, so that an interrupted creation is recognized. */
export function markBegun({ data }: DemoConfig): void {
  write(data, {});
}

/** The key is stored in the keys folder: no secret is stored beside the data. */
export function markMade({ data, keys }: DemoConfig, feedKey: string): void {
  const key = `demo-${newGuid()}.key`;
  writeFileSync(join(keys, key), feedKey, { mode: 0o600 });
  write(data, { key });
}

const write = (folder: string, written: Written): void =>
  writeFileSync(fileIn(folder), JSON.stringify(written), { mode: 0o600 });

/** Creates no tables, which opening a store would. */
async function isInstalled(url: string): Promise<boolean> {
  const { openPostgres } = await import('#store/postgres/postgres.ts');
  const driver = await openPostgres(url);
  try {
    const [row] = await driver.reader.all("select to_regclass('installation') as name");
    return row?.name !== null;
  } finally {
    await driver.close();
  }
}
