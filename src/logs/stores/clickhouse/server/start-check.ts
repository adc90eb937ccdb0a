// Whether a server can be the log store: its version, the rights of the account, and the settings without which an acknowledged
// record could be lost or a query could take more than its limits. A refusal says what to change.

import { UsageError } from '#kernel/usage-error.ts';
import type { ClickhouseClient } from './client.ts';
import { StatementFailed } from './failures.ts';

/** The oldest version that passes the tests of the engine. */
const MIN_VERSION = [25, 8] as const;

/** What the engine does in its database, as the server names it. */
export const DATABASE_PRIVILEGES = [
  'SELECT',
  'INSERT',
  'CREATE TABLE',
  'DROP TABLE',
  'ALTER COLUMN',
  'ALTER DELETE',
] as const;

/** What filters of texts in tables that exist need: the engine works without it, as accounts of earlier versions do. */
export const FILTER_PRIVILEGE = 'ALTER INDEX';

/** What it reads and does beside its database. */
export const OTHER_GRANTS = [
  ['SELECT', 'system.parts'],
  ['SELECT', 'system.processes'],
  ['KILL QUERY', '*.*'],
] as const;

/** Limits that the engine sets for statements, and that nothing else may raise. */
const LIMITS = ['max_memory_usage', 'max_execution_time'] as const;

const AUTHENTICATION_FAILED = 516;
const UNKNOWN_DATABASE = 81;

/** The most that the account may allow a statement. */
export interface ServerLimits {
  readonly memoryBytes: number;
  readonly seconds: number;
}

/** Throws a UsageError with what is to be changed. `user` is the account that statements run as. */
export async function requireUsableServer(client: ClickhouseClient, user: string): Promise<ServerLimits> {
  const { name: host, database } = client;
  await requireVersion(client).catch((error: unknown) => {
    if (!(error instanceof StatementFailed)) throw error;
    if (error.code === AUTHENTICATION_FAILED) throw new UsageError('log-store-refuses-user', { host });
    throw error.code === UNKNOWN_DATABASE ? new UsageError('log-store-no-database', { database, host }) : error;
  });
  await requirePrivileges(client, user);
  await requireDurability(client);
  return await requireLimits(client, user);
}

/** A statement without a limit has the limit 0, so the least value is bounded, too. */
async function requireLimits(client: ClickhouseClient, user: string): Promise<ServerLimits> {
  const rows = await client.rows(
    `select name, toFloat64OrZero(max) from system.settings
     where name in {names:Array(String)} and toFloat64OrZero(min) > 0 and toFloat64OrZero(max) > 0`,
    { params: { names: LIMITS } },
  );
  const most = new Map(rows.map(([name, max]) => [name, Number(max)]));
  const [memoryBytes, seconds] = LIMITS.map((name) => most.get(name));
  if (memoryBytes !== undefined && seconds !== undefined) return { memoryBytes, seconds };
  throw new UsageError('log-store-unbounded', { user, host: client.name });
}

async function requireVersion(client: ClickhouseClient): Promise<void> {
  const [[found] = []] = await client.rows('select version()');
  const version = String(found);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw new UsageError('log-store-too-old', { host: client.name, version });
}

async function requirePrivileges(client: ClickhouseClient, user: string): Promise<void> {
  const own = `\`${client.database}\`.*`;
  const asked = [...DATABASE_PRIVILEGES.map((privilege) => [privilege, own] as const), ...OTHER_GRANTS];
  for (const [privilege, on] of asked) {
    if ((await client.text(`check grant ${privilege} on ${on}`).catch(denied)) === '1') continue;
    const grant = `grant ${privilege} on ${on} to ${user}`;
    throw new UsageError('log-store-denies', { privilege, user, host: client.name, grant });
  }
}

/** A server that does not even let the rights be asked for has not granted them. */
function denied(error: unknown): string {
  if (error instanceof StatementFailed) return '0';
  throw error;
}

/** Tables are made with the settings; a table that was changed since, or made by hand, is found out. */
async function requireDurability(client: ClickhouseClient): Promise<void> {
  const found = await client.rows(
    `select name, engine_full from system.tables
     where database = {database:String} and match(name, '^t_[0-9]+$') and engine like '%MergeTree'`,
    { params: { database: client.database } },
  );
  const [[quorum] = []] = await client.rows(`select getSetting('insert_quorum')`);
  const hasQuorum = !['0', 'null', 'undefined'].includes(String(quorum));
  for (const [table, engine] of found) {
    const text = String(engine);
    if (/\bfsync_after_insert = 1\b/.test(text) || (hasQuorum && text.startsWith('Replicated'))) continue;
    throw new UsageError('log-store-forgets', { table: String(table), host: client.name });
  }
}
