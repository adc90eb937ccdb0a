// Runs the phases of a query (7.0). Each has an engine run of its own: it reads the records that are stored when it begins, and
// its writes are in force before the next one begins. A phase inside of a subquery or a procedure runs before the rows of the
// phase that encloses it.

import type { Trail } from '#audit/trail.ts';
import type { Databases } from '#connections/databases/databases.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { withElement } from '#kernel/with-element.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Page, RowText, Run } from '#logs/run.ts';
import { auditFiles } from '#queries/audit/outside-audit.ts';
import { auditKept, auditSinks, auditStored } from '#queries/audit/sink-audit.ts';
import type { ExportFolder } from '#queries/exports/export-folder.ts';
import { ExportSink } from '#queries/exports/export-sink.ts';
import { filePieces } from '#queries/imports/file-pieces.ts';
import type { ImportFolders } from '#queries/imports/import-folders.ts';
import type { RetryMode } from '#queries/limits/limits.ts';
import type { ResultQuota } from '#queries/limits/result-quota.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { HeldLookups } from '#queries/lookups/held-lookups.ts';
import { namedAccount, type RemoteNodes, remotesFor } from '#queries/remote/remote-queries.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import type { Pending } from '#query/planning/pending-parts.ts';
import { areSecret, type SystemObjects, systemRowsOf } from './system-rows.ts';
import type { QueryRequests } from './web-requests.ts';

export interface PhaseRunDeps {
  readonly engine: LogStore;
  readonly clock: Clock;
  readonly trail: Pick<Trail, 'record'>;
  /** Folder of result files. */
  readonly folder: string;
  readonly resultQuota: ResultQuota;
  readonly systemObjects: SystemObjects;
  readonly exports: ExportFolder;
  readonly imports: ImportFolders;
  /** Absent: no connection profile can be used. */
  readonly databases?: Databases;
  /** Absent: this node is the only one. */
  readonly remoteNodes?: RemoteNodes | undefined;
}

export interface Attempt {
  readonly page: Page | undefined;
  readonly ways: ReadonlySet<RetryMode>;
  /** Of all phases together. */
  readonly requests: QueryRequests;
}

type PendingPhase = Extract<Pending, { kind: 'phase' }>;

/** An engine run of a query, with the parts that it has run. */
interface PhaseRun {
  readonly query: LiveQuery;
  readonly run: Run;
  readonly deps: PhaseRunDeps;
  /** Those that it can read. */
  readonly tables: ReadonlySet<string>;
  readonly setqs: Plan[];
}

/** Runs up to the end of the next phase, and passes on the rows of the last one: then it returns true. */
export async function* runPhase(
  query: LiveQuery,
  deps: PhaseRunDeps,
  attempt: Attempt,
): AsyncGenerator<readonly RowText[], boolean> {
  const { checker, interim } = query;
  await checker.groups.reload(deps.clock.now());
  if (interim.endedPhases) checker.forgetLookups();
  if (interim.setqResults || interim.endedPhases) query.replacePlan(await checker.check(interim));
  const { tables } = phaseOf(query);
  using held = await holdLookups(query);
  await using kept = new KeptAudit(query, deps.trail);
  await using run = await beginRun(query, deps, { ...attempt, held });
  kept.run = run;
  using _watching = query.attachRun(run);
  // The run reads records stored by now; columns may have been added since planning.
  await checker.refreshTables();
  query.replacePlan(await checker.check(interim));
  const phaseRun: PhaseRun = { query, run, deps, tables, setqs: [] };
  const next = await resolveParts(phaseRun);
  if (next === undefined) {
    yield* lastPhase(phaseRun, attempt.page);
    kept.isRecorded = true;
    return true;
  }
  // The rest of the phase runs elsewhere, and its constants must be counted over the records that they have read.
  if (next === 'other-tables' || next.plan !== query.checked.phase) await settleSetqs(phaseRun);
  if (next !== 'other-tables') await earlierPhase(next, phaseRun);
  kept.isRecorded = true;
  return false;
}

/** Records the rows of sinks behind a window if their phase has not ended in order: they stay. Disposed of after its run. */
class KeptAudit implements AsyncDisposable {
  run: Run | undefined;
  isRecorded = false;
  readonly #query: LiveQuery;
  readonly #trail: PhaseRunDeps['trail'];

  constructor(query: LiveQuery, trail: PhaseRunDeps['trail']) {
    this.#query = query;
    this.#trail = trail;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRecorded && this.run) await auditKept(this.#query, phaseOf(this.#query), this.#trail, this.run.kept);
  }
}

/** Objects that the current phase of the text refers to, those of the phases inside of it included. */
const phaseOf = ({ checked: { references, phase } }: LiveQuery) => references.ofPhase(phase);

/**
 * Stored lookups are read as they are when the phase begins; one that has been removed since the check may have been made
 * again.
 */
async function holdLookups(query: LiveQuery): Promise<HeldLookups> {
  for (;;) {
    const held = await query.checker.holdLookups(phaseOf(query));
    if (held.isWhole) return held;
    held[Symbol.dispose]();
    query.checker.forgetLookups();
    query.replacePlan(await query.checker.check(query.interim));
  }
}

interface RunAttempt extends Attempt {
  readonly held: HeldLookups;
}

