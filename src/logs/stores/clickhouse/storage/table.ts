// One table on ClickHouse: its columns, the ids of its records, its inserts. Inserts and changes of columns happen one after the
// other, so that a row is never written for columns that the server does not have.

import { randomUUID } from 'node:crypto';
import type { Cluster } from '#cluster/cluster.ts';
import { logStoreUnreachable } from '#contract/errors.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import { type RecordBatch, type SourceOffset, type Staging, TableGone, type TableSpec } from '#logs/log-store.ts';
import { answered, answerOf, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { Arrivals } from '#logs/stores/shared/arrivals.ts';
import type { ColumnRegistry, Columns, LearntColumns } from '#logs/stores/shared/columns.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { Serial } from '#runtime/serial.ts';
import type { Store } from '#store/store.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import type { ArrivalNews } from './arrival-news.ts';
import { type Batch, bytesOf, countOf, numbered, timesOf } from './batch-parts.ts';
import { type CatalogColumns, hasTable, takeIds } from './catalog.ts';
import { DayWrites } from './day-writes.ts';
import { GroupWriter } from './group-writer.ts';
import { insertUnderToken } from './inserts.ts';
import { dayNumber, fieldColumns, tableName } from './layout.ts';
import { type Intent, intend, readOffsets, settleIntents, settleOpenIntents, writeOffsets } from './offsets.ts';
import { Readers } from './readers.ts';
import { IdBlocks } from './record-ids.ts';
import { columnNames, encode, type NumberedRecords, type RowFacts } from './rows.ts';
import type { Shards } from './shards.ts';
import { UploadStaging } from './staging.ts';
import { TableColumns } from './table-columns.ts';
import { beginUpload, commitUpload, hasUnknownUploads } from './upload-catalog.ts';

export interface TableDeps {
  readonly store: Store;
  readonly shards: Shards;
  readonly days: Days;
  readonly arrivalClock: ArrivalClock;
  readonly arrivalNews: ArrivalNews;
  /** Of the service. */
  readonly serviceClock: Clock;
  /** Of real time: for waits and deadlines. */
  readonly clock: Clock;
  /** How long the first batch of an insert waits for others. */
  readonly groupFor: Temporal.Duration;
  /** Its node takes records in. */
  readonly cluster: Cluster;
  /** The registry of a table that may be in other places, too. */
  registryOf?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  /** The same where another node has written the catalog. */
  renewedRegistry?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  /** Ends inserts that are in doubt. */
  readonly closing: AbortSignal;
  /** Deletes the records of an upload that is not committed. */
  abandon(upload: number): Promise<void>;
  /** The records of the table have changed. */
  changed(): void;
  /** Reports a failure in the background. */
  failed(error: unknown): void;
}

/** Rows of one insert. */
interface Inserted extends Pick<RowFacts, 'upload' | 'fields'> {
  readonly day: string;
  /** Of another place, which may have made the day in another time zone. */
  readonly isCopied?: boolean;
  readonly token?: string;
}

/** For an insert that is not answered; the records may be stored all the same. */
const MAX_WAIT = Temporal.Duration.from({ seconds: 30 });

export class ClickhouseTable {
  readonly spec: TableSpec;
  /** Committed uploads by their numbers. */
  readonly arrivals: Arrivals<number>;
  readonly #deps: TableDeps;
  readonly #columns: TableColumns;
  readonly #ids: IdBlocks;
  readonly #writer: GroupWriter<Batch>;
  readonly readers = new Readers();
  readonly writes: DayWrites;
  readonly #stagings = new Set<UploadStaging>();
  #isDropped = false;
  readonly #turns = new Serial();

  private constructor(spec: TableSpec, deps: TableDeps, columns: TableColumns) {
    this.spec = spec;
    this.#deps = deps;
    this.arrivals = new Arrivals(deps.serviceClock);
    this.writes = new DayWrites({ days: deps.days, clock: deps.serviceClock });
    this.#columns = columns;
    this.#ids = new IdBlocks((count) => takeIds(deps.store, spec, count));
    this.#writer = new GroupWriter({ ...deps, write: (group) => this.#write(group) });
  }

  /** Makes the table where it is not, and decides about records whose offsets a crash has left open. */
  static async open(spec: TableSpec, deps: TableDeps, catalog: CatalogColumns): Promise<ClickhouseTable> {
    const table = new ClickhouseTable(spec, deps, await TableColumns.open(spec, deps, catalog));
    await settleOpenIntents(deps, spec.id, (node) => node === null || node === deps.cluster.self);
    const mayHaveOthers = deps.cluster.form({
      alone: () => hasUnknownUploads(deps, spec.id),
      shared: async () => true,
    });
    if (await mayHaveOthers) table.writes.end();
    return table;
  }

  /** Servers that were added get the columns, before anything is read from them. */
  async spread(): Promise<void> {
    if (!this.#columns.isOnAll) await this.#inTurn(() => this.#columns.match());
  }

  /** Takes what other nodes have learnt of its records. */
  async adopt(): Promise<void> {
    await this.#inTurn(() => this.#columns.adopt());
  }

  get learnt(): LearntColumns {
    return this.#columns.learnt;
  }

  /** Those that the servers have. */
  get columns(): Columns {
    return this.#columns.matched;
  }

  /** A source may have been that of a node that is gone. */
  async offsets(): Promise<ReadonlyMap<string, number>> {
    const nodes = await this.#deps.cluster.nodes.list();
    const living = new Set(nodes.flatMap(({ name, state }) => (state === 'alive' ? [name] : [])));
    const isGone = (node: string | null) => node !== null && !living.has(node);
    await answered(settleOpenIntents(this.#deps, this.spec.id, isGone));
    return await readOffsets(this.#deps.store, this.spec.id);
  }

  /** Resolves when the records are durable; gives the first of their ids. */
  async append(parts: RecordBatch['parts'], offsets: readonly SourceOffset[] = []): Promise<number> {
    const rows = parts.reduce((total, part) => total + countOf(part), 0);
    this.#requirePresence();
    const firstId = await this.#ids.take(rows);
    if (rows === 0) return firstId;
    const day = this.#onlyDay(parts);
    if (day === undefined) {
      await this.#appendTogether(parts, firstId, offsets);
      return firstId;
    }
    await this.#inTime(this.#writer.append({ day, parts, firstId, rows, offsets, bytes: bytesOf(parts) }));
    this.#deps.changed();
    this.arrivals.appended(parts, firstId);
    this.#deps.arrivalNews.announce(this.spec.id, { firstId, rows });
    return firstId;
  }

  stage(): Staging {
    this.#requirePresence();
    return this.#stageFrom((count) => this.#ids.take(count));
  }

  /** Resolves when nothing of it is being written; nothing is written any more after the call. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    this.writes.end();
    await this.close();
  }

  async close(): Promise<void> {
    for (const staging of this.#stagings) await staging.discard().catch((error) => this.#deps.failed(error));
    await this.#writer.idle();
    await this.#turns.ended();
  }

  /** Resolves when all that was appended before the call is stored, or never will be. */
  async idle(): Promise<void> {
    await this.#writer.idle();
    await this.#turns.ended();
  }

  /** What the registry has learnt in another place is known here, too. */
  async match(): Promise<void> {
    if (!this.#columns.isPublished) await this.#inTurn(() => answered(this.#columns.publish()));
  }

  /** Ids are taken anew from the catalog. */
  async renewIds(): Promise<void> {
    await this.#ids.discard();
  }

  /** Rows of one day, hidden under the number of an upload. */
  insertCopied(day: string, upload: number, encoded: (facts: RowFacts) => SlicedWork<Buffer>): Promise<void> {
    return this.#inTurn(async () => {
      await answered(this.#columns.publish());
      const fields = fieldColumns(this.#columns.matched);
      await this.#insertEncoded({ day, isCopied: true, upload, fields }, encoded).catch((error) => {
        throw answerOf(error);
      });
    });
  }

  /** Runs work between two inserts. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  #stageFrom(takeIds: (count: number) => Promise<number>): UploadStaging {
    const { store, days, cluster, abandon, changed, arrivalNews } = this.#deps;
    const staging: UploadStaging = new UploadStaging({
      days,
      takeIds,
      abandon,
      learn: (given) => this.#columns.learn([given]),
      begin: () => beginUpload(store, this.spec, cluster.self),
      insert: (day, records, upload) => this.#inTurn(() => this.#insert(day, records, { upload })),
      commit: async (upload, alongside) => {
        this.#requirePresence();
        await commitUpload(store, { table: this.spec, upload, alongside });
        changed();
        this.arrivals.committed(upload);
        arrivalNews.announce(this.spec.id, { upload });
      },
      ended: () => void this.#stagings.delete(staging),
    });
    this.#stagings.add(staging);
    return staging;
  }

  /** Records of several days are several inserts: hidden until all of them are there. */
  async #appendTogether(parts: RecordBatch['parts'], firstId: number, offsets: readonly SourceOffset[]): Promise<void> {
    let next = firstId;
    const staging = this.#stageFrom(async (count) => {
      next += count;
      return next - count;
    });
    try {
      for (const part of parts) await staging.add(part);
      await staging.commit((db) => writeOffsets(db, this.spec.id, offsets));
    } catch (error) {
      await staging.discard();
      throw error;
    }
  }

  #onlyDay(parts: RecordBatch['parts']): string | undefined {
    const { days } = this.#deps;
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (const time of timesOf(parts)) {
      if (time < min) min = time;
      if (time > max) max = time;
    }
    const { name, ends } = days.of(min);
    return max < ends ? name : undefined;
  }

  #write(group: readonly Batch[]): Promise<void> {
    return this.#inTurn(async () => {
      const { store, cluster, closing } = this.#deps;
      const token = randomUUID();
      const records = group.flatMap(numbered);
      const intents = group.filter(({ offsets }) => offsets.length > 0).map((batch): Intent => ({ ...batch, token }));
      if (intents.length > 0) await intend(store, { tableId: this.spec.id, node: cluster.self }, intents);
      try {
        await this.#insert(group[0]?.day ?? '', records, { token });
      } catch (error) {
        // One that ended in doubt, because the service stops, is decided at the next start.
        if (intents.length > 0 && !closing.aborted)
          await settleIntents(store, this.spec.id, { token, isStored: false });
        throw error;
      }
      if (intents.length > 0) await settleIntents(store, this.spec.id, { token, isStored: true });
    });
  }

  async #insert(
    day: string,
    records: readonly NumberedRecords[],
    { token = randomUUID(), upload = 0 }: { readonly token?: string; readonly upload?: number },
  ): Promise<void> {
    this.#requirePresence();
    const names = await answered(this.#columns.registered(records.map(({ part }) => part)));
    const { layout } = this.spec;
    const { registry } = this.#columns;
    // Others may learn meanwhile: the servers do not have that yet.
    const fields = fieldColumns(this.#columns.matched).filter(({ field }) => names.has(field));
    try {
      await this.#insertEncoded({ day, token, upload, fields }, (facts) =>
        encode(records, { layout, registry, facts }),
      );
    } catch (error) {
      // Another node has widened a column: the server refuses rows of the type before, and has stored none.
      if (error instanceof StatementFailed && (await answered(this.#columns.adopt())))
        return await this.#insert(day, records, { token, upload });
      throw answerOf(error);
    }
  }

  /** Throws what the server has said. */
  async #insertEncoded(
    { day, isCopied = false, token = randomUUID(), upload, fields }: Inserted,
    encoded: (facts: RowFacts) => SlicedWork<Buffer>,
  ): Promise<void> {
    this.#requirePresence();
    const { shards, arrivalClock, cluster, clock, closing } = this.#deps;
    using _ = this.writes.begin(isCopied ? undefined : day);
    const facts = { day: dayNumber(day), arrived: await arrivalClock.next(), upload, node: cluster.self, fields };
    const data = await eventLoop.runInSlots(encoded(facts));
    const columns = columnNames(fields).join(', ');
    const statement = `insert into ${tableName(this.spec.id)} (${columns}) format RowBinaryWithNamesAndTypes`;
    const insert = { statement, data, token };
    try {
      await shards.onOne(
        (client) => insertUnderToken(client, insert, { clock, signal: closing }),
        this.#columns.servers,
      );
    } catch (error) {
      const isRefused = error instanceof StatementFailed;
      if (this.#isDropped || (isRefused && !(await hasTable(this.#deps.store, this.spec.id))))
        throw new TableGone(this.spec.name);
      throw error;
    }
  }

  #requirePresence(): void {
    if (this.#isDropped) throw new TableGone(this.spec.name);
  }

  /** A caller does not wait for ever for an insert in doubt; it is repeated all the same. */
  async #inTime(work: Promise<void>): Promise<void> {
    const stored = work.then(() => true);
    if (await withTimeout(this.#deps.clock, MAX_WAIT, stored, false)) return;
    stored.catch((error) => this.#deps.failed(error));
    throw logStoreUnreachable(this.#deps.shards.name);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }
}
