// Records that become part of a table together. Those of a day are gathered in files: as they were made where records come as
// files, the others in one of lines. They are written as segments that no catalog names; the commit names them all in one
// transaction. Files that a crash leaves are swept when the table is opened again.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Day, Days } from '#kernel/time/days.ts';
import type { Alongside, LineBatch, LogRecord, Staging, TableSpec } from '#logs/log-store.ts';
import type { SealInstance } from '#logs/runs/duckdb/seal-instance.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { Serial } from '#runtime/serial.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import type { Batches } from './batch.ts';
import type { Segment } from './catalog.ts';
import { type FreshFile, filesSource, freshFile, leavesOf, withNullLeaves } from './fresh-batch.ts';
import { linesSource } from './hot-table.ts';
import { LineBuffer } from './line-buffer.ts';
import { dividedLine } from './lines.ts';
import { isFullOfLong } from './record-sizes.ts';
import { segmentFrom } from './rewrite.ts';
import { CODECS } from './segment-file.ts';
import { type Scratch, type SegmentStorage, sealingStorage } from './segment-storage.ts';

/** Records of one segment. Sorting twice as many takes 200 MB more. */
const MAX_GATHERED = 250_000;
const MAX_GATHERED_BYTES = 256 * 1024 * 1024;
/** Of one segment, and of all days: files in memory keep a descriptor each. */
const MAX_FILES = 64;
const MAX_ALL_FILES = 128;
/** A log that has no order may be of all days at once; the one that was written to longest ago is closed then. */
const MAX_DAYS = 16;
/** Lines of a day that are written to its file together. */
const MAX_BUFFERED_BYTES = 512 * 1024;
/** Records between two slices. */
const SLICE_RECORDS = 256;

interface StagingDeps {
  readonly storage: SegmentStorage;
  readonly seals: SealInstance;
  readonly days: Days;
  readonly folder: string;
  readonly batches: Batches;
  /** Reserves ids, and gives the first of them. */
  takeIds(count: number): number;
  /** Stores leaves that records have taught, so that later ones have them in columns. */
  storeLeaves(): void;
  /** Makes the segments part of the table. */
  commit(segments: readonly Segment[], alongside: Alongside): Promise<void>;
  ended(): void;
}

/** Records gathered for one segment. */
interface Gathered {
  readonly day: Day;
  readonly name: string;
  /** Those that are not in the file yet. */
  readonly lines: LineBuffer;
  file: Scratch | undefined;
  readonly files: FreshFile[];
  rows: number;
  /** Of its files. */
  bytes: number;
  lastTime: number;
  isSorted: boolean;
}

export class TableStaging implements Staging {
  readonly #spec: TableSpec;
  readonly #deps: StagingDeps;
  readonly #segments: Segment[] = [];
  /** By day, the one that began most recently last. */
  readonly #gathered = new Map<string, Gathered>();
  /** The segment that is written while the next records are gathered. */
  #writing: Promise<void> = Promise.resolve();
  /** One step after another. */
  readonly #steps = new Serial();
  #isOver = false;
  /** The day of the record before. */
  #recent: Gathered | undefined;

  constructor(spec: TableSpec, deps: StagingDeps) {
    this.#spec = spec;
    this.#deps = deps;
  }

  add(given: readonly LogRecord[] | LineBatch): Promise<(index: number) => number> {
    return this.#step(async () => {
      const count = 'count' in given ? given.count : given.length;
      const firstId = this.#deps.takeIds(count);
      if ('count' in given && (await this.#gatherFile(given, firstId))) return (index) => firstId + index;
      // Offsets in the lines of a file are found at once where nothing has found them.
      if ('count' in given) await given.locate?.();
      for (let at = 0; at < count; ) {
        at = await eventLoop.runInSlots(
          'count' in given ? this.#gatherBatch(given, at, firstId) : this.#gatherRecords(given, at, firstId),
        );
        await this.#writeFull();
      }
      return (index) => firstId + index;
    });
  }

