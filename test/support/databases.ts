// A PostgreSQL database of a test's own, on the server that all tests share.

import pg from 'pg';
import { inject } from 'vitest';

export async function createDatabase(name: string): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
