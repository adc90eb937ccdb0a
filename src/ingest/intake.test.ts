// What is found in logs that are kept, over a real store that refuses some of it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogStore } from '#logs/log-store.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Finding, Intake, type Log } from './intake.ts';
import { UnraisedFindings } from './unraised-findings.ts';

const DESTINATION = {
  table: { id: 1, name: 'web', layout: 'row', compression: 'snappy' },
  schemaCode: null,
  origin: undefined,
  protocol: 'push',
} as const;
const LOGS: Log[] = [{ time: 0, text: '{}', shape: { names: [], types: [] } }];

describe('What is found in a log', () => {
  let folder: string;
  let store: Store;
  let told: string[];
  const clock = new ManualClock('2026-11-15T00:00:00Z');
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-intake-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    told = [];
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  function intakeFor(raise: Finding['raise']): Intake {
    const contents = async () => ({ isSealed: false, texts: ['found'] });
    const finding: Finding = { contents, raise, raised: async () => void told.push('raised') };
    // The far side: what a log engine keeps is not what is examined here.
    const far = { append: async () => told.push('kept'), sourceOffsets: async () => new Map() };
    const engine = far as unknown as LogStore;
    const unraised = new UnraisedFindings({ engine, store, node: 'n1', livingNodes: async () => ['n1'] });
    const examination = { add: async () => {}, finding: () => finding, isUnjudged: false, number() {}, kept() {} };
    const watcher = { examine: () => examination, restored: async () => finding };
    const disk = { hasRoom: async () => true };
    const parts = { engine, store, clock, watcher, unraised, disk, exceeded() {}, repaired() {} };
    return new Intake({ ...parts, failed: (error) => void told.push(String(error)) });
  }

  /** Lets time go by until the work is done, and tells how many seconds that took. */
  async function secondsOf(work: Promise<unknown>): Promise<number> {
    const done = work.then(
      () => true,
      () => true,
    );
    for (let seconds = 0; ; seconds += 1) {
      if (await Promise.race([done, clock.asleep({ seconds: 1 }).then(() => false)])) return seconds;
      clock.advance({ seconds: 1 });
    }
  }

  it('is tried again until the store takes it', async () => {
    let tries = 0;
    const intake = intakeFor(async () => {
      tries += 1;
      if (tries < 4) throw new Error(`try ${tries}`);
    });
    expect(await secondsOf(intake.take(DESTINATION, LOGS))).toBeGreaterThanOrEqual(3);
    expect(told).toEqual(['kept', 'Error: try 1', 'Error: try 2', 'Error: try 3', 'raised']);
  });

  it('is given up where the store takes everything else, with what is written alongside', async () => {
    const intake = intakeFor(async () => {
      throw new Error('never');
    });
    const written: string[] = [];
    const work = intake.take(DESTINATION, LOGS, { alongside: async () => void written.push('alongside') });
    await secondsOf(work);
    await work;
    expect(told).toEqual(['kept', ...Array.from({ length: 10 }, () => 'Error: never')]);
    expect(written).toEqual(['alongside']);
  });

  it('is never given up for want of space', async () => {
    let tries = 0;
    const intake = intakeFor(async () => {
      tries += 1;
      if (tries < 15) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    await secondsOf(intake.take(DESTINATION, LOGS));
    expect(told).toEqual(['kept', ...Array.from({ length: 14 }, () => 'Error: full'), 'raised']);
  });
});
