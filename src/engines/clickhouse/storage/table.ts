// One table on ClickHouse: its columns, the ids of its records, its inserts. Inserts and changes of columns happen one after the
// other, so that a row is never written for columns that the server does not have.

import { randomUUID } from 'node:crypto';
import { logStoreUnreachable } from '#contract/errors.ts';
import type { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import { answered, answerOf } from '#engines/clickhouse/server/failures.ts';
import { Arrivals } from '#engines/duckdb/storage/arrivals.ts';
import { ColumnRegistry, type Columns, type LearntColumns } from '#engines/duckdb/storage/columns.ts';
import { type RecordBatch, type SourceOffset, type Staging, TableGone, type TableSpec } from '#engines/engine.ts';
import { withTimeout } from '#kernel/clock.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { beginUpload, commitUpload, takeIds, writeColumns } from './catalog.ts';
import { type DayBatch, GroupWriter } from './group-writer.ts';
import { insertUnderToken } from './inserts.ts';
import { layOut } from './laid-out-tables.ts';
import { dayNumber, fieldColumns, tableName } from './layout.ts';
import { type Intent, intend, openIntents, readOffsets, settleIntents, writeOffsets } from './offsets.ts';
import { Readers } from './readers.ts';
import { IdBlocks } from './record-ids.ts';
import { columnNames, encode, learn, type NumberedRecords } from './rows.ts';
import { UploadStaging } from './staging.ts';
import type { TableDeps } from './table-deps.ts';

/** Records of one push, or of one collector, all of one day. */
interface Batch extends DayBatch {
  readonly parts: RecordBatch['parts'];
  readonly firstId: number;
  readonly rows: number;
  readonly offsets: readonly SourceOffset[];
}

/** For an insert that is not answered; the records may be stored all the same. */
const MAX_WAIT = Temporal.Duration.from({ seconds: 30 });

export class ClickhouseTable {
  readonly spec: TableSpec;
  /** Committed uploads by their numbers. */
  readonly arrivals: Arrivals<number>;
  readonly #deps: TableDeps;
  readonly #registry: ColumnRegistry;
  readonly #ids: IdBlocks;
  readonly #writer: GroupWriter<Batch>;
  readonly readers = new Readers();
  readonly #stagings = new Set<UploadStaging>();
  /** Changes of the registry that catalog and servers have. */
  #registered = 0;
  #matched: Columns = new Map();
  /** Those that have the columns. */
  #servers: readonly ClickhouseClient[] = [];
  #isDropped = false;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(spec: TableSpec, deps: TableDeps, learnt: LearntColumns) {
    this.spec = spec;
    this.#deps = deps;
    this.arrivals = new Arrivals(deps.serviceClock);
    this.#registry = new ColumnRegistry(learnt);
    this.#ids = new IdBlocks((count) => takeIds(deps.store, spec, count));
    this.#writer = new GroupWriter({ ...deps, write: (group) => this.#write(group) });
  }

  /** Makes the table where it is not, and decides about records whose offsets a crash has left open. */
  static async open(spec: TableSpec, deps: TableDeps, learnt: LearntColumns): Promise<ClickhouseTable> {
    const table = new ClickhouseTable(spec, deps, learnt);
    await table.#matchColumns(new Map(table.#registry.columns));
    await table.#settleIntents();
    return table;
  }

  /** Servers that were added get the columns, before anything is read from them. */
  async spread(): Promise<void> {
    if (!this.#isOnAll) await this.#inTurn(() => this.#matchColumns(this.#matched));
  }

  get #isOnAll(): boolean {
    return this.#servers.length === this.#deps.shards.all.length;
  }

  get learnt(): LearntColumns {
    return this.#registry.learnt;
  }

  /** Those that the servers have: columns that were learnt just now have no records yet, and no server could read them. */
  get columns(): Columns {
    return this.#matched;
  }

  offsets(): Promise<ReadonlyMap<string, number>> {
    return readOffsets(this.#deps.store, this.spec.id);
  }

  /** Resolves when the records are durable; gives the first of their ids. */
  async append(parts: RecordBatch['parts'], offsets: readonly SourceOffset[] = []): Promise<number> {
    const rows = parts.reduce((total, part) => total + countOf(part), 0);
    this.#requirePresence();
    const firstId = await this.#ids.take(rows);
    if (rows === 0) return firstId;
    const day = this.#onlyDay(parts);
    if (day === undefined) await this.#appendTogether(parts, firstId, offsets);
    else await this.#inTime(this.#writer.append({ day, parts, firstId, rows, offsets, bytes: bytesOf(parts) }));
    this.#deps.changed();
    this.arrivals.appended(parts, firstId);
    return firstId;
  }

  stage(): Staging {
    this.#requirePresence();
    return this.#stageFrom((count) => this.#ids.take(count));
  }

  /** Resolves when nothing of it is being written; nothing is written any more after the call. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.close();
  }

  async close(): Promise<void> {
    for (const staging of this.#stagings) await staging.discard().catch((error) => this.#deps.failed(error));
    await this.#writer.idle();
    await this.#turn;
  }

  /** Runs work between two inserts. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  #stageFrom(takeIds: (count: number) => Promise<number>): UploadStaging {
    const { store, days, abandon, changed } = this.#deps;
    const staging: UploadStaging = new UploadStaging({
      ...{ days, takeIds, abandon },
      learn: (given) => this.#learn([given]),
      begin: () => beginUpload(store, this.spec),
      insert: (day, records, upload) => this.#inTurn(() => this.#insert(day, records, { upload })),
      commit: async (upload, alongside) => {
        this.#requirePresence();
        await commitUpload(store, { table: this.spec, upload, alongside });
        changed();
        this.arrivals.committed(upload);
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
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const time of timesOf(parts)) {
      if (time < min) min = time;
      if (time > max) max = time;
    }
    const { name, ends } = days.of(min);
    return max < ends ? name : undefined;
  }

  #write(group: readonly Batch[]): Promise<void> {
    return this.#inTurn(async () => {
      const { store, closing } = this.#deps;
      const token = randomUUID();
      const records = group.flatMap(numbered);
      const intents = group.filter(({ offsets }) => offsets.length > 0).map((batch): Intent => ({ ...batch, token }));
      if (intents.length > 0) await intend(store, this.spec.id, intents);
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
    const { layout, id } = this.spec;
    const names = await this.#learn(records.map(({ part }) => part));
    await answered(this.#register());
    const { shards, arrivalClock, node, clock, closing } = this.#deps;
    // Others may learn meanwhile: the servers do not have that yet.
    const fields = fieldColumns(this.#matched).filter(({ field }) => names.has(field));
    const facts = { day: dayNumber(day), arrived: arrivalClock.next(), upload, node, fields };
    const data = await eventLoop.runInSlots(encode(records, { layout, registry: this.#registry, facts }));
    const statement = `insert into ${tableName(id)} (${columnNames(fields).join(', ')}) format RowBinaryWithNamesAndTypes`;
    try {
      const insert = { statement, data, token };
      await shards.onOne((client) => insertUnderToken(client, insert, { clock, signal: closing }), this.#servers);
    } catch (error) {
      throw this.#isDropped ? new TableGone(this.spec.name) : answerOf(error);
    }
  }

  #learn(parts: RecordBatch['parts']): Promise<ReadonlySet<string>> {
    return eventLoop.runInSlots(learn(parts, this.spec.layout, this.#registry));
  }

  /** Catalog and servers know the columns of records before these are inserted. */
  async #register(): Promise<void> {
    const { changes, learnt } = this.#registry;
    // Others may learn meanwhile: no server has a column that the catalog does not know.
    const columns: Columns = new Map(this.#registry.columns);
    if (changes === this.#registered && this.#isOnAll) return;
    if (changes !== this.#registered) await writeColumns(this.#deps.store, this.spec, learnt);
    await this.#matchColumns(columns);
    this.#registered = changes;
  }

  async #matchColumns(columns: Columns): Promise<void> {
    const { shards } = this.#deps;
    const servers = [...shards.all];
    await shards.each((client) => layOut(client, this.spec, columns));
    this.#matched = columns;
    this.#servers = servers;
  }

  /** What an earlier process began to insert has ended, one way or the other, before it is looked for. */
  async #settleIntents(): Promise<void> {
    const { store, shards } = this.#deps;
    for (const { token, firstId, rows } of await openIntents(store, this.spec.id)) {
      await shards.each((client) => client.kill(token));
      const params = { from: firstId, to: firstId + rows };
      const counted = `select count() from ${tableName(this.spec.id)} where _id >= {from:UInt64} and _id < {to:UInt64}`;
      const found = (await shards.rows(counted, { params })).reduce((total, [count]) => total + Number(count), 0);
      await settleIntents(store, this.spec.id, { token, isStored: found > 0 });
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
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const countOf = (part: RecordBatch['parts'][number]): number => ('count' in part ? part.count : part.length);

function numbered({ parts, firstId }: Batch): NumberedRecords[] {
  let next = firstId;
  return parts.map((part) => {
    next += countOf(part);
    return { part, firstId: next - countOf(part) };
  });
}

function* timesOf(parts: RecordBatch['parts']): Generator<number> {
  for (const part of parts) {
    if ('count' in part) yield* part.times.subarray(0, part.count);
    else for (const { time } of part) yield time;
  }
}

function bytesOf(parts: RecordBatch['parts']): number {
  let bytes = 0;
  for (const part of parts) {
    if ('count' in part) bytes += (part.ends[part.count - 1] ?? 0) - (part.begins[0] ?? 0);
    else for (const { text } of part) bytes += text.length;
  }
  return bytes;
}
