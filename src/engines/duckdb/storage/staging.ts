// Records that become part of a table together. They are gathered in a file of lines for each day, which DuckDB reads
// quicker than any other form, and written as segments that no catalog names; the commit names them all in one
// transaction. Files that a crash leaves are swept when the table is opened again.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Alongside, LogRecord, RecordRun, Staging, TableSpec } from '#engines/engine.ts';
import type { Day, Days } from '#kernel/days.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import type { Batches } from './batch.ts';
import type { Segment } from './catalog.ts';
import { linesSource } from './hot-table.ts';
import { LineBuffer } from './line-buffer.ts';
import { dividedLine } from './lines.ts';
import { segmentFrom } from './rewrite.ts';
import { CODECS } from './segment-file.ts';
import type { Scratch, SegmentStorage } from './segment-storage.ts';

/** Records of one segment: enough for DuckDB to work on them with all its threads. */
const MAX_GATHERED = 500_000;
/** A log that has no order may be of all days at once; the one that was written to longest ago is closed then. */
const MAX_DAYS = 16;
/** Lines of a day that are written to its file together. */
const MAX_BUFFERED_BYTES = 512 * 1024;
/** Records between two slices. */
const SLICE_RECORDS = 256;

interface StagingDeps {
  readonly storage: SegmentStorage;
  readonly days: Days;
  readonly folder: string;
  readonly batches: Batches;
  /** Reserves ids, and gives the first of them. */
  takeIds(count: number): number;
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
  rows: number;
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
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** The day of the record before. */
  #recent: Gathered | undefined;

  constructor(spec: TableSpec, deps: StagingDeps) {
    this.#spec = spec;
    this.#deps = deps;
  }

  add(given: readonly LogRecord[] | RecordRun): Promise<(place: number) => number> {
    return this.#step(async () => {
      const count = 'count' in given ? given.count : given.length;
      const firstId = this.#deps.takeIds(count);
      for (let at = 0; at < count; ) {
        at = await eventLoop.runInSlots(
          'count' in given ? this.#gatherRun(given, at, firstId) : this.#gatherRecords(given, at, firstId),
        );
        await this.#writeFull();
      }
      return (place) => firstId + place;
    });
  }

  /** Gives the place of the first record that is not gathered yet, because there is no room for it. */
  *#gatherRun(run: RecordRun, from: number, firstId: number): SlicedWork<number> {
    for (let at = from; at < run.count; at += 1) {
      const time = run.times[at] ?? 0;
      const gathered = this.#roomFor(time, firstId + at);
      if (!gathered) return at;
      this.#deps.batches.writeRunLine(run, at, firstId + at, gathered.lines);
      note(gathered, time);
      if (at % SLICE_RECORDS === SLICE_RECORDS - 1) yield;
    }
    return run.count;
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
      ...{ day, name: `staged-${id}`, lines: new LineBuffer(), file: undefined },
      ...{ rows: 0, lastTime: Number.NEGATIVE_INFINITY, isSorted: true },
    };
    this.#gathered.delete(day.name);
    this.#gathered.set(day.name, this.#recent);
    return this.#recent;
  }

  async #writeFull(): Promise<void> {
    for (const gathered of [...this.#gathered.values()]) {
      if (gathered.rows >= MAX_GATHERED) await this.#write(gathered);
      else if (gathered.lines.length >= MAX_BUFFERED_BYTES) await this.#flush(gathered);
    }
    const [oldest] = this.#gathered.size > MAX_DAYS ? this.#gathered.values() : [];
    if (oldest) await this.#write(oldest);
  }

  /** Writes its lines to its file. */
  async #flush(gathered: Gathered): Promise<Scratch> {
    gathered.file ??= await this.#deps.storage.scratch(`${gathered.name}.ndjson`);
    await gathered.file.append(gathered.lines.bytes);
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
    await this.#work;
    await this.#writing.catch(() => undefined);
    for (const { file } of this.#gathered.values()) await file?.[Symbol.asyncDispose]();
    await this.#removeSegments();
  }

  async #removeSegments(): Promise<void> {
    for (const { file } of this.#segments) await rm(join(this.#deps.folder, file), { force: true });
  }

  /** Resolves when the segment before is written; this one follows in the background. */
  async #write(gathered: Gathered): Promise<void> {
    await this.#writing;
    const file = await this.#flush(gathered);
    this.#gathered.delete(gathered.day.name);
    if (this.#recent === gathered) this.#recent = undefined;
    this.#writing = this.#seal(gathered, file.path).finally(() => file[Symbol.asyncDispose]());
    // The next await of it rejects.
    this.#writing.catch(() => undefined);
  }

  async #seal({ day, name, rows, isSorted }: Gathered, path: string): Promise<void> {
    const { storage, folder, batches } = this.#deps;
    // The registry may learn more while they are written.
    const columns = new Map(batches.registry.columns);
    const source = linesSource(path, this.#spec.layout, columns);
    const content = { source, rows, names: columns.keys(), isSorted };
    const target = { day: day.name, name: `${name}.parquet`, codec: CODECS[this.#spec.compression] };
    this.#segments.push(await segmentFrom(content, target, { storage, folder, spec: this.#spec, columns }));
  }

  #end(): void {
    this.#isOver = true;
    this.#deps.ended();
  }

  #step<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(() => {
      if (this.#isOver) throw new Error('the staging is over');
      return work();
    });
    this.#work = done.catch(() => undefined);
    return done;
  }
}

function note(gathered: Gathered, time: number): void {
  if (time < gathered.lastTime) gathered.isSorted = false;
  gathered.lastTime = time;
  gathered.rows += 1;
}
