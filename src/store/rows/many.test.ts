import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { insertEach, updateEach } from './many.ts';

const silent = { groupCommitted() {}, storeFailed() {} };
/** More than are written at a time. */
const COUNT = 1201;

describe.each(databases)('Many rows, on $name', ({ name, skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-many-'));
  let store: Store;

  beforeAll(async () => {
    if (skip) return;
    const url = name === 'postgres' ? await createMetadataDatabase(`m_${newGuid().replaceAll('-', '')}`) : folder;
    store = await openStore(url, silent);
  });
  afterAll(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(skip)('are inserted as they are, nulls too', async () => {
    const rows = Array.from({ length: COUNT }, (_, at) => ({
      event_guid: `event ${at}`,
      group_guid: 'g',
      target: `mark ${at}`,
      tries: 0,
      due_at: 2 ** 40 + at,
    }));
    await store.write((db) => insertEach(db, 'alarms', rows));
    const stored = await store.read((db) => db.selectFrom('alarms').selectAll().orderBy('id').execute());
    expect(stored.map(({ id: _, ...row }) => row)).toEqual(
      rows.map((row) => ({ ...row, failure: null, subject: null })),
    );
    const slot = { kind: 'k', guid: 'g', result_state: null, elapsed: 5, last_failure_at: null };
    const states = [{ ...slot, last_run_at: null, last_failure_reason: 'why' }];
    await store.write((db) => insertEach(db, 'schedule_states', states));
    const kept = states.map((state) => ({ ...state, last_success_at: null }));
    expect(await store.read((db) => db.selectFrom('schedule_states').selectAll().execute())).toEqual(kept);
  });

  it.skipIf(skip)('are changed each to its own numbers, by a number or a text; none is no work', async () => {
    const alarms = () => store.read((db) => db.selectFrom('alarms').selectAll().orderBy('id').execute());
    const before = await alarms();
    const changes = before.map(({ id }) => ({ tries: id + 1, id, due_at: 2 ** 40 - id }));
    await store.write((db) => updateEach(db, 'alarms', 'id', changes.slice(1)));
    const after = before.map((row, at) => (at === 0 ? row : { ...row, ...changes[at] }));
    expect(await alarms()).toEqual(after);
    await store.write((db) => updateEach(db, 'alarms', 'id', []));
    expect(await alarms()).toEqual(after);
    await store.write((db) =>
      updateEach(db, 'schedule_states', 'guid', [{ guid: 'g', elapsed: null, last_run_at: 7 }]),
    );
    const [state] = await store.read((db) => db.selectFrom('schedule_states').selectAll().execute());
    expect(state).toMatchObject({ elapsed: null, last_run_at: 7, last_failure_reason: 'why' });
  });
});
