// Verifies a log store with the rights of the user in its URL, without a service: opens its servers for reading alone, and an embedded
// engine in a folder of its own that is removed at the end.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientOf, readPassword } from '#app/storage/clickhouse-servers.ts';
import { ApiError } from '#contract/errors.ts';
import { seededDice } from '#kernel/dice.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { Runs } from '#logs/runs/statements/runs.ts';
import type { StatementLimits } from '#logs/stores/clickhouse/reads/shard-statements.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { clusterHosts } from '#logs/stores/clickhouse/server/cluster.ts';
import { NoAnswer, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import type { LogStoreUrl } from '#settings/subjects/logs.ts';
import { type NamedTable, tablesThere } from './named-tables.ts';
import { type Findings, Verification } from './verification.ts';

/** Of every statement, whatever it is: the server refuses what would change something. */
const READ_ONLY = { readonly: 2 } as const;

/** The server ends a statement at its limit by itself; this is for one that does not. */
const GRACE_SECONDS = 30;
const MAX_FETCHED_BYTES = 2 ** 30;
const LIMITS = { memoryBytes: 2 ** 30, diskBytes: 2 ** 32, accountMemoryBytes: 2 ** 29, accountDiskBytes: 2 ** 31 };

/** Errors of servers, by their numbers. */
const UNKNOWN_DATABASE = 81;
const READONLY = 164;
const AUTHENTICATION_FAILED = 516;

export interface VerifiedEngine {
  readonly url: LogStoreUrl;
  readonly passwordFile: string | undefined;
  /** Absent: all tables. */
  readonly table: string | undefined;
  readonly length: Temporal.Duration;
  /** Of one statement; less where the account may have less. */
  readonly statementSeconds: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  progress(findings: Findings): void;
}

export interface EngineReport {
  /** Each with its version. */
  readonly servers: readonly { readonly server: string; readonly version: string }[];
  readonly database: string;
  readonly tables: readonly string[];
  /** As the servers name them: they do not say which tables they are, or not the same of them. */
  readonly leftOut: readonly string[];
  readonly seed: number;
  readonly findings: Findings;
}

/** Throws a UsageError where it could not be run. */
export async function verifyEngine(asked: VerifiedEngine): Promise<EngineReport> {
  const { url, passwordFile, signal } = asked;
  const access = { ...url, password: url.password ?? readPassword(passwordFile) };
  try {
    const shards = new Shards(await reach(access, signal));
    try {
      return await verified(shards, asked);
    } finally {
      await shards.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw usageErrorOf(error, access);
  }
}

async function verified(shards: Shards, asked: VerifiedEngine): Promise<EngineReport> {
  const { url, table, length, seed, signal, progress } = asked;
  const servers = await versionsOf(shards, signal);
  const { tables, leftOut } = await tablesThere(shards, signal);
  const chosen = chosenTables(tables, table, url.database);
  const limits = await limitsOf(shards, asked);
  // Taken down in the reverse order: no run writes into a folder that is gone.
  await using cleaning = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'vigil-verify-'));
  cleaning.defer(() => rm(folder, { recursive: true, force: true }));
  const spillFolder = join(folder, 'spill');
  await mkdir(spillFolder, { mode: 0o700 });
  const runs = new Runs({ clock: systemClock, limits: LIMITS, memoryFolder: folder, readsNameless: true, spillFolder });
  cleaning.defer(() => runs.close());
  const instance = await runs.openShared();
  cleaning.defer(() => instance.end());
  const verification = new Verification({
    runs,
    shards,
    limits,
    folder,
    signal,
    progress,
    tables: async () => named((await tablesThere(shards, signal)).tables, table),
    clock: systemClock,
    dice: seededDice(seed),
  });
  if (!(await verification.run(length))) throw new UsageError('verify-engine-no-records', { database: url.database });
  const names = chosen.map(({ spec }) => spec.name).sort();
  return { servers, database: url.database, tables: names, leftOut, seed, findings: verification.findings };
}

/** Within what every server lets the account have: a statement that asks for more is refused. */
async function limitsOf(shards: Shards, { statementSeconds, signal }: VerifiedEngine): Promise<StatementLimits> {
  const statement = `select toFloat64OrZero(max) from system.settings where name = 'max_execution_time'`;
  const most = (await shards.rows(statement, { signal })).map(([max]) => Number(max)).filter((max) => max > 0);
  const seconds = Math.min(statementSeconds, ...most);
  return {
    settings: { max_execution_time: seconds },
    deadline: Temporal.Duration.from({ milliseconds: Math.ceil((seconds + GRACE_SECONDS) * 1000) }),
    maxBytes: MAX_FETCHED_BYTES,
  };
}

const named = (tables: readonly NamedTable[], name: string | undefined): readonly NamedTable[] =>
  name === undefined ? tables : tables.filter(({ spec }) => spec.name === name);

function chosenTables(tables: readonly NamedTable[], name: string | undefined, database: string) {
  const chosen = named(tables, name);
  if (tables.length === 0) throw new UsageError('verify-engine-no-tables', { database });
  if (chosen.length === 0) throw new UsageError('verify-engine-no-table', { table: name ?? '', database });
  return chosen;
}

type Access = LogStoreUrl & { readonly password: string };

/** The shards, by the first host that answers. */
async function reach({ hosts, cluster, ...access }: Access, signal: AbortSignal): Promise<ClickhouseClient[]> {
  for (const [index, way] of hosts.entries()) {
    const first = clientOf(way, { hosts, ...access }).within(READ_ONLY);
    try {
      await first.rows('select 1', { signal });
      if (cluster === undefined) return [first];
      const names = await clusterHosts(first, cluster);
      await first.close();
      return names.map((host) => clientOf({ host, port: way.port }, { hosts, ...access }).within(READ_ONLY));
    } catch (error) {
      await first.close();
      if (!(error instanceof NoAnswer) || index === hosts.length - 1) throw error;
    }
  }
  throw new Error('a log store has at least one host');
}

const versionsOf = (shards: Shards, signal: AbortSignal) =>
  shards.each(async (client) => {
    const [[version] = []] = await client.rows('select version()', { signal });
    return { server: client.name, version: String(version) };
  });

/** What the operator can change; other errors are given as they are. */
function usageErrorOf(error: unknown, { database }: Access): unknown {
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof NoAnswer) {
    const reason = cause.cause instanceof Error ? cause.cause.message : '';
    return new UsageError('verify-engine-unreachable', { host: cause.server, reason }, { cause });
  }
  return cause instanceof StatementFailed ? refusalOf(cause, database) : error;
}

function refusalOf(cause: StatementFailed, database: string): UsageError {
  switch (cause.code) {
    case UNKNOWN_DATABASE:
      return new UsageError('verify-engine-no-database', { database }, { cause });
    case READONLY:
      return new UsageError('verify-engine-settings-closed', {}, { cause });
    case AUTHENTICATION_FAILED:
      return new UsageError('verify-engine-refuses-user', {}, { cause });
    default:
      return new UsageError('verify-engine-refused', { reason: cause.message }, { cause });
  }
}