  /** Takes the file of a batch, where all of its records are of one day. */
  async #gatherFile(batch: LineBatch, firstId: number): Promise<boolean> {
    const { batches, storage, days } = this.#deps;
    const filed = batches.filed([batch], firstId);
    if (filed?.sums.days.size !== 1) return false;
    const { file, sums } = filed;
    const gathered = this.#ofDay(days.of(sums.minTime), firstId);
    if (!gathered) return false;
    const name = `${gathered.name}-${gathered.files.length}.parquet`;
    gathered.files.push(await freshFile(file, batches.facts(sums).columns, () => storage.scratch(name)));
    gathered.isSorted &&= sums.isSorted && sums.minTime >= gathered.lastTime;
    gathered.lastTime = sums.maxTime;
    gathered.rows += sums.rows;
    gathered.bytes += file.size;
    this.#deps.storeLeaves();
    await this.#writeFull();
    return true;
  }

  /** Returns the index of the first record that is not gathered yet, because there is no room for it. */
  *#gatherBatch(batch: LineBatch, from: number, firstId: number): SlicedWork<number> {
    for (let at = from; at < batch.count; at += 1) {
      const time = batch.times[at] ?? 0;
      const gathered = this.#roomFor(time, firstId + at);
      if (!gathered) return at;
      this.#deps.batches.writeBatchLine(batch, at, firstId + at, gathered.lines);
      note(gathered, time);
      if (at % SLICE_RECORDS === SLICE_RECORDS - 1) yield;
    }
    return batch.count;
  }

  *#gatherRecords(records: readonly LogRecord[], from: number, firstId: number): SlicedWork<number> {
    const { batches } = this.#deps;
    for (const [index, record] of records.slice(from).entries()) {
      const id = firstId + from + index;
      const gathered = this.#roomFor(record.time, id);
      if (!gathered) return from + index;
      gathered.lines.writeText(batches.line(record, id) ?? (yield* dividedLine(record, id, batches.registry)));
      note(gathered, record.time);
      if (index % SLICE_RECORDS === SLICE_RECORDS - 1) yield;
    }
    return records.length;
  }

  /** The records of a day; undefined where lines must be written first. `id` is that of the record to come. */
  #roomFor(time: number, id: number): Gathered | undefined {
    const recent = this.#recent;
    const isSameDay = recent !== undefined && time >= recent.day.begins && time < recent.day.ends;
    const gathered = isSameDay ? recent : this.#ofDay(this.#deps.days.of(time), id);
    return gathered && gathered.rows < MAX_GATHERED && gathered.lines.length < MAX_BUFFERED_BYTES
      ? gathered
      : undefined;
  }

  #ofDay(day: Day, id: number): Gathered | undefined {
    const known = this.#gathered.get(day.name);
    if (!known && this.#gathered.size > MAX_DAYS) return undefined;
    this.#recent = known ?? {
      day,
      name: `staged-${id}`,
      lines: new LineBuffer(),
      file: undefined,
      files: [],
      rows: 0,
      bytes: 0,
      lastTime: Number.NEGATIVE_INFINITY,
      isSorted: true,
    };
    this.#gathered.delete(day.name);
    this.#gathered.set(day.name, this.#recent);
    return this.#recent;
  }

  async #writeFull(): Promise<void> {
    for (const gathered of [...this.#gathered.values()]) {
      if (gathered.lines.length >= MAX_BUFFERED_BYTES) await this.#flush(gathered);
      if (isFull(gathered)) await this.#write(gathered);
    }
    const byFiles = [...this.#gathered.values()].sort((one, other) => other.files.length - one.files.length);
    const files = byFiles.reduce((total, one) => total + one.files.length, 0);
    if (byFiles[0] && files > MAX_ALL_FILES) await this.#write(byFiles[0]);
    const [oldest] = this.#gathered.size > MAX_DAYS ? this.#gathered.values() : [];
    if (oldest) await this.#write(oldest);
  }

  /** Writes its lines to its file. */
  async #flush(gathered: Gathered): Promise<Scratch> {
    gathered.file ??= await this.#deps.storage.scratch(`${gathered.name}.ndjson`);
    await gathered.file.append(gathered.lines.bytes);
    gathered.bytes += gathered.lines.length;
    gathered.lines.clear();
    return gathered.file;
  }

  async commit(alongside: Alongside): Promise<void> {
    await this.#step(async () => {
      for (const gathered of [...this.#gathered.values()]) await this.#write(gathered);
      await this.#writing;
      this.#end();
      try {
        await this.#deps.commit(this.#segments, alongside);
      } catch (error) {
        // While the store closes, nobody learns the outcome of a commit in doubt: the next start decides.
        if (!(error instanceof CommitUnanswered)) await this.#removeSegments();
        throw error;
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#steps.ended();
    await this.#writing.catch(() => undefined);
    for (const gathered of this.#gathered.values()) await removeFiles(gathered);
    await this.#removeSegments();
  }

  async #removeSegments(): Promise<void> {
    for (const { file } of this.#segments) await rm(join(this.#deps.folder, file), { force: true });
  }

  /** Resolves when the segment before is written; this one follows in the background. */
  async #write(gathered: Gathered): Promise<void> {
    await this.#writing;
    if (gathered.lines.length > 0) await this.#flush(gathered);
    this.#gathered.delete(gathered.day.name);
    if (this.#recent === gathered) this.#recent = undefined;
    this.#writing = this.#seal(gathered).finally(() => removeFiles(gathered));
    // The next await of it rejects.
    this.#writing.catch(() => undefined);
  }

  async #seal({ day, name, rows, bytes, file, files, isSorted }: Gathered): Promise<void> {
    const { folder, batches } = this.#deps;
    const storage = await sealingStorage(this.#deps.storage, this.#deps.seals);
    // The registry may learn more while they are written.
    const columns = batches.registry.stored;
    const leaves = leavesOf(files, batches.registry.leaves);
    const leafNames = new Set(leaves.map((leaf) => leaf.name));
    const sources = [
      ...(file ? [withNullLeaves(linesSource(file.path, this.#spec.layout, columns), leaves)] : []),
      ...(files.length > 0 ? [filesSource(files, columns, leaves)] : []),
    ];
    // The order of what it joins is kept.
    const source = sources.join(' union all ');
    const content = { source, rows, recordBytes: bytes, names: columns.keys(), leafNames, isSorted };
    const target = { day: day.name, name: `${name}.parquet`, codec: CODECS[this.#spec.compression], form: 2 as const };
    this.#segments.push(
      await segmentFrom(content, target, { storage, folder, spec: this.#spec, columns, registry: batches.registry }),
    );
  }

  #end(): void {
    this.#isOver = true;
    this.#deps.ended();
  }

  #step<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.run(() => {
      if (this.#isOver) throw new Error('the staging is over');
      return work();
    });
  }
}

const isFull = ({ rows, bytes, files }: Gathered): boolean =>
  rows >= MAX_GATHERED ||
  bytes >= MAX_GATHERED_BYTES ||
  files.length >= MAX_FILES ||
  isFullOfLong({ rows, recordBytes: bytes });

async function removeFiles({ file, files }: Gathered): Promise<void> {
  await file?.[Symbol.asyncDispose]();
  for (const one of files) await one.file[Symbol.asyncDispose]();
}

/** Lines are read before files. */
function note(gathered: Gathered, time: number): void {
  if (time < gathered.lastTime || gathered.files.length > 0) gathered.isSorted = false;
  gathered.lastTime = time;
  gathered.rows += 1;
}
