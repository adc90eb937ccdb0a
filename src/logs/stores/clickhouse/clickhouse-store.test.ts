// What the engine on ClickHouse promises as every engine does, with its catalog in PostgreSQL; faults.test.ts has it in SQLite.

import { afterAll, beforeAll, inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { engineConformance } from '#test/support/engine-conformance/index.ts';
import { openSharedStore, type SharedStore } from '#test/support/log-engine.ts';
import { databases } from '#test/support/service.ts';

const skip = inject('clickhouse').reason || databases.find(({ name }) => name === 'postgres')?.skip;
let subject: { readonly server: ClickhouseServer; readonly shared: SharedStore } | undefined;
beforeAll(async () => {
  if (skip) return;
  const location = await createMetadataDatabase(`c_${newGuid().replaceAll('-', '')}`);
  subject = { server: await startClickhouse(), shared: await openSharedStore(location) };
});
afterAll(async () => {
  await subject?.shared.store.close();
  await subject?.server[Symbol.asyncDispose]();
});

engineConformance({
  name: 'The engine on ClickHouse',
  skip: skip || undefined,
  open: () => {
    if (!subject) throw new Error('the server has not started');
    return makeClickhouseHome({ servers: [subject.server], shared: subject.shared });
  },
  forms: [
    { layout: 'columnar', compression: 'snappy', protection: 'plain' },
    { layout: 'row', compression: 'deflate', protection: 'plain' },
  ],
  declines: {
    authentication: 'tables on ClickHouse have no crypto profiles',
    encryption: 'tables on ClickHouse have no crypto profiles',
    corruption: 'ClickHouse checks its own files',
    'numbers of both kinds': 'ClickHouse groups and sums such a column as doubles',
  },
});
