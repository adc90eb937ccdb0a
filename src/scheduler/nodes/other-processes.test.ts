// News of other processes, while the database fails in between.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import { claimDue } from '#scheduler/slots/claims.ts';
import { begin } from '#scheduler/slots/ledger.ts';
import { openStore, type Store } from '#store/store.ts';
import { OtherProcesses } from './other-processes.ts';

describe('News of other processes', () => {
  let folder: string;
  let store: Store;
  let isFailing: boolean;
  let updates: string[];
  let recovered: number[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-others-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    [isFailing, updates, recovered] = [true, [], []];
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const failing = () => {
    if (isFailing) throw new Error('out of reach');
  };
  const kind: JobKind = {
    name: 'test',
    async scheduled() {
      failing();
      return [];
    },
    eligibility: async () => new Map([['job', { name: 'job', isEnabled: true, since: 0, nodeTypes: undefined }]]),
    request: async () => undefined,
    collect: async () => undefined,
    async ended() {
      failing();
      return [];
    },
  };
  const claimantOf = (lease: string) => ({
    node: 'test',
    lease,
    nodeTypes: ['data'] as const,
    peers: { living: async () => [] },
  });
  const others = () =>
    new OtherProcesses({
      store,
      cluster: { nextLook: () => undefined },
      clock: systemClock,
      isExclusive: true,
      kinds: new Map([['test', kind]]),
      claimant: claimantOf(newGuid()),
      failures: { ended: async () => undefined, written: () => undefined },
      runner: { add: () => undefined, has: () => false, backfill: () => undefined },
      update: ({ name }) => updates.push(name),
      recovered: ({ outcomes }) => recovered.push(outcomes.length),
      wake: () => undefined,
    });

  it('of changed jobs are read again where the first read fails', async () => {
    const news = others();
    await news.jobsChanged();
    await expect(news.followJobs()).rejects.toThrow('out of reach');
    expect(updates).toEqual([]);
    isFailing = false;
    await news.followJobs();
    expect(updates).toEqual(['test']);
    await news.followJobs();
    expect(updates).toEqual(['test']);
  });

  it('of an ended process are followed where the first try fails', async () => {
    const ended = claimantOf(newGuid());
    await store.write(async (db) => {
      const due = { guid: 'job', at: 1000, since: 0, isMissed: false, isGivenUp: true };
      const { open } = await claimDue(db, kind, [due], ended);
      for (const slot of open) await begin(db, kind, slot, { queryId: null, now: 1000, lease: ended.lease });
    });
    const news = others();
    await news.processEnded();
    await expect(news.follow(2000)).rejects.toThrow('out of reach');
    expect(recovered).toEqual([]);
    isFailing = false;
    await news.follow(2000);
    expect(recovered).toEqual([1]);
    await news.follow(2000);
    expect(recovered).toEqual([1]);
  });
});
