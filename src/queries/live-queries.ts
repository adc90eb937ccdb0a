// Queries of this node that run, wait or ended recently. They live in memory: a restart forgets them.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accounts } from '#access/accounts/accounts.ts';
import type { Caller, Rightful } from '#access/caller.ts';
import type { Trail } from '#audit/trail.ts';
import type { Databases } from '#connections/databases/databases.ts';
import { ApiError } from '#contract/errors.ts';
import { isAtLeast, type Locale } from '#contract/values.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { RowText } from '#logs/run.ts';
import { MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { AddressLocations } from '#query/model/run-facts.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Store } from '#store/store.ts';
import { AccessMonitor } from './access-monitor.ts';
import { refuseSinks } from './check/explained.ts';
import { lostRightOf, presentRequest } from './check/lost-rights.ts';
import type { QueryCheckerDeps } from './check/query-checker.ts';
import { practiceDeps, practiceOf } from './check/rehearsal.ts';
import { type AnswerFindings, answerFindings, checkText, type TextCheck } from './check/text-check.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import type { ImportFolders } from './imports/import-folders.ts';
import { Admissions } from './limits/admission.ts';
import type { Limit, QueryLimits, RetryMode } from './limits/limits.ts';
import { ResultQuota } from './limits/result-quota.ts';
import { type QueryRetention, Retained } from './limits/retained.ts';
import { LiveQuery } from './live-query.ts';
import type { LookupMemory } from './lookups/lookup-memory.ts';
import { MemoryLookups } from './lookups/memory-lookups.ts';
import type { StoredLookups } from './lookups/stored-lookups.ts';
import type { OtherNode } from './names/other-nodes.ts';
import type { CheckRequest, QueryRequest, Tags } from './query-request.ts';
import { isOwn, queryNotFound } from './registry/ownership.ts';
import { QueryIds } from './registry/query-ids.ts';
import { QueryRegistry } from './registry/query-registry.ts';
import type { RemoteNodes } from './remote/remote-queries.ts';
import { awaitFirstRows, type StreamOptions } from './rows/streamed-rows.ts';
import { type QueryRunDeps, runQuery } from './runs/query-run.ts';
import { listedAtOnce, type SystemObjects } from './runs/system-rows.ts';
import type { WebAccess } from './runs/web-requests.ts';
import { cancelledOnRequest, connectionLost, rejectInvalid, serviceStopping } from './status/query-ends.ts';
import { queryObject, shownQueries } from './status/shown-queries.ts';
import type { ShownPart, ShownQuery } from './status/shown-query.ts';
import { listedRecord, type StatusRecord, statusRecord } from './status/status-record.ts';

export interface LiveQueriesDeps {
  readonly store: Store;
  readonly engine: LogStore;
  readonly accounts: Accounts;
  readonly trail: Pick<Trail, 'record'>;
  readonly clock: Clock;
  readonly zone: string;
  /** Name of this node. */
  readonly node: string;
  /** The others that have ever started; absent: there are none. */
  otherNodes?(): Promise<readonly OtherNode[]>;
  /** Folder of result files. */
  readonly folder: string;
  /** Folder of file sinks. */
  readonly exports: ExportFolder;
  /** Folders of file drivers. */
  readonly imports: ImportFolders;
  /** Hosts of requests, and the connection profiles that lead to them. */
  readonly web: WebAccess;
  /** Absent: no connection profile can be used. */
  readonly databases?: Databases;
  /** Absent: this node is the only one. */
  readonly remoteNodes?: RemoteNodes | undefined;
  readonly limits: QueryLimits;
  /** Maximum of evaluation steps for one row of the local evaluator. */
  readonly ruleSteps: number;
  readonly retention: QueryRetention;
  readonly storedLookups: StoredLookups;
  readonly lookupMemory: LookupMemory;
  /** Objects of `system`, beside the queries themselves. */
  readonly systemObjects: SystemObjects;
  /** Data of `lookup geoip`. */
  readonly geoip?: AddressLocations;
  /** Maximum of list elements that one row may produce. */
  readonly listElements?: number;
  /** Called for every retry of a query. */
  onRetry(how: RetryMode): void;
  /** Called for every query that has ended. */
  ended(query: LiveQuery): void;
  /** Called for a limit that is reached without ending a query. */
  limited(limit: Limit): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 30 });
