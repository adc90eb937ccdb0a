// All queries of this node that run, wait, or have ended not long ago. They live in memory: a restart forgets them.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller, Rightful } from '#access/caller.ts';
import { ApiError } from '#contract/errors.ts';
import { isAtLeast, type Locale } from '#contract/values.ts';
import type { Page, RowText } from '#engines/plan-run.ts';
import { withTimeout } from '#kernel/clock.ts';
import { pipelinesOf } from '#query/analysis/references.ts';
import { MEMORY_LOOKUPS } from '#query/commands/memlookup.ts';
import { QueryError } from '#query/model/query-error.ts';
import { Admission } from './admission.ts';
import type { CheckingParts } from './checking.ts';
import { KeptQueries } from './kept-queries.ts';
import { LiveQuery, type QueryRequest } from './live-query.ts';
import type { LiveQueriesParts, ToCheck } from './live-query-parts.ts';
import { MemoryLookups } from './memory-lookups.ts';
import { isOwn, notTheirs } from './ownership.ts';
import { cancelledOnRequest, connectionLost, orRefused, serviceStopping } from './query-ends.ts';
import { QueryIds } from './query-ids.ts';
import { type RunningParts, runQuery } from './query-run.ts';
import { ResultRoom } from './result-room.ts';
import { SessionReview } from './session-review.ts';
import { listedRecord, type StatusRecord, statusRecord } from './status-record.ts';
import { begunRows } from './streamed-rows.ts';
import { queryRow } from './system-rows.ts';
import { type TextCheck, textCheck } from './text-check.ts';

const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 30 });
const CLOSE_TIMEOUT = Temporal.Duration.from({ seconds: 5 });

/** Files of an earlier process have no name, or are left of one that had no time to take it away. */
export async function openLiveQueries(parts: LiveQueriesParts): Promise<LiveQueries> {
  await mkdir(parts.folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parts.folder)) await rm(join(parts.folder, name), { recursive: true });
  return new LiveQueries(parts);
}

export class LiveQueries {
  readonly #parts: LiveQueriesParts;
  readonly #running: RunningParts;
  readonly #checking: CheckingParts;
  readonly #admission: Admission;
  readonly #ids: QueryIds;
  readonly #room: ResultRoom;
  readonly #queries: KeptQueries;
  /** Those whose work has not stopped; one that is removed may be among them for a while. */
  readonly #atWork = new Set<LiveQuery>();
  readonly #review: SessionReview;
  readonly #sweeping: Disposable;
  #isClosed = false;

  constructor(parts: LiveQueriesParts) {
    this.#parts = parts;
    const { places, waiting, results, statuses } = parts.limits;
    this.#admission = new Admission(places, waiting);
    this.#room = new ResultRoom(results);
    this.#queries = new KeptQueries(statuses, (query) => this.#forgotten(query));
    this.#ids = new QueryIds(parts.store, (id) => this.#queries.has(id));
    const memory = new MemoryLookups(parts.clock);
    const systemObjects = { ...parts.systemObjects, queries: async (account: Rightful) => this.#rowsFor(account) };
    const inMemory = async (account: Rightful) => memory.listed(account.userGuid);
    this.#running = {
      ...parts,
      systemObjects: { ...systemObjects, [MEMORY_LOOKUPS]: inMemory },
      admission: this.#admission,
      room: this.#room,
    };
    this.#checking = { ...parts, systemObjects: new Set(Object.keys(systemObjects)), memory };
    this.#review = new SessionReview(parts, () => this.#queries.all());
    this.#sweeping = parts.clock.every(SWEEP_PERIOD, () => this.#sweep());
  }

  get running(): number {
    return this.#admission.running;
  }

  get waiting(): number {
    return this.#admission.waiting;
  }

  /** Bytes of rows that are kept. */
  get keptBytes(): number {
    return this.#room.bytes;
  }

  /** Queries that are known, ended ones included. */
  get kept(): number {
    return this.#queries.size;
  }

  /** Checks a text without running it. Throws its QueryError. */
  async checked(request: ToCheck) {
    const checking = await this.#checkingOf(request);
    return { checking, checked: await checking.check() };
  }

  /** Tries a text without running it. The contract's words are English ones, for whoever keeps what is told. */
  async check(tried: ToCheck, locale: Locale = 'en'): Promise<TextCheck> {
    return await textCheck(tried.text, locale, async () => (await this.checked(tried)).checked);
  }

  /** As `checked`; refuses a text with a mistake. */
  async sound(request: ToCheck) {
    return await orRefused(this.checked(request), request.text);
  }

  /** Checks the condition of a stream rule and refuses one with a mistake. Gives the address groups that it refers to. */
  async validCondition(request: ToCheck): Promise<readonly string[]> {
    const checking = await this.#checkingOf(request);
    return await orRefused(checking.checkCondition(), request.text);
  }

  /** The address groups that a text names itself, be they there or not, and whatever is wrong with it. */
  async groupsIn(request: ToCheck): Promise<readonly string[]> {
    const checking = await this.#checkingOf(request);
    await checking.check().catch((error) => {
      if (!(error instanceof QueryError || error instanceof ApiError)) throw error;
    });
    return [...checking.namedGroups];
  }

  async #checkingOf({ now = this.#parts.clock.now(), ...request }: ToCheck) {
    // With the first query: it brings the whole language along.
    const { Checking } = await import('./checking.ts');
    const { caller, text, lead, judges = 'all', params = {}, constants = new Map(), parameters, range } = request;
    const of = { caller, text, lead, judges, params, constants, parameters, now, range };
    return new Checking(this.#checking, of);
  }

