// Live queries over an engine that does what a test tells it.

import { join } from 'node:path';
import { Accounts } from '#access/accounts/accounts.ts';
import { type Caller, onBehalfOf } from '#access/caller.ts';
import { hostList } from '#kernel/net/host-list.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Run, RunDeps } from '#logs/run.ts';
import { openExportFolder } from '#queries/exports/export-folder.ts';
import { ImportFolders } from '#queries/imports/import-folders.ts';
import type { LiveQueriesDeps } from '#queries/live-queries.ts';
import { type LiveQueries, openLiveQueries } from '#queries/live-queries.ts';
import { ProcessLookups } from '#queries/lookups/lookup-memory.ts';
import { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import { hasRows } from '#query/plan-nodes/plan.ts';
import { clusterOn } from './cluster-on.ts';
import { type DuckdbHome, makeEngineHome } from './log-engine.ts';

const ACTOR = {
  userGuid: '00000000-0000-0000-0000-000000000001',
  login: 'kim',
  companyGuid: '00000000-0000-0000-0000-000000000002',
};
export const CALLER: Caller = { ...onBehalfOf(ACTOR), locale: 'ko', keyGuid: '00000000-0000-0000-0000-000000000003' };

/** What a run does, step by step, in place of an engine. */
export type Script = (run: { parts: RunDeps; calls: string[] }) => Partial<Run>;

/** Rows of the result, then whatever `after` does. */
export const giving = (
  blocks: readonly (readonly string[])[],
  after: () => Promise<void> = async () => undefined,
): Script => {
  return () => ({
    async *rows() {
      yield* blocks;
      await after();
    },
  });
};

export const failing = (error: unknown) => async () => {
  throw error;
};

export interface ScriptedQueries extends AsyncDisposable {
  readonly home: DuckdbHome;
  readonly queries: LiveQueries;
  /** Of the next run. */
  script: Script;
  /** What has happened, in order. */
  readonly calls: string[];
  readonly defects: unknown[];
  /** Of the audit trail. */
  readonly entries: object[];
}

export async function openScriptedQueries(more: Partial<LiveQueriesDeps> = {}): Promise<ScriptedQueries> {
  const home = await makeEngineHome();
  const calls: string[] = [];
  const defects: unknown[] = [];
  const entries: object[] = [];
  const begin: LogStore['begin'] = async (parts) => {
    calls.push('begin');
    return Object.assign(plainRun(parts, calls), scripted.script({ parts, calls }));
  };
  const queries = await openLiveQueries({
    node: 'vigil',
    store: home.store,
    engine: { ...home.engine, begin, describe: async ({ name }) => ({ name, columns: [], isOpen: true }) },
    accounts: new Accounts(home.store, home.clock, await clusterOn(home.store)),
    trail: { record: async (draft) => void entries.push(draft) },
    clock: home.clock,
    zone: 'Asia/Seoul',
    folder: join(home.folder, 'results'),
    exports: await openExportFolder(join(home.folder, 'exports')),
    imports: new ImportFolders([]),
    web: { hosts: hostList([]), profile: async () => undefined },
    ruleSteps: 100_000,
    limits: {
      running: { perAccount: 2, total: 2 },
      waiting: { perAccount: 2, total: 2 },
      time: Temporal.Duration.from({ hours: 1 }),
      results: { perQuery: 1000, perAccount: 1000, total: 1000 },
      statuses: { perAccount: 5, total: 5 },
    },
    retention: { status: Temporal.Duration.from({ hours: 1 }), rows: Temporal.Duration.from({ hours: 24 }) },
    systemObjects: {},
    lookupMemory: new ProcessLookups(),
    storedLookups: new StoredLookups({ ...home, zone: 'Asia/Seoul', maxRows: 1000 }),
    ended: ({ cancellation }) => void calls.push(`ended ${cancellation?.reason ?? 'well'}`),
    onRetry: (how) => void calls.push(how),
    limited: (limit) => void calls.push(`limited ${limit}`),
    failed: (error) => void defects.push(error),
    ...more,
  });
  const scripted: ScriptedQueries = {
    home,
    queries,
    calls,
    defects,
    entries,
    script: giving([]),
    async [Symbol.asyncDispose]() {
      await queries.close();
      await home[Symbol.asyncDispose]();
    },
  };
  return scripted;
}

const plainRun = (parts: RunDeps, calls: string[]): Run => ({
  isSecret: false,
  kept: [],
  async *rows() {},
  firstRow: async () => undefined,
  chartColumns: async () => [],
  counted: async (plan, rows = 0n) => {
    calls.push(`counted ${rows}`);
    for (const node of plan.commands.filter(hasRows)) parts.watch.reached(node, rows);
  },
  refreshProgress: () => undefined,
  [Symbol.asyncDispose]: async () => void calls.push('disposed'),
});
