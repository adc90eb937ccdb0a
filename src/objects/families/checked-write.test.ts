// How a new object is checked and written while the writers of other nodes wait, and what is left of one that is refused.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { addressGroups } from '#resources/address-groups/family.ts';
import type { Connection, Row } from '#store/connection.ts';
import { connectionOf, kyselyOver } from '#store/kysely.ts';
import { openStore } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { operationsOf } from './operations.ts';

const GROUPS = '/api/core/address-groups';
onEachDatabase('Objects that are made at the same time', ({ call }) => {
  it('have a name and a key once, and one that is refused leaves nothing', async () => {
    const create = (name: string, guid?: string) =>
      call('POST', GROUPS, { json: { name, ...(guid === undefined ? {} : { guid }) } });
    const guid = newGuid();
    expect((await create('taken', guid)).status).toBe(200);
    const answers = await Promise.all([
      ...[create('one'), create('taken'), create('two', guid), create('taken', guid)],
      ...[create('three'), create('three'), create('four')],
    ]);
    const outcomes = answers.map(({ status, json }) => (status === 200 ? 'made' : json.error_msg));
    const taken = 'duplicated name: taken';
    const held = `duplicated guid: ${guid}`;
    expect(outcomes.slice(0, 4)).toEqual(['made', taken, held, taken]);
    expect(outcomes.slice(4).toSorted()).toEqual(['duplicated name: three', 'made', 'made']);
    const { json } = await call('GET', GROUPS);
    const names = json.address_groups.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['four', 'one', 'taken', 'three']);
  });
});

it('A new object waits for the database once: its checks and its row are sent together, in this order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-checked-'));
  const store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
  const clock = new ManualClock('2026-11-15T00:00:00Z');
  const [, , create] = operationsOf(addressGroups);
  const sent: string[] = [];
  await store.write(async (db) => {
    const call = { clock, afterCommit() {}, db: await kyselyOver(answeringLate(connectionOf(db), 3, sent), 'sqlite') };
    // The services that this operation uses.
    await create.run({ guid: newGuid(), name: 'new' } as never, call as never, undefined as never);
  });
  expect(sent.map((sql) => /^(select|insert) .*?(name = |guid = |into)/.exec(sql)?.slice(1))).toEqual([
    ['select', 'guid = '],
    ['select', 'name = '],
    ['insert', 'into'],
  ]);
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Answers when it was sent so many statements. */
function answeringLate(connection: Connection, statements: number, sent: string[]): Connection {
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = async (sql: string, values?: Parameters<Connection['all']>[1]): Promise<Row[]> => {
    sent.push(sql);
    const answer = connection.all(sql, values);
    if (sent.length === statements) resolve();
    await promise;
    return await answer;
  };
  return { ...connection, all };
}
