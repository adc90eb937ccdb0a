// An engine over a folder and a store of its own, with a clock that is moved by hand.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundCorruption } from '#engines/corruption.ts';
import { openDuckdbEngine } from '#engines/duckdb/engine.ts';
import type { EngineLimits } from '#engines/duckdb/runs/runs.ts';
import type { Fields, LogEngine, TableSpec, TimeRange } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Plan } from '#query/nodes/plan.ts';
import { openStore, type Store } from '#store/store.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { everythingSealed } from '#vault/everything-sealed.ts';
import { Vault } from '#vault/vault.ts';

export const NOW = '2026-11-15T03:00:00Z';
export const TIME = Temporal.Instant.from(NOW).epochMilliseconds;
export const ALL: Wanted = { range: {}, order: 'asc', offset: 0, limit: 1_000_000 };

interface Wanted {
  readonly range: TimeRange;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** How a table is kept: as it is, checked, or encrypted. */
export const PROTECTIONS = ['plain', 'checked', 'encrypted'] as const;
export type TestProtection = (typeof PROTECTIONS)[number];

export type EngineHome = Awaited<ReturnType<typeof makeEngineHome>>;

const LIMITS: EngineLimits = {
  memoryBytes: 2 ** 32,
  diskBytes: 2 ** 32,
  accountMemoryBytes: 2 ** 30,
  accountDiskBytes: 2 ** 30,
};

export async function makeEngineHome({ cacheBytes = 2 ** 30, memoryFolder = '/dev/shm', limits = LIMITS } = {}) {
  const failures: unknown[] = [];
  const corruptions: FoundCorruption[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'));
  const store = await openStore(folder, { groupCommitted() {}, storeFailed: (error) => void failures.push(error) });
  const clock = new ManualClock(NOW);
  const keys = join(folder, 'keys');
  const open = async () =>
    openDuckdbEngine({
      store,
      vault: (await Vault.open(store, keys)).vault,
      memory: { folder: memoryFolder, cacheBytes },
      limits,
      onCorruption: (found) => corruptions.push(found),
      unopened: (_, refusal) => failures.push(refusal),
      clock,
      zone: 'Asia/Seoul',
      dataFolder: folder,
      maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
      sealing: { rows: 1000, after: Temporal.Duration.from({ minutes: 5 }) },
      failed: (error) => failures.push(error),
    });
  let engine: LogEngine = await open();
  return {
    folder,
    keys,
    store,
    clock,
    /** What was reported as corrupt. */
    corruptions,
    /** What went wrong in the background. */
    failures,
    get engine() {
      return engine;
    },
    async restart() {
      await engine.close();
      engine = await open();
    },
    /** Lets time pass, with a whole round of maintenance at its end. */
    async tick(length: Temporal.DurationLike) {
      clock.advance(length);
      // The round that the clock began may have looked at an earlier moment.
      await engine.maintain();
      await engine.maintain();
    },
    /** Records as they were sent, with our own fields. */
    read: (spec: TableSpec, wanted = ALL): Promise<Fields[]> => recordsIn(engine, spec, wanted),
    async count(spec: TableSpec, range: TimeRange): Promise<number> {
      const { rows } = await queryOn(engine, [spec], `table ${boundsText(range)} ${spec.name} | stats count`);
      return Number(rows[0]?.[0]);
    },
    async createTable(fields: Omit<TableSpec, 'id'>, protection: TestProtection = 'plain'): Promise<TableSpec> {
      const counted = { columns: '', last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };
      const empty = { retention: 0, group_guid: null, schema_code: null, min_time: null, max_time: null };
      const profile = protection === 'plain' ? null : await createProfile(store, keys, fields.name);
      const guarded = { crypto_profile_guid: profile, encrypted: protection === 'encrypted' ? 1 : 0 };
      const row = { ...fields, ...counted, ...empty, ...guarded, search: fields.name, created_at: 1, updated_at: 1 };
      const { id } = await store.write((db) =>
        db.insertInto('log_tables').values(row).returning('id').executeTakeFirstOrThrow(),
      );
      return { id, ...fields };
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createProfile(store: Store, keys: string, name: string): Promise<string> {
  const { vault } = await Vault.open(store, keys);
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

async function recordsIn(engine: LogEngine, spec: TableSpec, { range, order, offset, limit }: Wanted) {
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

export const record = (text: string, time = TIME) => ({ time, text, shape: shapeOf(JSON.parse(text)) });

export const segmentsIn = (store: Store) =>
  store.reader.all('select day, rows, file from log_segments order by day, file');
