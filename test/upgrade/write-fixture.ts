// Writes a fixture: starts the service of a commit as a process, fills one small installation through its public interface, kills
// it, and packs what is left: on SQLite, on PostgreSQL, and on SQLite with logs on ClickHouse.
// Usage: npm run fixture -- COMMIT [sqlite|postgres|clickhouse]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { clickhouseProgram, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { type Version, versionOf } from '#test/support/versions.ts';
import { dumpTables } from './clickhouse-tables.ts';
import { CLICKHOUSE_TABLES, DUMP, type FixtureStores, fixtureOf, type Manifest, pack } from './fixtures.ts';
import { dumpDatabase } from './writing/database-dump.ts';
import { answerQueries, readObjects } from './writing/description.ts';
import {
  RULES,
  untilEarlyInMinute,
  untilRunsEnded,
  writeDetection,
  writeSchedules,
  writeTickets,
  writeUploads,
} from './writing/detection.ts';
import { CONNECTION_PROFILES, SCHEDULES } from './writing/guids.ts';
import {
  createTables,
  describeTables,
  KEEPING_FLAGS,
  PROTECTED,
  PROTECTIONS,
  SEALING_FLAGS,
  untilSealed,
  writeSealed,
  writeUnsealed,
} from './writing/logs.ts';
import {
  makeKeys,
  makeObjectsAfterTables,
  makeObjectsBeforeTables,
  openSession,
  SECRET_HEADER,
} from './writing/objects.ts';
import { type Home, MASTER_KEY, type OldService, runOldCommand, startOldService } from './writing/old-service.ts';

const WRITERS: Readonly<Record<FixtureStores, (version: Version) => Promise<void>>> = {
  sqlite: (version) => writeFixture('sqlite', { version }),
  postgres: writeOnPostgres,
  clickhouse: writeOnClickhouse,
};

const [commit, only] = process.argv.slice(2);
if (commit === undefined) throw new Error('usage: npm run fixture -- COMMIT [sqlite|postgres|clickhouse]');
using version = versionOf(commit);
for (const [stores, write] of Object.entries(WRITERS)) if (only === undefined || only === stores) await write(version);

async function writeOnPostgres(version: Version): Promise<void> {
  const server = await startPostgres();
  if ('reason' in server) throw new Error(server.reason);
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('create database fixture');
    await client.end();
    const databaseUrl = server.url.replace(/[^/]*$/, 'fixture');
    await writeFixture('postgres', {
      version,
      databaseUrl,
      dump: async (folder) => writeFileSync(join(folder, DUMP), await dumpDatabase(databaseUrl), { mode: 0o600 }),
    });
  } finally {
    server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  }
}

async function writeOnClickhouse(version: Version): Promise<void> {
  const { python, reason } = await clickhouseProgram();
  if (reason) throw new Error(reason);
  const home = { python, folder: mkdtempSync(join(tmpdir(), 'vigil-clickhouse-')) };
  await using server = await startClickhouse({ home });
  const database = await server.createDatabase();
  await writeFixture('clickhouse', {
    version,
    logs: logsUrl([server], database),
    dump: (folder) => dumpTables({ server, database }, join(folder, CLICKHOUSE_TABLES)),
  });
}

interface Source {
  readonly version: Version;
  readonly databaseUrl?: string;
  readonly logs?: string;
  /** Writes what servers hold of the installation into its folder. */
  dump?(folder: string): Promise<void>;
}

async function writeFixture(stores: FixtureStores, { version, databaseUrl, logs, dump }: Source): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-fixture-'));
  const home = { version, folder, databaseUrl, logs };
  const content = await writeInstallation(home);
  const written_at = Temporal.Now.instant().round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString();
  const audit_head = provenHead(home);
  await dump?.(folder);
  const fixture = fixtureOf(commit ?? '', stores);
  pack(fixture, folder, {
    commit: commit ?? '',
    database: fixture.database,
    written_at,
    ...content,
    audit_head,
  });
  rmSync(folder, { recursive: true });
}

type Content = Omit<Manifest, 'commit' | 'database' | 'written_at' | 'audit_head'>;

/** The service is killed at the end, with records that are not sealed. */
async function writeInstallation(home: Home): Promise<Content> {
  using webhook = await acceptAlarms();
  const first = await startWithTables(home);
  await makeObjectsAfterTables(first.master, webhook.url);
  const keys = await makeKeys(first.master);
  await writeSealed(first, home);
  await writeDetection(first.master);
  const memberKey = keys.find(({ login, scope }) => login === 'member' && scope === 'all')?.key ?? '';
  await writeTickets(first.master, first.connection.as(memberKey));
  await writeSchedules(first.master);
  await untilSealed(home.folder);
  await first.stop();
  // Each stop signs a checkpoint of the audit trail.
  await (await startOldService(home, KEEPING_FLAGS)).stop();
  await untilEarlyInMinute();
  const last = await startOldService(home, KEEPING_FLAGS);
  await untilRunsEnded(last.master);
  await writeUnsealed(last);
  const uploads = await writeUploads(last.master, ['plain_columnar_snappy', 'encrypted_columnar_snappy']);
  const content = await describe(last, home);
  const cookie = await openSession(last.url, MASTER_KEY);
  await last.kill();
  return { ...content, keys, uploads, cookie };
}

/** With logs on ClickHouse, tables with a crypto profile are created before that setting is. */
async function startWithTables(home: Home): Promise<OldService> {
  const first = await startOldService({ ...home, logs: undefined }, SEALING_FLAGS);
  await makeObjectsBeforeTables(first.master);
  if (home.logs === undefined) {
    await createTables(first, PROTECTIONS);
    return first;
  }
  await createTables(first, PROTECTED);
  await first.stop();
  const second = await startOldService(home, SEALING_FLAGS);
  await createTables(second, ['plain']);
  return second;
}

async function describe(service: OldService, { logs }: Home): Promise<Omit<Content, 'keys' | 'uploads' | 'cookie'>> {
  const tables = await describeTables(service);
  const queries = await answerQueries(service.master);
  const objects = await readObjects(service.master, { tables: tables.map(({ name }) => name), logs });
  return {
    master_key: MASTER_KEY,
    tables,
    queries,
    objects,
    rules: RULES,
    schedules: [SCHEDULES.counts],
    connection_profile: { guid: CONNECTION_PROFILES.http, header: SECRET_HEADER },
  };
}

function provenHead(home: Home): Manifest['audit_head'] {
  const { head } = JSON.parse(runOldCommand(home, 'audit', 'verify', '--json'));
  return { id: head.id, hash: head.hash };
}

async function acceptAlarms(): Promise<Disposable & { readonly url: string }> {
  const server = createServer((_, answer) => answer.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Its address is a TCP one: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/alarms`, [Symbol.dispose]: () => server.close().closeAllConnections() };
}
