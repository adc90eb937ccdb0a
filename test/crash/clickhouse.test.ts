// Kills the process that stores records on ClickHouse, ClickHouse itself, and both at once, while records are pushed, uploaded and
// stored with the position of their source. What was acknowledged is there once, the rest as whole batches or not at all.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { createMetadataFile } from '#test/support/databases.ts';
import { addressOf } from '#test/support/open-clickhouse.ts';
import { BatchLedger } from './batch-ledger.ts';
import type { Found, NodeOrder, Told } from './clickhouse-node.ts';
import { report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('clickhouse');
const KILLED = ['the node', 'ClickHouse', 'both'] as const;
const NUMBERS_OF_A_ROUND = 1_000_000;
/** Acknowledged batches before a kill. */
const MIN_STORED = 12;
const PROGRAM = join(import.meta.dirname, 'clickhouse-node.ts');

// The server is killed here.
const skip = inject('clickhouse').reason || process.env.VIGIL_TEST_CLICKHOUSE;

describe.skipIf(skip)('Records on ClickHouse', () => {
  it(`are there once over ${ROUNDS} kills`, async () => {
    await using server = await startClickhouse();
    using home = await makeHome(server);
    const ledger = new BatchLedger();
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = KILLED[round % KILLED.length] ?? 'both';
      await workUntilKilled(home.order('work', round), { killed, server, ledger });
      const found = await read(home.order('read', round));
      ledger.settle(found.numbers, found.position);
      expect(found.uploads, 'uploads that were given up').toBe(0);
      report({ suite: 'clickhouse', round, kill: killed, acknowledged: ledger.size, found: found.numbers.length });
    }
  });
});

async function makeHome(server: ClickhouseServer) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-clickhouse-'));
  const location = join(folder, 'metadata');
  createMetadataFile(location);
  const databases = [await server.createDatabase(), await server.createDatabase()];
  const addresses = databases.map((database) => addressOf(server, database));
  return {
    order: (kind: NodeOrder['kind'], round: number): NodeOrder => ({
      folder,
      location,
      addresses,
      kind,
      firstNumber: 1 + round * NUMBERS_OF_A_ROUND,
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Kill {
  readonly killed: (typeof KILLED)[number];
  readonly server: ClickhouseServer;
  readonly ledger: BatchLedger;
}

async function workUntilKilled(order: NodeOrder, { killed, server, ledger }: Kill): Promise<void> {
  const node = startNode(order);
  const ended = once(node, 'exit');
  node.on('message', (told: Told) => {
    if (told.kind !== 'found') ledger.note(told.kind, told.batch, told);
  });
  await Promise.race([storesMore(ledger), endOf(ended)]);
  await sleep(Math.random() * 300);
  if (killed !== 'ClickHouse') node.kill('SIGKILL');
  if (killed !== 'the node') {
    await server.kill();
    await server.start();
  }
  if (killed === 'ClickHouse') {
    // Writing goes on.
    await storesMore(ledger);
    node.send('end');
  }
  const [code] = await ended;
  if (killed === 'ClickHouse') expect(code, 'the node ends by itself').toBe(0);
}

/** A node that ends by itself has failed. */
const endOf = (ended: Promise<unknown[]>) =>
  ended.then(([code]) => Promise.reject(new Error(`the node has ended with ${code}`)));

async function storesMore(ledger: BatchLedger): Promise<void> {
  const before = ledger.storedBatches;
  await expect.poll(() => ledger.storedBatches).toBeGreaterThan(before + MIN_STORED);
}

async function read(order: NodeOrder): Promise<Found> {
  const node = startNode(order);
  const ended = once(node, 'exit');
  const [told] = (await once(node, 'message')) as [Told];
  await ended;
  if (told.kind !== 'found') throw new Error(`a reader tells ${told.kind}`);
  return told.found;
}

const startNode = (order: NodeOrder): ChildProcess => fork(PROGRAM, [JSON.stringify(order)], { execArgv: [] });
