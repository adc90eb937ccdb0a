// Where a demo lives: a data folder, and in it a file that says so. A demo is made where nothing is, goes on where one is, and
// touches nothing else.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';

type Places = Pick<Config, 'data' | 'database' | 'keys'>;

/** What the file says: which key of the keys folder is that of a demo, once all of it is made. */
interface Written {
  readonly key?: string;
}

const fileIn = (folder: string): string => join(folder, 'demo.json');

/** The key that brings more logs, where a demo is; undefined where one can be made. Throws a UsageError for anything else. */
export async function findFeedKey({ data, database, keys }: Places): Promise<string | undefined> {
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

/** So that one that is broken off is known. */
export function markBegun({ data }: Places): void {
  write(data, {});
}

/** Secrets are kept apart from the data, also those of a demo. */
export function markMade({ data, keys }: Places, feedKey: string): void {
  const key = `demo-${newGuid()}.key`;
  writeFileSync(join(keys, key), feedKey, { mode: 0o600 });
  write(data, { key });
}

const write = (folder: string, written: Written): void =>
  writeFileSync(fileIn(folder), JSON.stringify(written), { mode: 0o600 });

/** Looks without making anything there, as opening a store would. */
async function isInstalled(url: string): Promise<boolean> {
  const { openPostgres } = await import('#store/postgres.ts');
  const driver = await openPostgres(url);
  try {
    const [row] = await driver.reader.all("select to_regclass('installation') as name");
    return row?.name !== null;
  } finally {
    await driver.close();
  }
}
