// The log engine on ClickHouse over a database of its own, with a clock that is moved by hand.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { LogStore, TableSpec, TimeRange } from '#logs/log-store.ts';
import { withCatalog } from '#logs/stores/clickhouse/storage/catalog-schema.ts';
import type { Db } from '#store/kysely.ts';
import type { ClickhouseServer } from './clickhouse.ts';
import { createMetadataFile } from './databases.ts';
import { ALL, NOW } from './engine-conformance/samples.ts';
import type { EngineHome } from './engine-conformance/suite.ts';
import { countIn, openSharedStore, recordsIn, type SharedStore } from './log-engine.ts';
import { ManualClock } from './manual-clock.ts';
import { addressOf, openClickhouse } from './open-clickhouse.ts';

export interface ClickhouseHomeOptions {
  /** One for each shard. */
  readonly servers: readonly ClickhouseServer[];
  /** Without one the home has a store of its own, in its folder. */
  readonly shared?: SharedStore;
}

export async function makeClickhouseHome({ servers, shared }: ClickhouseHomeOptions): Promise<EngineHome> {
  const folder = mkdtempSync(join(inject('folder'), 'engine-'));
  const metadata = join(folder, 'metadata');
  if (!shared) createMetadataFile(metadata);
  const { store, failures } = shared ?? (await openSharedStore(metadata));
  const clock = new ManualClock(NOW);
  const databases = await Promise.all(servers.map((server) => server.createDatabase()));
  const addresses = servers.map((server, at) => addressOf(server, databases[at] ?? ''));
  const open = () => openClickhouse({ store, clock, folder, addresses, failed: (error) => failures.push(error) });
  let engine: LogStore = await open();
  const onAll = async (statement: (database: string) => string) =>
    (await Promise.all(servers.map((server, at) => server.ask(statement(databases[at] ?? ''))))).flat(2);
  return {
    store,
    clock,
    failures,
    get engine() {
      return engine;
    },
    async restart() {
      await engine.close();
      engine = await open();
    },
    async tick(length) {
      clock.advance(length);
      // The round that the clock began may have looked at an earlier moment.
      await engine.maintain();
      await engine.maintain();
    },
    read: (spec, wanted = ALL) => recordsIn(engine, spec, wanted),
    count: (spec, range: TimeRange) => countIn(engine, spec, range),
    async createTable(fields: Omit<TableSpec, 'id'>): Promise<TableSpec> {
      const empty = { retention: 0, group_guid: null, schema_code: null };
      const row = { ...fields, ...empty, search: fields.name, created_at: 1, updated_at: 1 };
      return { id: await store.write((db) => engine.insertTable(db, row)), ...fields };
    },
    async leftovers() {
      const ids = new Set((await store.reader.all('select id from log_tables')).map(({ id }) => `t_${id}`));
      const tables = await onAll((database) => `select name from system.tables where database = '${database}'`);
      const uploads = await store.reader.all('select table_id, upload from clickhouse_uploads');
      return [
        ...tables.filter((name) => !ids.has(name)),
        ...uploads.map(({ table_id, upload }) => `upload ${upload} of ${table_id}`),
      ];
    },
    corrupt: () => Promise.reject(new Error('ClickHouse keeps its own files')),
    async [Symbol.asyncDispose]() {
      await engine.close();
      if (shared) await store.write(clear);
      else await store.close();
      await onAll((database) => `drop database if exists ${database} sync`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For the next home. */
async function clear(db: Db): Promise<void> {
  await db.deleteFrom('log_tables').execute();
  await withCatalog(db).deleteFrom('clickhouse_tables').execute();
}
