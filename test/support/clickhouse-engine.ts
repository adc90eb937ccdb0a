// The log engine on ClickHouse over a database of its own, with a clock that is moved by hand.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openClickhouseEngine } from '#engines/clickhouse/engine.ts';
import { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import { withCatalog } from '#engines/clickhouse/storage/catalog-schema.ts';
import type { LogEngine, TableSpec, TimeRange } from '#engines/engine.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Db } from '#store/kysely.ts';
import type { ClickhouseServer } from './clickhouse.ts';
import { createMetadataFile } from './databases.ts';
import { ALL, NOW } from './engine-conformance/samples.ts';
import type { EngineHome } from './engine-conformance/suite.ts';
import { countIn, openSharedStore, recordsIn, type SharedStore } from './log-engine.ts';
import { ManualClock } from './manual-clock.ts';

const LIMITS = {
  memoryBytes: 2 ** 32,
  diskBytes: 2 ** 32,
  accountMemoryBytes: 2 ** 30,
  accountDiskBytes: 2 ** 30,
};

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
  const clientOf = ({ origin, user, password }: ClickhouseServer, at: number) => {
    const { hostname: host, port, protocol } = new URL(origin);
    const database = databases[at] ?? '';
    const address = { host, port: Number(port), isTls: protocol === 'https:', user, password, database };
    return new ClickhouseClient({ clock: systemClock, address });
  };
  const open = () =>
    openClickhouseEngine({
      ...{
        store,
        clock,
        zone: 'Asia/Seoul',
        dataFolder: folder,
        memoryFolder: '/dev/shm',
        limits: LIMITS,
        node: 'vigil',
      },
      statements: { settings: {}, deadline: Temporal.Duration.from({ minutes: 1 }), maxBytes: 2 ** 32 },
      statementMemoryBytes: 2 ** 30,
      clients: servers.map(clientOf),
      groupFor: Temporal.Duration.from({ milliseconds: 0 }),
      maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
      failed: (error) => failures.push(error),
    });
  let engine: LogEngine = await open();
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
