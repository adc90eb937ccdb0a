// Stop requests of attempts that another process has, and attempts that have lost their row.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangedKinds } from '#cluster/changes/changes.ts';
import { newGuid } from '#kernel/guid.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import { claimDue } from '#scheduler/slots/claims.ts';
import { begin, finish, removeLedger } from '#scheduler/slots/ledger.ts';
import type { OpenSlot } from '#scheduler/slots/slot.ts';
import { openStore, type Store } from '#store/store.ts';
import { createDatabase } from '#test/support/databases.ts';
import { isFinished, listedUntil } from '#test/support/queries.ts';
import { createRunning } from '#test/support/scheduled-queries.ts';
import { databases } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { attemptsToStop, requestStop } from './stop-requests.ts';

const JOBS = ['left', 'orderly', 'forced', 'removed', 'ended'];
const ENDS = ['succeeded', 'failed', 'cancelled'] as const;

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A run that is to stop, on ${name}`, () => {
    let folder: string;
    let store: Store;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-stops-'));
      const location = name === 'sqlite' ? folder : await createDatabase(`c_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });

    const kind: JobKind = {
      name: 'test',
      scheduled: async () => [],
      eligibility: async (_, guids) =>
        new Map(guids.map((guid) => [guid, { name: guid, isEnabled: true, since: 0, nodeTypes: undefined }])),
      request: async () => undefined,
      collect: async () => undefined,
      ended: async () => [],
    };
    const claimant = { node: 'n', lease: newGuid(), nodeTypes: ['data'] as const, peers: { living: async () => [] } };

    const begunAttempt = (guid: string): Promise<OpenSlot> =>
      store.write(async (db) => {
        const due = { guid, at: 1000, since: 0, isMissed: false, isGivenUp: true };
        const [slot] = (await claimDue(db, kind, [due], claimant)).open;
        if (!slot) throw new Error('no slot');
        expect(await begin(db, kind, slot, { queryId: null, now: 1000, lease: claimant.lease })).toBe('begun');
        return slot;
      });
    const ask = (guid: string, force: boolean) =>
      store.write((db) => requestStop(db, 'test', [guid], { now: 2000, force }));
    const endIn = (state: (typeof ENDS)[number]) => ({ state, finishedAt: 3000, rows: 0, error: null });

    it('was asked to, or its row is gone, or another process has recorded its end', async () => {
      const begun = await Promise.all(JOBS.map(begunAttempt));
      await ask('orderly', false);
      await ask('forced', true);
      await store.write((db) => removeLedger(db, 'test', ['removed']));
      const [ended] = begun.slice(-1);
      if (ended) await store.write((db) => finish(db, ended, endIn('failed')));
      const found = await store.read((db) => attemptsToStop(db, begun));
      const names = new Map(begun.map(({ attemptGuid, guid }) => [attemptGuid, guid]));
      expect(found.map(({ attemptGuid, force }) => [names.get(attemptGuid), force])).toEqual([
        ['orderly', false],
        ['forced', true],
        ['removed', true],
        ['ended', true],
      ]);
    });

    // SQLite has one process: nothing is told.
    it.each(name === 'sqlite' ? [] : ENDS)('tells those who wait for its end, %s', async (state) => {
      const told: string[] = [];
      store.onGroup(new ChangedKinds((numbers) => void told.push(...numbers.keys())));
      const asked = await begunAttempt('asked');
      const unasked = await begunAttempt('unasked');
      await ask('asked', true);
      expect(told).toEqual(['stop-requests']);
      await store.write((db) => finish(db, unasked, endIn(state)));
      expect(told).toEqual(['stop-requests']);
      await store.write((db) => finish(db, asked, endIn(state)));
      expect(told).toEqual(['stop-requests', 'stop-requests']);
    });
  });
}

const skip = databases.find(({ name }) => name === 'postgres')?.skip;

describe.skipIf(skip)('A run whose job another process has removed meanwhile', () => {
  const subject = serviceFor({ database: 'postgres' });

  it('is stopped', async () => {
    const { guid, queryId } = await createRunning(subject);
    const { database = '' } = subject.service.config;
    const store = await openStore(database, { groupCommitted() {}, storeFailed() {} });
    await store.write(async (db) => {
      await removeLedger(db, 'scheduled-query', [guid]);
      await db.deleteFrom('scheduled_queries').where('guid', '=', guid).execute();
    });
    await store.close();
    subject.clock.advance({ seconds: 1 });
    expect(await listedUntil(subject, queryId, isFinished)).toMatchObject({ cancel_reason: 'UserRequest' });
  });
});
