// The databases that connection profiles of the tests name: PostgreSQL and MariaDB, both real. Each suite has a database of its
// own on each of them, and a user without particular rights.

import { afterAll, beforeAll, inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { OutsideDatabase as Kind } from '#test/parts.ts';
import { createDatabase } from './databases.ts';
import { startMariadb } from './mariadb.ts';

const SERVERS = { postgresql: 'postgresReason', mysql: 'mariadbReason' } as const;

/** Those of this part of the suite whose server can be had; those that cannot are told before the tests. */
export const KINDS: readonly Kind[] = inject('outside').filter((kind) => inject(SERVERS[kind]) === '');

export const USER = 'vigil_reader';
export const PASSWORD = 'hush-0123456789-database';

export interface OutsideDatabase {
  readonly kind: Kind;
  readonly port: number;
  readonly database: string;
  /** Runs statements with all rights; gives the rows of the last one. */
  run(...statements: readonly string[]): Promise<Record<string, unknown>[]>;
}

/** Fields of a profile of the database. */
export const profileOf = ({ kind, port, database }: OutsideDatabase): Record<string, string> => ({
  kind,
  host: '127.0.0.1',
  port: String(port),
  database,
  user: USER,
  password: PASSWORD,
  tls: 'off',
});

/** A database for the suite that is being defined. */
export function databaseFor(kind: Kind): () => OutsideDatabase {
  let made: (OutsideDatabase & { stop?(): Promise<void> }) | undefined;
  beforeAll(async () => {
    made = await (kind === 'postgresql' ? postgresDatabase() : mysqlDatabase());
  });
  afterAll(async () => await made?.stop?.());
  return () => {
    if (!made) throw new Error(`there is no server of the kind ${kind}`);
    return made;
  };
}

async function mysqlDatabase(): Promise<OutsideDatabase & { stop(): Promise<void> }> {
  const server = await startMariadb();
  await server.run('crm', `create user '${USER}'@'%' identified by '${PASSWORD}'`);
  await server.run('crm', `grant select, insert, update, create temporary tables on crm.* to '${USER}'@'%'`);
  return {
    kind: 'mysql',
    port: server.port,
    database: 'crm',
    run: async (...statements) => rowsOf((await server.run('crm', ...statements)).at(-1)),
    stop: () => server.stop(),
  };
}

const rowsOf = (result: unknown): Record<string, unknown>[] => (Array.isArray(result) ? result : []);

async function postgresDatabase(): Promise<OutsideDatabase> {
  const { default: pg } = await import('pg');
  const url = await createDatabase(`o_${newGuid().replaceAll('-', '')}`);
  const { port, pathname } = new URL(url || inject('postgresUrl'));
  const run: OutsideDatabase['run'] = async (...statements) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const rows: Record<string, unknown>[][] = [];
      for (const statement of statements) rows.push((await client.query(statement)).rows);
      return rows.at(-1) ?? [];
    } finally {
      await client.end();
    }
  };
  await run(
    `do $$ begin create role ${USER} login password '${PASSWORD}'; exception when duplicate_object then null; when unique_violation then null; end $$`,
    `alter default privileges in schema public grant select, insert, update on tables to ${USER}`,
  );
  return { kind: 'postgresql', port: Number(port), database: pathname.slice(1), run };
}
