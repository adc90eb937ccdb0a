// One chain, though several processes write to it: two stores on one PostgreSQL database, each with a trail of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { openStore, type Store } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { entryHash, type Frontier, GENESIS, grow, merkleRoot } from './chain/chain.ts';
import { openSigningKey } from './chain/keys.ts';
import { openWitness } from './chain/witness.ts';
import { entryOfRow } from './entry.ts';
import { openTrail, type Trail } from './trail.ts';

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
    const trail = await openTrail({
      store,
      cluster: await clusterOn(store),
      clock: systemClock,
      signingKey: openSigningKey(folder),
      witness,
    });
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

  it('know what the other has added before they write themselves', async () => {
    await nodes[0]?.trail.record(draft('first'));
    await expect.poll(() => nodes[1]?.trail.head).toEqual(nodes[0]?.trail.head);
    await nodes[1]?.trail.record(draft('second'));
    for (const { end } of nodes) await end();
    expect(await roots()).toEqual([2]);
  });

  it('sign the tree of all entries, though the other has added more than are read at once', async () => {
    await nodes[1]?.trail.record(draft('first'));
    await nodes[0]?.store.join(() => {
      for (let number = 0; number < 10_050; number += 1) nodes[0]?.trail.include(draft(String(number)));
    });
    await nodes[1]?.trail.record(draft('last'));
    for (const { end } of nodes.toReversed()) await end();
    expect((await roots()).at(-1)).toBe(10_052);
  });

  it('read the entries of the other though a change fails meanwhile', async () => {
    const change = () =>
      nodes[1]?.trail.change(
        (db) => db.insertInto('installation').values({ key: 'only', value: '' }).execute(),
        () => draft('change'),
      );
    await change();
    await nodes[0]?.store.join(() => {
      for (let number = 0; number < 10_050; number += 1) nodes[0]?.trail.include(draft(String(number)));
    });
    const outcomes = await Promise.allSettled([change(), nodes[1]?.trail.record(draft('last'))]);
    expect(outcomes).toMatchObject([{ status: 'rejected', reason: { code: '23505' } }, { status: 'fulfilled' }]);
    for (const { end } of nodes.toReversed()) await end();
    expect((await roots()).at(-1)).toBe(10_053);
  });

  /** Ids of the checkpoints, each of which has the root of all entries up to its own. */
  async function roots(): Promise<number[]> {
    const checkpoints = await rows('select id, root from audit_checkpoints order by id');
    const entries = await rows('select hash from audit_entries order by id');
    let frontier: Frontier = [];
    let grown: number = 0;
    for (const { id, root } of checkpoints) {
      for (const { hash } of entries.slice(grown, Number(id))) frontier = grow(frontier, String(hash));
      grown = Number(id);
      expect(root).toBe(merkleRoot(frontier));
    }
    return checkpoints.map(({ id }) => Number(id));
  }

  it('sign the head once, though it is that of both', async () => {
    await nodes[0]?.trail.record(draft('last'));
    for (const { end } of nodes.toReversed()) await end();
    expect(await rows('select id from audit_checkpoints')).toEqual([{ id: 1 }]);
  });
});
