// Databases on a PostgreSQL server of the run's own, the same server that the tests use.

import { rmSync } from 'node:fs';
import pg from 'pg';
import { type PostgresOptions, startPostgres } from '#test/support/postgres.ts';
import { endAtExit } from './cleanup.ts';

export interface Databases extends AsyncDisposable {
  /** Makes an empty database and gives its URL. */
  create(name: string): Promise<string>;
}

/** Gives a reason where no server can be had. */
export async function openDatabases(
  options: PostgresOptions = {},
): Promise<Databases | ({ readonly reason: string } & AsyncDisposable)> {
  const server = await startPostgres(options);
  if ('reason' in server) return { reason: server.reason, [Symbol.asyncDispose]: async () => undefined };
  const stopping = endAtExit(() => {
    server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  });
  return {
    async create(name) {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    [Symbol.asyncDispose]: async () => stopping[Symbol.dispose](),
  };
}
