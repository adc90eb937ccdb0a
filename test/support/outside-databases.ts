// The databases that connection profiles of the tests name: PostgreSQL and MariaDB, both real. Each suite has a database of its
// own on each of them, and a user without particular rights.

import { afterAll, beforeAll, inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createDatabase } from './databases.ts';
import { startMariadb } from './mariadb.ts';

type Kind = 'postgresql' | 'mysql';

/** Those whose server can be had; those that cannot are told before the tests. */
export const KINDS: readonly Kind[] = [
  ...(inject('postgresReason') === '' ? (['postgresql'] as const) : []),
  ...(inject('mariadbReason') === '' ? (['mysql'] as const) : []),
];

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

/** Servers for the suite that is being defined. */
export function databasesFor(): (kind: Kind) => OutsideDatabase {
  const found = new Map<Kind, OutsideDatabase>();
  const ending: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (KINDS.includes('postgresql')) found.set('postgresql', await postgresDatabase());
    if (!KINDS.includes('mysql')) return;
    const server = await startMariadb();
    ending.push(() => server.stop());
    await server.run('crm', `create user '${USER}'@'%' identified by '${PASSWORD}'`);
    await server.run('crm', `grant select, insert, update, create temporary tables on crm.* to '${USER}'@'%'`);
    found.set('mysql', {
      kind: 'mysql',
      port: server.port,
      database: 'crm',
      run: async (...statements) => rowsOf((await server.run('crm', ...statements)).at(-1)),
    });
  }, 120_000);
  afterAll(async () => {
    for (const end of ending) await end();
  });
  return (kind) => {
    const one = found.get(kind);
    if (!one) throw new Error(`there is no server of the kind ${kind}`);
    return one;
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
