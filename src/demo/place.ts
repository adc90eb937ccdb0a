// Where a demo lives: a data folder, and in it a file that says so. A demo is made where nothing is, goes on where one is, and
// touches nothing else.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { Mistake } from '#kernel/mistake.ts';

type Places = Pick<Config, 'data' | 'database'>;

/** Of a demo that is made as a whole; of one that is not, `feedKey` is not known. */
interface Written {
  readonly feedKey?: string;
}

const fileIn = (folder: string): string => join(folder, 'demo.json');

/** The key that brings more logs, where a demo is; undefined where one can be made. Throws a Mistake for anything else. */
export async function findFeedKey({ data, database }: Places): Promise<string | undefined> {
  const file = fileIn(data);
  if (existsSync(file)) {
    const { feedKey }: Written = JSON.parse(readFileSync(file, 'utf8'));
    if (feedKey === undefined) throw new Mistake('demo-unfinished', { data });
    return feedKey;
  }
  if (existsSync(data) && readdirSync(data).length > 0) throw new Mistake('demo-folder-in-use', { data });
  if (database !== undefined && (await isInstalled(database))) throw new Mistake('demo-database-in-use');
  return undefined;
}

/** With the key, once everything is made. */
export function markDemo({ data }: Places, feedKey?: string): void {
  writeFileSync(fileIn(data), JSON.stringify({ feedKey }), { mode: 0o600 });
}

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