  /**
   * A query that may run, for `start` or `stream`; refuses a text that does not check, or asks for what is not the
   * caller's, and any text while too many wait already.
   */
  async accept(request: QueryRequest): Promise<LiveQuery> {
    using _ = this.#announced(request.caller);
    const { checking, checked } = await this.sound(request);
    const ids: number[] = [];
    for (const _ of pipelinesOf(checked.plan)) ids.push(await this.#ids.next());
    return new LiveQuery(request, { ids, checking, checked, now: this.#parts.clock.now() });
  }

  /** Begins a query whose rows are kept. */
  start(query: LiveQuery): void {
    this.#register(query);
    void this.#runToEnd(query);
  }

  /** The rows of a query that are not kept, once the first are there. Whoever stops reading, or goes, stops the query. */
  async stream(query: LiveQuery, { page, gone }: { page: Page | undefined; gone: AbortSignal }) {
    const leave = () => query.cancel(connectionLost());
    gone.addEventListener('abort', leave);
    if (gone.aborted) leave();
    this.#register(query);
    return await begunRows(query, runQuery(query, this.#running, page));
  }

  /** The query of this id, if it is the caller's and its status is kept. */
  find(id: number, caller: Caller): LiveQuery {
    const query = this.#queries.get(id);
    if (!query || !isOwn(query, caller) || !this.#isStatusKept(query)) throw notTheirs(id, query, caller);
    return query;
  }

  /** As `find`; an administrator may mean any query. */
  findAny(id: number, caller: Caller): LiveQuery {
    const query = isAtLeast(caller.role, 'ADMIN') ? this.#queries.get(id) : undefined;
    return query && this.#isStatusKept(query) ? query : this.find(id, caller);
  }

  /** A query of the caller whose rows are kept. */
  findCursor(id: number, caller: Caller): LiveQuery {
    const query = this.#queries.get(id);
    const isThere = query?.request.keepsRows && isOwn(query, caller) && this.#areRowsKept(query);
    if (!isThere) throw notTheirs(id, query, caller);
    return query;
  }

  /** Those the caller may see, the newest first. */
  visible(caller: Rightful): LiveQuery[] {
    const isAdministrator = isAtLeast(caller.role, 'ADMIN');
    return [...this.#queries.all()]
      .filter((query) => (isAdministrator || isOwn(query, caller)) && this.#isStatusKept(query))
      .reverse();
  }

  /** For the query's own account. */
  status(query: LiveQuery): StatusRecord {
    return statusRecord(query, this.#parts.clock.now(), this.#parts.zone);
  }

  /** For a list: secrets among constants and tags are masked. */
  listed(query: LiveQuery): StatusRecord {
    return listedRecord(query, this.#parts.clock.now(), this.#parts.zone);
  }

  /** Rows of a cursor that are there by now. */
  async *fetch(
    query: LiveQuery,
    { offset, limit }: { offset: number; limit: number },
  ): AsyncGenerator<readonly RowText[]> {
    query.times.fetched = this.#parts.clock.now();
    if (query.rows) yield* query.rows.read(offset, limit);
    query.times.fetched = this.#parts.clock.now();
  }

  /** A query that has ended, or is ending, stays as it is. */
  cancel(query: LiveQuery): void {
    query.cancel(cancelledOnRequest());
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
    this.#review.close();
    for (const query of this.#atWork) query.cancel(serviceStopping());
    const ended = Promise.all([...this.#atWork].map((query) => query.ended));
    // A statement that DuckDB is preparing does not hear of it, and may take minutes.
    await withTimeout(
      this.#parts.clock,
      CLOSE_TIMEOUT,
      ended.then(() => undefined),
      undefined,
    );
    for (const query of this.#queries.all()) await query.dropRows();
  }

  #announced({ userGuid }: Caller): Disposable {
    try {
      return this.#admission.announce(userGuid);
    } catch (refusal) {
      this.#parts.limited('waiting');
      throw refusal;
    }
  }

  #forgotten(query: LiveQuery): void {
    this.#parts.limited('statuses');
    query.dropRows().catch((error) => this.#parts.failed(error));
  }

  #register(query: LiveQuery): void {
    this.#queries.add(query);
    this.#atWork.add(query);
    void query.ended.then(() => this.#atWork.delete(query));
    if (this.#isClosed) query.cancel(serviceStopping());
  }

  async #runToEnd(query: LiveQuery): Promise<void> {
    try {
      for await (const _ of runQuery(query, this.#running));
    } catch {
      // The query tells by itself what it has met.
    }
  }

  #rowsFor(caller: Rightful) {
    const now = this.#parts.clock.now();
    return this.visible(caller)
      .map((query) => queryRow(query, now))
      .reverse();
  }

  #sweep(): void {
    for (const query of this.#queries.all()) {
      const hasRows = query.request.keepsRows && this.#areRowsKept(query);
      if (!hasRows) query.dropRows().catch((error) => this.#parts.failed(error));
      if (!hasRows && !this.#isStatusKept(query)) this.#queries.delete(query);
    }
  }

  #isStatusKept({ times }: LiveQuery): boolean {
    return !times.finished || this.#isWithin(this.#parts.keeping.status, times.finished);
  }

  #areRowsKept({ times: { finished, fetched } }: LiveQuery): boolean {
    if (!finished) return true;
    return [finished, fetched].some((at) => at && this.#isWithin(this.#parts.keeping.rows, at));
  }

  #isWithin(length: Temporal.Duration, since: Temporal.Instant): boolean {
    return Temporal.Instant.compare(since.add(length), this.#parts.clock.now()) > 0;
  }
}
