// Everything a service has written down: its files, and the rows of its database where that is PostgreSQL.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Service } from './service.ts';

export async function everythingKept({ config }: Service): Promise<Buffer[]> {
  const rows = config.database === undefined ? [] : await rowsOf(config.database);
  return [...filesUnder(config.data), ...filesUnder(config.keys), ...rows];
}

function filesUnder(folder: string): Buffer[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name)));
}

async function rowsOf(url: string): Promise<Buffer[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
  const texts: Buffer[] = [];
  for (const { tablename } of tables.rows) {
    const { rows } = await client.query(`select t::text as text from "${tablename}" t`);
    texts.push(...rows.map(({ text }) => Buffer.from(text)));
  }
  await client.end();
  return texts;
}
