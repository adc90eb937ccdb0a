// What the engine on ClickHouse promises as every engine does, over SQLite.

import { afterAll, beforeAll, inject } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { engineConformance } from '#test/support/engine-conformance/index.ts';

const { reason } = inject('clickhouse');
let server: ClickhouseServer;
beforeAll(async () => {
  if (!reason) server = await startClickhouse();
});
afterAll(() => server?.[Symbol.asyncDispose]());

engineConformance({
  name: 'The engine on ClickHouse over SQLite',
  skip: reason,
  open: () => makeClickhouseHome({ servers: [server] }),
  forms: [
    { layout: 'columnar', compression: 'snappy', protection: 'plain' },
    { layout: 'row', compression: 'deflate', protection: 'plain' },
  ],
  declines: {
    authentication: 'tables on ClickHouse have no crypto profiles',
    encryption: 'tables on ClickHouse have no crypto profiles',
    corruption: 'ClickHouse checks its own files',
  },
});
