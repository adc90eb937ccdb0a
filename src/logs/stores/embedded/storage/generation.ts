// A generation of a table: one journal and the hot table of the same records.

import { NoSpace, type TableSpec } from '#logs/log-store.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import type { Leaves } from '#logs/stores/shared/leaves.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { BatchFacts } from './batch.ts';
import type { FrameFile } from './file-frames.ts';
import { HotTable, type SealedRows } from './hot-table.ts';
import type { InsertBacklog } from './insert-backlog.ts';
import { Journal, journalPath } from './journal.ts';
import type { Frame, JournalContent } from './journal-frames.ts';
import { joinedFrames, type RecoveredFrame } from './recovered-lines.ts';
import type { Scratch } from './segment-storage.ts';

interface GenerationDeps {
  readonly number: number;
  /** Says which journal it is. */
  readonly journalName: string;
  /** Frames that an earlier process wrote. */
  readonly content: JournalContent;
  readonly instance: Instance;
  readonly backlog: InsertBacklog;
  /** Of the table, as they are now. */
  leaves(): Leaves;
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly begun: number;
  /** Learns columns and figures from a frame that an earlier process wrote. */
  examine(frame: Frame): RecoveredFrame;
  scratch(name: string): Promise<Scratch>;
  /** Whether queries have read the table lately: then its records are inserted as they come. */
  isRead(): boolean;
  /** Resolves when generations before it that are being sealed have been, or could not be, or take too long. */
  olderSealed(): Promise<unknown>;
}

/** Of a journal that is read back. */
const LINE_BYTES_PER_MS = 50_000;
const FILE_BYTES_PER_MS = 150_000;

/** A batch of more bytes is acknowledged when it is inserted: there may be no memory for it. */
const MAX_ADDED_BYTES = 4 * 1024 * 1024;

export class Generation {
  readonly number: number;
  readonly begun: number;
  readonly hot: HotTable;
  readonly #journal: Journal;
  readonly #isRead: () => boolean;
  readonly #olderSealed: () => Promise<unknown>;
  readonly #days = new Map<string, number>();
  #rows = 0;
  #lineBytes = 0;
  #fileBytes = 0;
  #minTime = Number.POSITIVE_INFINITY;
  #maxTime = Number.NEGATIVE_INFINITY;
  #lastFrameId = 0;
  #isSorted = true;
  readonly #offsets = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();
  /** Those that have begun. */
  #appends = 0;
  #closing: Promise<void> | undefined;
  #sealing: Promise<void> | undefined;

  private constructor(
    deps: Pick<Generation, 'number' | 'begun' | 'hot'> & Pick<GenerationDeps, 'isRead' | 'olderSealed'>,
    journal: Journal,
  ) {
    this.number = deps.number;
    this.begun = deps.begun;
    this.hot = deps.hot;
    this.#isRead = deps.isRead;
    this.#olderSealed = deps.olderSealed;
    this.#journal = journal;
  }

  static async open(spec: TableSpec, deps: GenerationDeps): Promise<Generation> {
    const { number, journalName, content, folder, examine } = deps;
    const hot = await HotTable.create(`hot_${spec.id}_${number}`, { ...deps, layout: spec.layout });
    const journal = await Journal.open(journalPath(folder, number), { name: journalName, ...content });
    const generation = new Generation({ ...deps, hot }, journal);
    for (const joined of joinedFrames(content.frames)) {
      const { frame, facts } = examine(joined);
      generation.#count(joined, facts);
      await generation.#recover(frame, facts);
    }
    return generation;
  }

