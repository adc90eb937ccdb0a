// The embedded engine over a folder of its own, with a clock that is moved by hand.

import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import type { FoundCorruption } from '#logs/corruption.ts';
import type { Fields, LogStore, TableSpec, TimeRange } from '#logs/log-store.ts';
import type { EngineLimits } from '#logs/runs/statements/runs.ts';
import { openDuckdbEngine } from '#logs/stores/embedded/embedded-store.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import { openStore, type Store } from '#store/store.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { everythingSealed } from '#vault/sealed/everything-sealed.ts';
import { Vault } from '#vault/vault.ts';
import { createMetadataFile } from './databases.ts';
import { ALL, NOW } from './engine-conformance/samples.ts';
import type { EngineHome, TestProtection, WantedRecords } from './engine-conformance/suite.ts';

/** The home of the embedded engine, with the places of its files. */
export interface DuckdbHome extends EngineHome {
  readonly folder: string;
  readonly keys: string;
  /** What was reported as corrupt. */
  readonly corruptions: readonly FoundCorruption[];
}

/** A store that several homes use one after the other, and what it has reported. */
export interface SharedStore {
  readonly store: Store;
  readonly failures: unknown[];
}

const LIMITS: EngineLimits = {
  memoryBytes: 2 ** 32,
  diskBytes: 2 ** 32,
  accountMemoryBytes: 2 ** 30,
  accountDiskBytes: 2 ** 30,
};

export interface DuckdbHomeOptions {
  readonly cacheBytes?: number;
  readonly memoryFolder?: string;
  readonly limits?: EngineLimits;
  /** Without one the home has a store of its own, in its folder. */
  readonly shared?: SharedStore;
}

export async function openSharedStore(location: string): Promise<SharedStore> {
  const failures: unknown[] = [];
  const store = await openStore(location, { groupCommitted() {}, storeFailed: (error) => void failures.push(error) });
  return { store, failures };
}

export async function makeEngineHome(options: DuckdbHomeOptions = {}): Promise<DuckdbHome> {
  const { cacheBytes = 2 ** 30, memoryFolder = '/dev/shm', limits = LIMITS, shared } = options;
  const corruptions: FoundCorruption[] = [];
  const folder = mkdtempSync(join(inject('folder'), 'engine-'));
  const metadata = join(folder, 'metadata');
  if (!shared) createMetadataFile(metadata);
  const { store, failures } = shared ?? (await openSharedStore(metadata));
  const clock = new ManualClock(NOW);
  const keys = join(folder, 'keys');
  const open = async () =>
    openDuckdbEngine({
      store,
      vault: (await Vault.open(store, { keys })).vault,
      memory: { folder: memoryFolder, cacheBytes },
      limits,
      onCorruption: (found) => corruptions.push(found),
      unopened: (_, refusal) => failures.push(refusal),
      clock,
      zone: 'Asia/Seoul',
      dataFolder: folder,
      maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
      sealing: { rows: 1000, after: Temporal.Duration.from({ minutes: 5 }) },
      denseAfterDays: 30,
      rewriteAfterDays: 7,
      failed: (error) => failures.push(error),
    });
  let engine: LogStore = await open();
  return {
    folder,
    keys,
    store,
    clock,
    corruptions,
    failures,
    get engine() {
      return engine;
    },
    async restart() {
      await engine.close();
      engine = await open();
    },
    async tick(length: Temporal.DurationLike) {
      clock.leap(length);
      // The round that the clock began may have looked at an earlier moment.
      await engine.maintain();
      await engine.maintain();
    },
    read: (spec: TableSpec, wanted = ALL): Promise<Fields[]> => recordsIn(engine, spec, wanted),
    count: (spec: TableSpec, range: TimeRange): Promise<number> => countIn(engine, spec, range),
    async createTable(fields: Omit<TableSpec, 'id'>, protection: TestProtection = 'plain'): Promise<TableSpec> {
      const empty = { retention: 0, group_guid: null, schema_code: null };
      const profile = protection === 'plain' ? null : await createProfile(store, keys, fields.name);
      const guarded = { crypto_profile_guid: profile, encrypted: protection === 'encrypted' ? 1 : 0 };
      const row = { ...fields, ...empty, ...guarded, search: fields.name, created_at: 1, updated_at: 1 };
      return { id: await store.write((db) => engine.insertTable(db, row)), ...fields };
    },
    async leftovers() {
      const segments = await store.reader.all(CATALOG_FILES);
      const known = new Set(segments.flatMap(({ path }) => [path, `${path}.words`]));
      const files = globSync('**/*{.parquet*,.ndjson}', { cwd: join(folder, 'tables') });
      return files.filter((file) => !known.has(file));
    },
    async corrupt({ id, name }) {
      const [segment] = await store.reader.all('select file from log_segments where table_id = ?', [id]);
      truncateSync(join(folder, 'tables', `${name}.${id}`, String(segment?.file)), 200);
      return String(segment?.file);
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      if (shared) await clear(store);
      else await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CATALOG_FILES = `select t.name || '.' || t.id || '/' || s.file as path
  from log_segments s join log_tables t on t.id = s.table_id`;

/** For the next home. */
async function clear(store: Store): Promise<void> {
  await store.write(async (db) => {
    await db.deleteFrom('log_tables').execute();
    await db.deleteFrom('crypto_profiles').execute();
  });
}

async function createProfile(store: Store, keys: string, name: string): Promise<string> {
  const { vault } = await Vault.open(store, { keys });
  const guid = newGuid();
  const algorithm = 'aes-256-gcm';
  await store.write(async (db) => {
    const wrapped_key = vault.wrapped(guid, algorithm, randomBytes(32), await everythingSealed(db));
    const dated = { search: name, created_at: 1, updated_at: 1 };
    await db
      .insertInto('crypto_profiles')
      .values({ guid, name, description: null, algorithm, wrapped_key, ...dated })
      .execute();
  });
  return guid;
}

export async function countIn(engine: LogStore, spec: TableSpec, range: TimeRange): Promise<number> {
  const { rows } = await queryOn(engine, [spec], `table ${boundsText(range)} ${spec.name} | stats count`);
  return Number(rows[0]?.[0]);
}

export async function recordsIn(engine: LogStore, spec: TableSpec, { range, order, offset, limit }: WantedRecords) {
  const text = `table ${boundsText(range)} order=${order} offset=${offset} limit=${limit} ${spec.name}`;
  const { rows, plan } = await queryOn(engine, [spec], text);
  return rows.map((row) => recordOf(row, plan));
}

const boundsText = ({ from, to }: TimeRange): string =>
  Object.entries({ from, to })
    .flatMap(([name, time]) =>
      time === undefined ? [] : [`${name}="${Temporal.Instant.fromEpochMilliseconds(time)}"`],
    )
    .join(' ');

/** The overflow has what was sent where it is no value of a column. */
function recordOf(cells: readonly Json[], { result: { rows } }: Plan): Fields {
  const columns = rows.columns.map(({ name }, index) => [name, cells[index] ?? null] as const);
  const overflow = (rows.overflow ? cells.at(-1) : null) as Fields | null;
  return { ...Object.fromEntries(columns.filter(([, value]) => value !== null)), ...overflow };
}

export const segmentsIn = (store: Store) =>
  store.reader.all('select day, rows, file from log_segments order by day, file');
