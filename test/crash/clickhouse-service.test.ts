// Kills the service, the ClickHouse that has its logs, and both at once, while clients push and upload over HTTP. What was acknowledged
// is there once, what was not as a whole or not at all; ClickHouse itself holds no row more than queries show.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { createLogger } from '#test/support/logs.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { Senders } from './clickhouse-senders.ts';
import { report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('clickhouse-service');
const KILLED = ['the service', 'ClickHouse', 'both'] as const;
/** Acknowledged batches before a kill. */
const MIN_STORED = 8;
const TABLE = 'web';

// The server is killed here.
const skip = inject('clickhouse').reason || process.env.VIGIL_TEST_CLICKHOUSE;

interface Running {
  readonly vigil: VigilProcess;
  readonly service: Pick<Service, 'call'>;
}

describe.skipIf(skip)('A service with its logs on ClickHouse', () => {
  it(`keeps what it acknowledged once, over ${ROUNDS} kills`, async () => {
    await using server = await startClickhouse();
    using home = makeHome();
    const database = await server.createDatabase();
    const environment = {
      VIGIL_MASTER_KEY: MASTER_KEY,
      VIGIL_LOGS: logsUrl([server], database),
      VIGIL_MAINTENANCE_PERIOD: '1',
      ...(inject('postgresReason')
        ? {}
        : { VIGIL_DATABASE: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) }),
    };
    const start = async (): Promise<Running> => {
      const vigil = home.serve(environment);
      const url = await vigil.ready();
      return { vigil, service: { call: (method, path, options) => send(`${url}${path}`, method, options) } };
    };
    let running = await start();
    const senders = new Senders({ table: TABLE, logger: await createLogger(running.service, { table: TABLE }) });
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = KILLED[round % KILLED.length] ?? 'both';
      await workUntilKilled(running, { killed, server, senders });
      const acknowledged = senders.ledger.size;
      if (killed !== 'ClickHouse') {
        // A service that finds no server waits for it.
        const [started] = await Promise.all([start(), killed === 'both' ? server.start() : undefined]);
        running = started;
      }
      const found = await senders.settle(running.service);
      const stored = async () =>
        Number((await server.ask(`select sum(rows) from system.parts where ${partsOf(database)}`))[0]?.[0]);
      await expect.poll(stored).toBe(found);
      report({ suite: 'clickhouse-service', round, kill: killed, acknowledged, found });
    }
    running.vigil.child.kill('SIGTERM');
    expect(await running.vigil.exited(), running.vigil.output().stderr).toBe(0);
  });
});

const partsOf = (database: string) => `active and database = '${database}' and match(table, '^t_[0-9]+$')`;

interface Kill {
  readonly killed: (typeof KILLED)[number];
  readonly server: ClickhouseServer;
  readonly senders: Senders;
}

async function workUntilKilled({ vigil, service }: Running, { killed, server, senders }: Kill): Promise<void> {
  const stop = new AbortController();
  const working = senders.work(service, stop.signal);
  await storesMore(senders, working);
  await sleep(Math.random() * 300);
  if (killed === 'ClickHouse') {
    await server.kill();
    await server.start();
    // Writing goes on.
    await storesMore(senders, working);
  } else {
    const closed = once(vigil.child, 'close');
    vigil.child.kill('SIGKILL');
    if (killed === 'both') await server.kill();
    await closed;
  }
  stop.abort();
  await working;
}

/** Work that ends before it is told to has failed. */
async function storesMore({ ledger }: Senders, working: Promise<void>): Promise<void> {
  const before = ledger.storedBatches;
  const more = expect.poll(() => ledger.storedBatches).toBeGreaterThan(before + MIN_STORED);
  await Promise.race([more, working.then(() => Promise.reject(new Error('all clients have ended')))]);
}