  /** Records are inserted in groups, while the next ones are read. */
  async #recover({ lines, file }: Frame, { columns }: BatchFacts): Promise<void> {
    const fresh = file && (await this.hot.prepare(file, columns).catch((cause) => withoutRoom(cause, lines)));
    if (fresh) this.hot.add(fresh);
    else this.hot.add({ lines, columns });
    if (!fresh && this.hot.isBehind) await this.hot.settled();
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#journal.sizeBytes;
  }

  /** Of its records as they came. */
  get recordBytes(): number {
    return this.#lineBytes + this.#fileBytes;
  }

  /** Milliseconds that a start would take for its journal, as measured. */
  get readBackMs(): number {
    return this.#lineBytes / LINE_BYTES_PER_MS + this.#fileBytes / FILE_BYTES_PER_MS;
  }

  /** The number of its records on each of their days. */
  get days(): ReadonlyMap<string, number> {
    return this.#days;
  }

  /** Defined only while there are rows. */
  get minTime(): number {
    return this.#minTime;
  }

  get maxTime(): number {
    return this.#maxTime;
  }

  /** Whether its hot table has the records in the order of their times, and of their ids where times are equal. */
  get isSorted(): boolean {
    return this.#isSorted;
  }

  /** How far its records say that sources were read. */
  get offsets(): ReadonlyMap<string, number> {
    return this.#offsets;
  }

  /** Tells whether statements between this call and that of the result may have found other records in the hot table. */
  changes(): () => boolean {
    const begun = this.#appends;
    const isUnderWay = this.#pending.size > 0 || !this.hot.isInserted;
    return () => isUnderWay || this.#appends !== begun;
  }

  /** Resolves when the batch is durable; `hot.settled` says when it is visible. */
  async append(frame: Frame, facts: BatchFacts): Promise<void> {
    this.#appends += 1;
    const appended = this.#append(frame, facts);
    this.#pending.add(appended);
    try {
      await appended;
    } finally {
      this.#pending.delete(appended);
    }
  }

  /** The latest attempt to seal it; undefined before the first. */
  get sealing(): Promise<void> | undefined {
    return this.#sealing;
  }

  /** Tells that it is being sealed. */
  async whileSealing(work: Promise<void>): Promise<void> {
    this.#sealing = work;
    await work;
  }

  /** All records, for segments; none may be appended after the call. Rejects where some cannot be read. */
  async sealed(): Promise<SealedRows> {
    await this.#closeJournal();
    return await this.hot.sealed();
  }

  /** Lines that are in no hot table yet are in the journal; none may be appended after the call. */
  async close(): Promise<void> {
    await this.#closeJournal();
    await this.hot.close();
  }

  async #closeJournal(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#closing ??= this.#journal.close();
    await this.#closing;
  }

  async #append(frame: Frame, facts: BatchFacts): Promise<void> {
    // Nothing is acknowledged behind lines that could not be inserted.
    if (this.hot.hasFailed) await this.hot.settled();
    if (frame.file) await this.#appendFile(frame, frame.file, facts);
    else {
      await this.#journal.append(frame);
      if (frame.lines.length > MAX_ADDED_BYTES) await this.#insert(frame, facts);
      else this.hot.add({ lines: frame.lines, columns: facts.columns });
    }
    this.#count(frame, facts);
    if (this.hot.isBehind) await this.#catchUp();
  }

  /** Records that nobody asks for are cheaper to seal from their files than to insert. */
  async #catchUp(): Promise<void> {
    // The seal of its own generation waits for the append, and a later attempt for an older one may wait behind that seal.
    if (this.hot.isOfFiles && !this.#isRead() && !this.#sealing) await this.#olderSealed();
    // The records are durable: a failed insertion is tried again before the next append and before a query.
    if (this.hot.isBehind) await this.hot.settled().catch(() => undefined);
  }

  async #appendFile(frame: Frame, file: FrameFile, { columns }: BatchFacts): Promise<void> {
    // Before the journal, which makes other bytes of the file.
    const fresh = await this.hot.prepare(file, columns).catch((cause: unknown) => {
      throw isOutOfSpace(cause) ? new NoSpace('no space left for fresh records', { cause }) : cause;
    });
    try {
      await this.#journal.append(frame);
    } catch (error) {
      await fresh.file[Symbol.asyncDispose]();
      throw error;
    }
    this.hot.add(fresh, { isLazy: !this.#isRead() });
  }

  async #insert(frame: Frame, { columns }: BatchFacts): Promise<void> {
    // Lines that were added before may still wait.
    this.#isSorted = false;
    try {
      await this.hot.insert(frame.lines, columns);
    } catch (error) {
      // Records that were refused must not be there after the next start.
      await this.#journal.withdraw(frame);
      throw error;
    }
  }

  #count({ firstId, offsets, lines, file }: Frame, { rows, minTime, maxTime, days, isSorted }: BatchFacts): void {
    this.#isSorted &&= isSorted && minTime >= this.#maxTime && firstId > this.#lastFrameId;
    this.#lastFrameId = firstId;
    this.#rows += rows;
    if (file) this.#fileBytes += file.size;
    else this.#lineBytes += lines.length;
    this.#minTime = Math.min(this.#minTime, minTime);
    this.#maxTime = Math.max(this.#maxTime, maxTime);
    for (const [day, count] of days) this.#days.set(day, (this.#days.get(day) ?? 0) + count);
    for (const { source, position } of offsets ?? []) {
      this.#offsets.set(source, Math.max(position, this.#offsets.get(source) ?? 0));
    }
  }
}

/** Undefined where the disk is full and the lines of a file are at hand: they are inserted as they are. */
function withoutRoom(cause: unknown, lines: Buffer): undefined {
  if (!isOutOfSpace(cause) || lines.length === 0) throw cause;
}