const CLOSE_TIMEOUT = Temporal.Duration.from({ seconds: 5 });

/** Removes files of a former process that crashed before it could unlink them. */
export async function openLiveQueries(deps: LiveQueriesDeps): Promise<LiveQueries> {
  await mkdir(deps.folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(deps.folder)) await rm(join(deps.folder, name), { recursive: true });
  return new LiveQueries(deps);
}

export class LiveQueries {
  readonly #deps: LiveQueriesDeps;
  readonly #runDeps: QueryRunDeps;
  readonly #checkerDeps: QueryCheckerDeps;
  readonly #admission: Admissions;
  readonly ids: QueryIds;
  readonly #resultQuota: ResultQuota;
  readonly #queries: QueryRegistry;
  /** Queries whose work has not stopped yet; a removed query may be among them for a while. */
  readonly #unfinished = new Set<LiveQuery>();
  readonly #accessMonitor: AccessMonitor;
  readonly #retained: Retained;
  readonly #sweeping: Disposable;
  /** Those whose rows are sent as they come: a stop waits for them a while. */
  readonly #streamed = new WeakSet<LiveQuery>();
  #isClosed = false;

  constructor(deps: LiveQueriesDeps) {
    this.#deps = deps;
    const { running, waiting, results, statuses } = deps.limits;
    this.#admission = new Admissions(running, waiting);
    this.#resultQuota = new ResultQuota(results);
    this.#queries = new QueryRegistry(statuses, (query) => this.#onEvict(query));
    this.ids = new QueryIds({ ...deps, kept: this.#queries });
    const memory = new MemoryLookups(deps.clock, deps.lookupMemory);
    const shown = queryObject({ ...deps, own: (account, part) => this.shown(account, part) });
    const systemObjects: SystemObjects = { ...deps.systemObjects, queries: shown };
    const inMemory = listedAtOnce('MEMBER', ({ account }) => memory.listed(account.userGuid));
    const shares = { admission: this.#admission, resultQuota: this.#resultQuota };
    this.#runDeps = { ...deps, systemObjects: { ...systemObjects, [MEMORY_LOOKUPS]: inMemory }, ...shares };
    this.#checkerDeps = { ...deps, systemObjects, memory, outboundHosts: deps.web.hosts };
    const lostRight = async (query: LiveQuery, caller: Caller) => {
      const checker = await this.#checkerFor(await presentRequest({ ...query.request, caller }, deps.accounts));
      return await lostRightOf(query, checker);
    };
    this.#accessMonitor = new AccessMonitor({ ...deps, queries: () => this.#queries.all(), lostRight });
    this.#retained = new Retained(deps);
    this.#sweeping = new Periodic({ clock: deps.clock, period: SWEEP_PERIOD, work: () => this.#sweep() });
  }

  get running(): number {
    return this.#admission.running;
  }

  get waiting(): number {
    return this.#admission.waiting;
  }

  /** Bytes of rows that are kept. */
  get keptBytes(): number {
    return this.#resultQuota.bytes;
  }

  /** Number of known queries, finished ones included. */
  get kept(): number {
    return this.#queries.size;
  }

  /** Checks a text without running it. Throws its QueryError. */
  async checked(request: CheckRequest) {
    const checker = await this.#checkerFor(request);
    return { checker, checked: await checker.check() };
  }

  /** Reports the errors of a text without running it. English is the default, because stored reports use the contract's words. */
  async check(tried: CheckRequest, locale: Locale = 'en'): Promise<TextCheck> {
    return await checkText(tried.text, locale, async (text) => (await this.checked({ ...tried, text })).checked);
  }

  /** As `checked`; refuses a text with an error. */
  async validate(request: CheckRequest) {
    return await rejectInvalid(this.checked(request), request.text, request.caller.locale);
  }

  /** As `validate`, for a text that is stored. Returns its warnings and hints for the answer. */
  async validateStored(request: CheckRequest): Promise<AnswerFindings> {
    return answerFindings((await this.validate(request)).checked.warnings, request.text, request.caller.locale);
  }

  /** Checks the condition of a stream rule and refuses an invalid one. */
  async validateCondition(request: CheckRequest) {
    const checking = (await this.#checkerFor(request)).checkCondition();
    return await rejectInvalid(checking, request.text, request.caller.locale);
  }

  /** As `validateStored`, for the text of a parser that is a pipeline. */
  async validateParser(request: CheckRequest): Promise<AnswerFindings> {
    const { text, caller } = request;
    const checker = await this.#checkerFor(request);
    const warnings = await rejectInvalid(checker.checkParser(), text, caller.locale);
    return answerFindings(warnings, text, caller.locale);
  }

  /** The address groups in a text, existing or not, even if the text has errors. */
  async groupsIn(request: CheckRequest): Promise<readonly string[]> {
    const checker = await this.#checkerFor(request);
    const isKnown = (error: unknown) => error instanceof QueryError || error instanceof ApiError;
    await checker.check().catch((error) => (isKnown(error) ? undefined : Promise.reject(error)));
    return [...checker.namedGroups];
  }

  async #checkerFor({ now = this.#deps.clock.now(), ...request }: CheckRequest) {
    // Loaded with the first query: it imports the whole language.
    const { QueryChecker } = await import('./check/query-checker.ts');
    return new QueryChecker(this.#checkerDeps, { ...request, now });
  }

  /**
   * A query for `start` or `stream`. Refuses a text with errors or without rights, and every text while too many queries
   * wait.
   */
  async accept(request: QueryRequest): Promise<LiveQuery> {
    using _ = this.#announce(request);
    const { checker, checked } = await this.validate({ ...request, isRun: true });
    if (request.stages) await rejectInvalid(refuseSinks(checked), request.text, request.caller.locale);
    const ids: number[] = [];
    for (const _ of checked.references.pipelines) ids.push(await this.ids.next());
    return new LiveQuery(request, { ids, checker, checked, now: this.#deps.clock.now() });
  }

  /** Starts a query whose rows are kept. */
  start(query: LiveQuery): void {
    this.#register(query);
    void this.#runToEnd(query);
  }

  /** Rows that are not kept, once there are some and the query is on record. A consumer that disconnects stops the query. */
  async stream(query: LiveQuery, { page, gone, record }: StreamOptions) {
    this.#streamed.add(query);
    const leave = () => query.cancel(connectionLost());
    gone.addEventListener('abort', leave);
    if (gone.aborted) leave();
    this.#register(query);
    return await awaitFirstRows(query, record, (once) => runQuery(query, this.#runDeps, { page, record: once }));
  }

  /** Runs a text that nobody has asked for: it has no id and no status. */
  async practise(text: string): Promise<void> {
    const request = practiceOf(text);
    const { checker, checked } = await this.checked({ ...request, isRun: true });
    const query = new LiveQuery(request, { ids: [0], checker, checked, now: this.#deps.clock.now() });
    this.#follow(query);
    for await (const _ of runQuery(query, { ...this.#runDeps, ...practiceDeps() }));
  }

  /** The query of this id, if it belongs to the caller and its status is kept. */
  find(id: number, caller: Caller): LiveQuery {
    const query = this.#queries.get(id);
    if (!query || !isOwn(query, caller) || !this.#retained.isStatusKept(query)) throw queryNotFound(id, query, caller);
    return query;
  }

  /** As `find`; an administrator finds every query. */
  findAny(id: number, caller: Caller): LiveQuery {
    const query = isAtLeast(caller.role, 'ADMIN') ? this.#queries.get(id) : undefined;
    return query && this.#retained.isStatusKept(query) ? query : this.find(id, caller);
  }

  /** A query of the caller whose rows are kept. */
  findCursor(id: number, caller: Caller): LiveQuery {
    const query = this.#queries.get(id);
    const isThere = query?.request.keepsRows && isOwn(query, caller) && this.#retained.areRowsKept(query);
    if (!isThere) throw queryNotFound(id, query, caller);
    return query;
  }

  /** Newest first. */
  visible(caller: Rightful): LiveQuery[] {
    return [...this.#queries.all()].filter((query) => this.#isVisible(query, caller)).reverse();
  }

  /** As `visible`, for `system queries` of this node and of others. */
  shown(caller: Rightful, part: ShownPart): AsyncGenerator<readonly ShownQuery[]> {
    const isVisible = (query: LiveQuery) => this.#isVisible(query, caller);
    return shownQueries({ ...this.#deps, kept: this.#queries, isVisible }, part);
  }

  #isVisible(query: LiveQuery, caller: Rightful): boolean {
    return (isAtLeast(caller.role, 'ADMIN') || isOwn(query, caller)) && this.#retained.isStatusKept(query);
  }

  /** For the query's own account, in its language. */
  status(query: LiveQuery, locale: Locale = 'en'): StatusRecord {
    return statusRecord(query, { now: this.#deps.clock.now(), zone: this.#deps.zone, locale });
  }

  /** For a list: secrets among constants and tags are masked. */
  listed(query: LiveQuery, locale: Locale): StatusRecord {
    return listedRecord(query, { now: this.#deps.clock.now(), zone: this.#deps.zone, locale });
  }

  /** Rows of a cursor that are available now. */
  async *fetch(
    query: LiveQuery,
    { offset, limit }: { offset: number; limit: number },
  ): AsyncGenerator<readonly RowText[]> {
    query.times.fetched = this.#deps.clock.now();
    if (query.rows) yield* query.rows.read(offset, limit);
    query.times.fetched = this.#deps.clock.now();
  }

  /** Has no effect on a query that has ended or is ending. */
  readonly cancel = (query: LiveQuery): void => query.cancel(cancelledOnRequest());

  /** Resolves with the end of a query while the service stops. One whose rows nobody reads now is ended before the others. */
  async endAtStop(query: LiveQuery): Promise<void> {
    if (!this.#streamed.has(query)) query.cancel(serviceStopping());
    await query.ended;
  }

  /** Replaces all tags. */
  tag(query: LiveQuery, tags: Tags): void {
    query.tags = tags;
    this.#queries.weigh(query);
  }

  /** Ends a query and forgets it, its rows and its status. */
  async remove(query: LiveQuery): Promise<void> {
    this.cancel(query);
    this.#queries.delete(query);
    await query.dropRows();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sweeping[Symbol.dispose]();
    this.#accessMonitor.close();
    for (const query of this.#unfinished) query.cancel(serviceStopping());
    const ended = Promise.all([...this.#unfinished].map((query) => query.ended)).then(() => undefined);
    // DuckDB cannot cancel a statement that it is preparing, which may take minutes.
    await withTimeout(this.#deps.clock, CLOSE_TIMEOUT, ended, undefined);
    for (const query of this.#queries.all()) await query.dropRows();
  }

  #announce(request: QueryRequest): Disposable {
    try {
      return this.#admission.of(request).announce(request.caller.userGuid);
    } catch (refusal) {
      this.#deps.limited('waiting');
      throw refusal;
    }
  }

  #onEvict(query: LiveQuery): void {
    this.#deps.limited('statuses');
    query.dropRows().catch((error) => this.#deps.failed(error));
  }

  #register(query: LiveQuery): void {
    this.#queries.add(query);
    this.#follow(query);
    // Its constants may have become more.
    void query.ended.then(() => this.#queries.weigh(query));
  }

  #follow(query: LiveQuery): void {
    this.#unfinished.add(query);
    void query.ended.then(() => this.#unfinished.delete(query));
    if (this.#isClosed) query.cancel(serviceStopping());
  }

  async #runToEnd(query: LiveQuery): Promise<void> {
    try {
      for await (const _ of runQuery(query, this.#runDeps));
    } catch {
      // The status of the query reports the error.
    }
  }

  #sweep(): void {
    for (const query of this.#queries.all()) {
      const hasRows = query.request.keepsRows && this.#retained.areRowsKept(query);
      if (!hasRows) query.dropRows().catch((error) => this.#deps.failed(error));
      if (this.#retained.isStatusKept(query)) continue;
      if (!hasRows) this.#queries.delete(query);
      else if (query.dropStatus()) this.#queries.weigh(query);
    }
  }
}
