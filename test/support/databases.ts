// Databases of a test's own: on the PostgreSQL server that all tests share, or in a file. Migrations take longer than most
// tests, so a service starts on a copy of a database that has them; tests of migrations begin with an empty one.

import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { metadataFile } from '#store/sqlite/sqlite.ts';
import { openStore } from '#store/store.ts';

const MIGRATED = 'migrated';

/** An empty one. */
export const createDatabase = (name: string): Promise<string> => createFrom(name);

/** With all tables of the metadata, and nothing in them. */
export const createMetadataDatabase = (name: string): Promise<string> => createFrom(name, MIGRATED);

/** The same in the file of a data folder, unless the folder is there already. */
export function createMetadataFile(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(metadataFile(inject('migratedFolder')), metadataFile(folder));
  // As a start leaves it, which warns of wider modes.
  chmodSync(metadataFile(folder), 0o600);
}

async function createFrom(name: string, template?: string): Promise<string> {
  return await createOn(inject('postgresUrl'), name, template);
}

/** The same on a server that the tests do not share. */
export async function createOn(server: string, name: string, template?: string): Promise<string> {
  const url = new URL(server);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}${template ? ` template ${template}` : ''}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** Before all tests: makes the databases that are copied, one below `parent`. `server` is empty where there is none. */
export async function migrateTemplates(parent: string, server: string): Promise<string> {
  const folder = join(parent, MIGRATED);
  await migrateAt(folder);
  if (server !== '') await migrateAt(await createOn(server, MIGRATED));
  return folder;
}

async function migrateAt(location: string): Promise<void> {
  const store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
  await store.close();
}