async function beginRun(query: LiveQuery, deps: PhaseRunDeps, { ways, requests, held }: RunAttempt): Promise<Run> {
  const references = phaseOf(query);
  const hasSecretRows = await areSecret(references.systemPlanNodes, deps.systemObjects);
  query.signal.throwIfAborted();
  query.progress.advancePreambles(references, 'Running');
  const facts = query.checker.facts(query.checked.zone);
  return await deps.engine.begin({
    account: query.request.caller.userGuid,
    isApart: ways.has('apart'),
    isInThreads: ways.has('threads'),
    isLong: ways.has('long'),
    tables: query.checker.specs(references.tables),
    awaited: references.awaitedOnly,
    facts,
    lookups: query.checker.lookupsFor(references, held),
    services: servicesOf(query, deps, { facts, requests }),
    hasSecretRows,
    watch: query.watch,
    recorder: query.request.stages,
    signal: query.signal,
  });
}

/** What the effects of all nodes are opened with: a service that a node needs and that is not here does not compile. */
function servicesOf(
  query: LiveQuery,
  deps: PhaseRunDeps,
  { facts, requests }: Pick<EffectServices, 'requests'> & { readonly facts: RunFacts },
): EffectServices {
  return {
    lookupSink: (node) => query.checker.lookupSink(node, facts.now),
    fileSink: (node) => ExportSink.open(node, facts, deps.exports),
    fileBytes: (node) =>
      filePieces(node, {
        folders: deps.imports,
        signal: query.signal,
        begin: (paths) => auditFiles(query, node, { paths, trail: deps.trail }),
      }),
    requests,
    get databases() {
      if (!deps.databases) throw new Error('the service reaches no databases');
      return databasesFor(query, deps, deps.databases);
    },
    get remotes() {
      if (!deps.remoteNodes) throw new Error('the service has no other nodes');
      return remotesFor(query, deps.remoteNodes);
    },
    systemRows: (node) =>
      systemRowsOf(node, {
        objects: deps.systemObjects,
        locale: query.request.caller.locale,
        remoteIp: query.request.remoteIp,
        isPassedOn: query.request.askedBy !== undefined,
        signal: query.signal,
        account: (guid) => ({ account: query.checker.account(guid), named: namedAccount(query, guid) }),
        warn: (warning) => query.addWarning(warning),
      }),
  };
}

function databasesFor(query: LiveQuery, deps: PhaseRunDeps, databases: Databases): EffectServices['databases'] {
  return databases.forRun({
    zone: query.checked.zone,
    accountOf: (guid) => query.checker.account(guid),
    async stored(node, { stored, refused }) {
      if (refused > 0) {
        const { begin, end } = node;
        query.addWarning({ code: 90910, begin, end, values: { n: refused }, suggestions: [] });
      }
      await auditStored(query, deps.trail, node, stored);
    },
  });
}

/**
 * Runs setq and chart stages until a phase is complete: the one that runs next, undefined for the last one of the text. A setq
 * may name a table that the run does not read.
 */
async function resolveParts({
  query,
  run,
  tables,
  setqs,
}: PhaseRun): Promise<PendingPhase | 'other-tables' | undefined> {
  for (;;) {
    const { next } = query.checked;
    if (!next || next.kind === 'phase') return next;
    const { setqResults = [], chartColumns = [] } = query.interim;
    if (next.kind === 'chart') {
      const found = await run.chartColumns(next.planNode, { isResult: next.planNode === query.checked.plan.result });
      query.addInterim({ chartColumns: withElement(chartColumns, next.index, found) });
    } else {
      const row = (await run.firstRow(next.query)) ?? new Map();
      query.addInterim({ setqResults: withElement(setqResults, next.index, row) });
      setqs.push(next.query);
    }
    query.replacePlan(await query.checker.check(query.interim));
    if (!phaseOf(query).tables.isSubsetOf(tables)) return 'other-tables';
  }
}

async function settleSetqs({ query, run, setqs }: PhaseRun): Promise<void> {
  for (const setq of setqs) {
    await run.counted(setq);
    query.progress.settle(query.checked.references.ofPhase(setq));
  }
}

/** Its rows are dropped. */
async function earlierPhase({ plan, index, after }: PendingPhase, { query, run, deps }: PhaseRun): Promise<void> {
  const { references } = query.checked;
  const own = references.ofPhase(plan, 'phase');
  query.progress.advancePreambles(own, 'End');
  let rows = 0n;
  for await (const block of run.rows(plan)) rows += BigInt(block.length);
  await run.counted(plan, rows);
  await auditSinks(query, own, deps.trail);
  query.progress.settle(references.ofPhase(plan));
  query.addInterim({ endedPhases: new Map(query.interim.endedPhases).set(index, after) });
  query.keepInterim();
  query.signal.throwIfAborted();
}

async function* lastPhase(
  { query, run, deps }: PhaseRun,
  page: Page | undefined,
): AsyncGenerator<readonly RowText[], void> {
  const { plan, references } = query.checked;
  const { caller, keepsRows } = query.request;
  const own = references.ofPhase(plan, 'phase');
  query.progress.advancePreambles(own, 'End');
  const kept = keepsRows
    ? await query.openRows(deps.folder, { isSecret: run.isSecret, reservation: deps.resultQuota.of(caller.userGuid) })
    : undefined;
  let read = 0n;
  for await (const block of run.rows(plan, page)) {
    // Rows of a block that fit within the quota stay readable.
    await kept?.append(block).finally(() => query.raiseRowCount(BigInt(kept.rows)));
    read += BigInt(block.length);
    if (read > 0n) query.raiseRowCount((page?.offset ?? 0n) + read);
    yield block;
  }
  const isWhole = !page || (page.offset === 0n && read < page.limit);
  await run.counted(plan, isWhole ? read : undefined);
  query.signal.throwIfAborted();
  await auditSinks(query, own, deps.trail);
}
