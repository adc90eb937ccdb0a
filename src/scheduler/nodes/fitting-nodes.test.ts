// Queued slots of one job, and two nodes that may run it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NodeType } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import { queueBackfill } from '#scheduler/attempts/backfill-queue.ts';
import type { JobEligibility, JobKind } from '#scheduler/job-kind.ts';
import type { Claimant } from '#scheduler/slots/claims.ts';
import { begin, finish } from '#scheduler/slots/ledger.ts';
import type { OpenSlot } from '#scheduler/slots/slot.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { queuedFitting, takeFitting } from './fitting-nodes.ts';

const JOB = { kind: 'test', guid: 'job' };
const TIMES = [1000, 2000, 3000];

const nodeOf = (node: string, ...nodeTypes: NodeType[]): Claimant => ({
  node,
  lease: newGuid(),
  nodeTypes,
  peers: { living: async () => [] },
});

function kindFor(nodeTypes: readonly NodeType[] | undefined): JobKind {
  const job: JobEligibility = { name: 'job', isEnabled: true, since: 0, nodeTypes };
  return {
    name: JOB.kind,
    scheduled: async () => [],
    eligibility: async () => new Map([[JOB.guid, job]]),
    request: async () => undefined,
    collect: async () => undefined,
    ended: async () => [],
  };
}

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A backfill that two nodes may run, on ${name}`, () => {
    let folder: string;
    let store: Store;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-fitting-'));
      const location =
        name === 'postgres' ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) : folder;
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
      await store.write((db) => queueBackfill(db, JOB, TIMES));
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });

    const take = (node: Claimant, nodeTypes?: readonly NodeType[]) =>
      store.write((db) => takeFitting(db, kindFor(nodeTypes), JOB.guid, node));
    const found = (node: Claimant, nodeTypes?: readonly NodeType[]) =>
      store.read((db) => queuedFitting(db, new Map([[JOB.kind, kindFor(nodeTypes)]]), node));
    const taken = (answer: Awaited<ReturnType<typeof take>>): OpenSlot => {
      if (answer === undefined || answer === 'busy') throw new Error(`nothing was taken: ${answer}`);
      return answer;
    };

    it('runs a slot at a time, oldest first, whichever of them takes it', async () => {
      const first = nodeOf('n1', 'data');
      const second = nodeOf('n2', 'data');
      for (const [index, at] of TIMES.entries()) {
        const [taking, other] = index % 2 === 0 ? [first, second] : [second, first];
        expect(await found(other)).toEqual([JOB]);
        const slot = taken(await take(taking));
        expect(slot.slotTime).toBe(at);
        // Claimed, and then running.
        expect([await take(other), await found(other)]).toEqual(['busy', []]);
        const start = { queryId: null, now: at, lease: taking.lease };
        expect(await store.write((db) => begin(db, kindFor(undefined), slot, start))).toBe('begun');
        expect([await take(other), await found(other)]).toEqual(['busy', []]);
        const end = { state: 'succeeded', finishedAt: at, rows: 1, error: null } as const;
        expect(await store.write((db) => finish(db, slot, end))).toBe(true);
      }
      expect([await take(first), await take(second), await found(second)]).toEqual([undefined, undefined, []]);
    });

    it('is left to the one that fits, and found by both once its query asks for no types', async () => {
      const data = nodeOf('n1', 'data');
      const control = nodeOf('n2', 'control');
      expect([await take(data, ['control']), await found(data, ['control'])]).toEqual([undefined, []]);
      expect(await found(control, ['control'])).toEqual([JOB]);
      expect([await found(data), await found(control)]).toEqual([[JOB], [JOB]]);
      expect(taken(await take(data)).slotTime).toBe(TIMES[0]);
    });
  });
}
