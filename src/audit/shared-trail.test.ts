// One chain, though several processes write to it: two stores on one PostgreSQL database, each with a trail of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { entryHash, GENESIS } from './chain.ts';
import { entryOfRow } from './entry.ts';
import { openSigningKey } from './keys.ts';
import { openTrail, type Trail } from './trail.ts';
import { openWitness } from './witness.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const draft = (login: string) => ({
  user_name: '-',
  remote_ip: '127.0.0.1',
  module: 'users',
  method: 'create',
  params: { login },
});

describe.skipIf(postgres?.skip)('Two trails on one PostgreSQL database', () => {
  let folder: string;
  let nodes: { store: Store; trail: Trail; end(): Promise<void> }[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-trails-'));
    const database = await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`);
    nodes = [];
    for (const name of ['one', 'other']) nodes.push(await open(database, join(folder, name)));
  });
  afterEach(async () => {
    for (const { store } of nodes) await store.close();
    rmSync(folder, { recursive: true });
  });

  async function open(database: string, witnessFile: string) {
    const store = await openStore(database, { groupCommitted() {}, storeFailed() {} });
    const witness = openWitness(witnessFile);
    const trail = await openTrail({ store, clock: systemClock, signingKey: openSigningKey(folder), witness });
    return { store, trail, end: () => trail.close().finally(() => witness.close()) };
  }
  const rows = async (sql: string) => (await nodes[0]?.store.reader.all(sql)) ?? [];

  it('write one chain between them, and one of two equal changes succeeds', async () => {
    const change = (number: number) =>
      nodes[number % 2]?.trail.change(
        (db) =>
          db
            .insertInto('installation')
            .values({ key: 'only', value: String(number) })
            .execute(),
        () => draft(String(number)),
      );
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => change(number)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = (await rows('select * from audit_entries order by id')).map(entryOfRow);
    expect(entries).toHaveLength(20);
    let previous = GENESIS;
    for (const entry of entries) {
      expect(entry.hash).toBe(entryHash(previous, entry));
      previous = entry.hash;
    }
    for (const { end } of nodes) await end();
  });

  it('sign the head once, though it is that of both', async () => {
    await nodes[0]?.trail.record(draft('last'));
    for (const { end } of nodes.toReversed()) await end();
    expect(await rows('select id from audit_checkpoints')).toEqual([{ id: 1 }]);
  });
});
