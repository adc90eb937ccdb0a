// An engine over a folder and a store of its own, with a clock that is moved by hand.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckEngine } from '#engines/duckdb/engine.ts';
import type { LogEngine, TableSpec, Wanted } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const NOW = '2026-11-15T03:00:00Z';
export const TIME = Temporal.Instant.from(NOW).epochMilliseconds;
export const ALL: Wanted = { range: {}, order: 'asc', offset: 0, limit: 1_000_000 };

export type EngineHome = Awaited<ReturnType<typeof makeEngineHome>>;

export async function makeEngineHome() {
  const failures: unknown[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'));
  const store = await openStore(folder, { groupCommitted() {}, storeFailed: (error) => void failures.push(error) });
  const clock = new ManualClock(NOW);
  const open = () =>
    openDuckEngine({
      store,
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
    store,
    clock,
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
    async read(spec: TableSpec, wanted = ALL) {
      return (await Array.fromAsync(engine.read(spec, wanted))).flat();
    },
    async createTable(fields: Omit<TableSpec, 'id'>): Promise<TableSpec> {
      const counted = { columns: '[]', last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };
      const empty = { retention: 0, group_guid: null, schema_code: null, min_time: null, max_time: null };
      const row = { ...fields, ...counted, ...empty, search: fields.name, created_at: 1, updated_at: 1 };
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

export const record = (text: string, time = TIME) => ({ time, text, shape: shapeOf(JSON.parse(text)) });

export const segmentsIn = (store: Store) =>
  store.reader.all('select day, rows, file from log_segments order by day, file');
