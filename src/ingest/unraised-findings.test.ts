// Findings that a process has written down and not raised, as the next one finds them, over a real store.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogStore, SourceOffset } from '#logs/log-store.ts';
import { insertTable } from '#logs/stores/embedded/storage/catalog.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Finding, type FindingContents, Intake, type Log } from './intake.ts';
import { UnraisedFindings } from './unraised-findings.ts';

const TABLE = { id: 1, name: 'web', layout: 'row', compression: 'snappy' } as const;
const DESTINATION = { table: TABLE, schemaCode: null, origin: undefined, protocol: 'push' };
const LOGS: Log[] = [{ time: 0, text: '{}', shape: { names: [], types: [] } }];
const NEVER = new Promise<never>(() => undefined);

describe('A finding that was not raised', () => {
  let folder: string;
  let store: Store;
  let offsets: Map<string, number>;
  let raised: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-unraised-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    offsets = new Map();
    raised = [];
    await store.write(async (db) => {
      await insertTable(db, { ...TABLE, retention: 0, schema_code: null, search: '', created_at: 0, updated_at: 0 });
    });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** How far a push gets before its process ends. */
  type End = 'before it is stored' | 'before it is raised' | 'never';

  const findingOf = (texts: readonly string[], isStuck = false): Finding => ({
    contents: async () => ({ isSealed: false, texts }),
    async raise() {
      if (isStuck) throw new Error('the process ends here');
      raised.push(...texts);
    },
    raised: async () => undefined,
  });

  interface ProcessOptions {
    readonly node?: string;
    readonly living?: readonly string[];
    readonly found?: string;
    readonly end?: End;
  }

  function processOf({ node = 'n1', living = [], found = '', end = 'never' }: ProcessOptions = {}): Intake {
    // The far side: what a log engine keeps is not what is examined here.
    const far = {
      async append(_: unknown, __: unknown, given: readonly SourceOffset[]) {
        if (end === 'before it is stored') return await NEVER;
        for (const { source, position } of given) offsets.set(source, position);
        return 1;
      },
      sourceOffsets: async () => new Map(offsets),
    };
    const engine = far as unknown as LogStore;
    const finding = findingOf([found, `more of ${found}`], end === 'before it is raised');
    const examination = { add: async () => {}, finding: () => finding, isUnjudged: false, number() {}, kept() {} };
    const restored = async (_: number, { texts }: FindingContents) => findingOf(texts);
    const unraised = new UnraisedFindings({ engine, store, node, livingNodes: async () => [node, ...living] });
    const clock = new ManualClock('2026-11-15T00:00:00Z');
    const parts = { engine, store, clock, unraised, watcher: { examine: () => examination, restored } };
    return new Intake({
      ...parts,
      disk: { hasRoom: async () => true },
      exceeded() {},
      repaired() {},
      failed() {},
    });
  }

  /** Resolves when a push has got as far as it gets. */
  async function pushUntilTheEnd(how: ProcessOptions, pushes = 1): Promise<void> {
    const intake = processOf(how);
    const before = (await rowsOf()).length;
    for (let count = 0; count < pushes; count += 1) void intake.take(DESTINATION, LOGS).catch(() => undefined);
    await expect.poll(async () => (await rowsOf()).length).toBe(before + 2 * pushes);
    const stored = how.end === 'before it is raised' ? pushes : 0;
    await expect.poll(() => offsets.size).toBeGreaterThanOrEqual(stored);
  }

  const rowsOf = () => store.reader.all('select * from unraised_findings', []);

  async function startedAgain(how: ProcessOptions = {}): Promise<void> {
    await processOf(how).raiseLeft();
  }

  it('is raised by the next start where its records are stored, and once', async () => {
    await pushUntilTheEnd({ found: 'a', end: 'before it is raised' });
    await startedAgain();
    await startedAgain();
    expect(raised).toEqual(['a', 'more of a']);
    expect(await rowsOf()).toEqual([]);
  });

  it('is forgotten where its records are not stored', async () => {
    await pushUntilTheEnd({ found: 'a', end: 'before it is stored' });
    await startedAgain();
    expect(raised).toEqual([]);
    expect(await rowsOf()).toEqual([]);
  });

  it('is one of several that were under way, each of which counts by itself', async () => {
    await pushUntilTheEnd({ found: 'a', end: 'before it is raised' }, 3);
    await startedAgain();
    expect(raised).toHaveLength(6);
  });

  it('does not count for records of a source that were stored before it', async () => {
    await processOf({ found: 'a' }).take(DESTINATION, LOGS);
    expect(raised).toEqual(['a', 'more of a']);
    await pushUntilTheEnd({ found: 'b', end: 'before it is stored' });
    await startedAgain();
    expect(raised).toEqual(['a', 'more of a']);
  });

  it('is left to the node that found it while that lives, and raised by another one when it does not', async () => {
    await pushUntilTheEnd({ node: 'n2', found: 'a', end: 'before it is raised' });
    await startedAgain({ living: ['n2'] });
    expect(raised).toEqual([]);
    await startedAgain();
    expect(raised).toEqual(['a', 'more of a']);
  });

  it('is forgotten with its table', async () => {
    await pushUntilTheEnd({ found: 'a', end: 'before it is raised' });
    await store.write(async (db) => void (await db.deleteFrom('log_tables').execute()));
    await startedAgain();
    expect(raised).toEqual([]);
    expect(await rowsOf()).toEqual([]);
  });
});
