// Writes a fixture: starts the service of a commit as a process, fills one small installation through its public interface, kills
// it, and packs what is left, once on SQLite and once on PostgreSQL. Usage: npm run fixture -- COMMIT

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '#test/support/postgres.ts';
import { type Version, versionOf } from '#test/support/versions.ts';
import { DUMP, type FixtureDatabase, fixtureOf, type Manifest, pack } from './fixtures.ts';
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

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('usage: npm run fixture -- COMMIT');
using version = versionOf(commit);
await writeFixture(version, 'sqlite', undefined);
await writeOnPostgres(version);

async function writeOnPostgres(version: Version): Promise<void> {
  const server = await startPostgres();
  if ('reason' in server) throw new Error(server.reason);
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('create database fixture');
    await client.end();
    await writeFixture(version, 'postgres', server.url.replace(/[^/]*$/, 'fixture'));
  } finally {
    server.stop();
    rmSync(server.folder, { recursive: true, force: true });
  }
}

async function writeFixture(
  version: Version,
  database: FixtureDatabase,
  databaseUrl: string | undefined,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-fixture-'));
  const home = { version, folder, databaseUrl };
  const content = await writeInstallation(home);
  const written_at = Temporal.Now.instant().round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString();
  const audit_head = provenHead(home);
  if (databaseUrl !== undefined) writeFileSync(join(folder, DUMP), await dumpDatabase(databaseUrl), { mode: 0o600 });
  pack(fixtureOf(commit ?? '', database), folder, {
    commit: commit ?? '',
    database,
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
  const first = await startOldService(home, SEALING_FLAGS);
  await makeObjectsBeforeTables(first.master);
  await createTables(first);
  await makeObjectsAfterTables(first.master, webhook.url);
  const keys = await makeKeys(first.master);
  await writeSealed(first, home.folder);
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
  const content = await describe(last);
  const cookie = await openSession(last.url, MASTER_KEY);
  await last.kill();
  return { ...content, keys, uploads, cookie };
}

async function describe(service: OldService): Promise<Omit<Content, 'keys' | 'uploads' | 'cookie'>> {
  const tables = await describeTables(service);
  const queries = await answerQueries(service.master);
  const objects = await readObjects(
    service.master,
    tables.map(({ name }) => name),
  );
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
