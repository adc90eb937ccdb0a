// A copy of a fixture that the present version is started on, with a clock that begins when the fixture was written: nothing in
// it has expired, whatever the date is.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { runCli } from '#test/support/cli.ts';
import { type ClickhouseServer, logsUrl } from '#test/support/clickhouse.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Service, startService } from '#test/support/service.ts';
import { restoreTables } from './clickhouse-tables.ts';
import { allFixtures, CLICKHOUSE_TABLES, DUMP, type Fixture, type Manifest, readManifest, unpack } from './fixtures.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** An unpacked fixture that no service runs on. */
export interface FixtureCopy extends Disposable {
  readonly manifest: Manifest;
  readonly data: string;
  readonly keys: string;
  readonly databaseUrl: string | undefined;
  /** The setting `logs`. */
  readonly logs: string | undefined;
  /** Runs a statement on the metadata database, past the service. */
  sql(statement: string): Promise<Rows>;
}

export interface OpenedFixture extends AsyncDisposable {
  readonly copy: FixtureCopy;
  readonly service: Service;
  readonly clock: ManualClock;
  readonly log: CapturedLog;
}

/** Defines a suite for every fixture with embedded logs whose database can be had. */
export function onEachFixture(title: string, define: (fixture: Fixture) => void): void {
  const embedded = allFixtures().filter(({ logs }) => logs === 'embedded');
  for (const fixture of embedded.filter(({ database }) => inject('databases').includes(database))) {
    const isSkipped = fixture.database === 'postgres' && inject('postgresReason') !== '';
    describe.skipIf(isSkipped)(`${title} of ${fixture.commit} on ${fixture.database}`, () => define(fixture));
  }
}

/** Defines a suite for every fixture with logs on ClickHouse. */
export function onEachClickhouseFixture(title: string, define: (fixture: Fixture) => void): void {
  for (const fixture of allFixtures().filter(({ logs }) => logs === 'clickhouse'))
    describe.skipIf(inject('clickhouse').reason)(`${title} of ${fixture.commit} on ClickHouse`, () => define(fixture));
}

/** `clickhouse` gets the tables of a fixture with logs on ClickHouse. */
export async function copyFixture(fixture: Fixture, clickhouse?: ClickhouseServer): Promise<FixtureCopy> {
  const folder = mkdtempSync(join(inject('folder'), 'fixture-'));
  unpack(fixture, folder);
  const data = join(folder, 'data');
  const keys = join(folder, 'keys');
  const databaseUrl = fixture.database === 'postgres' ? await restoredDatabase(join(folder, DUMP)) : undefined;
  const logs = clickhouse && (await restoredLogs(clickhouse, join(folder, CLICKHOUSE_TABLES)));
  return {
    manifest: readManifest(fixture),
    data,
    keys,
    databaseUrl,
    logs,
    sql: (statement) =>
      databaseUrl === undefined ? sqliteRows(data, statement) : postgresRows(databaseUrl, statement),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Starts the present version on a copy, which is removed with it. */
export async function openFixture(
  copy: FixtureCopy,
  { at = copy.manifest.written_at }: { readonly at?: string } = {},
): Promise<OpenedFixture> {
  const { data, keys, databaseUrl, logs, manifest } = copy;
  const clock = new ManualClock(at);
  const log = new CapturedLog();
  const stores = { ...(databaseUrl ? { database: databaseUrl } : {}), ...(logs ? { logs } : {}) };
  const flags = { data, keys, 'outbound-hosts': '127.0.0.1', ...stores };
  const service = await startService({ clock, log, masterKey: manifest.master_key, flags });
  return {
    copy,
    service,
    clock,
    log,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      copy[Symbol.dispose]();
    },
  };
}

/** Compares the answer to every query of the manifest with the one that the earlier version gave. */
export async function compareAnswers({ service, copy: { manifest } }: OpenedFixture): Promise<void> {
  const answers = manifest.queries.map(async ({ q }) => {
    const { text } = await service.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`);
    return { q, lines: text.split('\n').filter((line) => line !== '') };
  });
  expect(await Promise.all(answers)).toEqual(manifest.queries);
}

/** Runs `vigil audit verify --json` on a copy. */
export async function verifyAudit({ data, keys, databaseUrl }: FixtureCopy) {
  const database = databaseUrl === undefined ? [] : ['--database', databaseUrl];
  const { exitCode, stdout } = await runCli(['audit', 'verify', '--json', '--data', data, '--keys', keys, ...database]);
  return { exitCode, verdict: JSON.parse(stdout) };
}

async function restoredDatabase(dump: string): Promise<string> {
  const url = await createDatabase(`fixture_${newGuid().replaceAll('-', '')}`);
  await postgresRows(url, readFileSync(dump, 'utf8'));
  return url;
}

async function restoredLogs(server: ClickhouseServer, folder: string): Promise<string> {
  const database = await server.createDatabase();
  await restoreTables({ server, database }, folder);
  return logsUrl([server], database);
}

async function sqliteRows(data: string, statement: string): Promise<Rows> {
  using database = new DatabaseSync(join(data, 'metadata.db'));
  return database.prepare(statement).all();
}

async function postgresRows(url: string, statement: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
