// Records that become part of a table together. They are gathered in a file of lines for each day, which DuckDB reads
// quicker than any other form, and written as segments that no catalog names; the commit names them all in one
// transaction. Files that a crash leaves are swept when the table is opened again.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Alongside, LogRecord, RecordRun, Staging, TableSpec } from '#engines/engine.ts';
import type { Days } from '#kernel/days.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import type { Batches } from './batch.ts';
import type { Segment } from './catalog.ts';
import { linesSource } from './hot-table.ts';
import { Room } from './lines.ts';
import { segmentFrom } from './rewrite.ts';
import { CODECS } from './segment-file.ts';
import type { Scratch, SegmentStorage } from './segment-storage.ts';

/** Records of one segment: enough for DuckDB to work on them with all its threads. */
const MAX_GATHERED = 500_000;
/** A log that has no order may be of all days at once; the one that was written to longest ago is closed then. */
const MAX_DAYS = 16;

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
  readonly day: string;
  readonly name: string;
  readonly file: Scratch;
  rows: number;
  lastTime: number;
  isSorted: boolean;
}

export class TableStaging implements Staging {
  readonly #spec: TableSpec;
  readonly #deps: StagingDeps;
  readonly #segments: Segment[] = [];
  /** By day, the most recently written to last. */
  readonly #gathered = new Map<string, Gathered>();
  /** The segment that is written while the next records are gathered. */
  #writing: Promise<void> = Promise.resolve();
  /** One step after another. */
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;
  readonly #room = new Room();

  constructor(spec: TableSpec, deps: StagingDeps) {
    this.#spec = spec;
    this.#deps = deps;
  }

  add(given: readonly LogRecord[] | RecordRun): Promise<(place: number) => number> {
    return this.#step(async () => {
      const groups: { readonly places: Places; readonly firstId: number }[] = [];
      for (const { day, batch, places } of byDay(given, this.#deps.days)) {
        groups.push({ places, firstId: await this.#gather(day, batch) });
      }
      return (place) => {
        for (const { places, firstId } of groups) {
          const at = Array.isArray(places) ? places.indexOf(place) : place < places.to ? place - places.from : -1;
          if (at >= 0) return firstId + at;
        }
        throw new Error(`there is no record ${place}`);
      };
    });
  }

  /** Gives the first of their ids. */
  async #gather(day: string, batch: readonly LogRecord[] | RecordRun): Promise<number> {
    const times = 'count' in batch ? batch.times : batch.map(({ time }) => time);
    const firstId = this.#deps.takeIds(times.length);
    const lines = await this.#linesOf(batch, firstId);
    const gathered = this.#gathered.get(day) ?? (await this.#begin(day, firstId));
    this.#gathered.delete(day);
    this.#gathered.set(day, gathered);
    await gathered.file.append(lines);
    note(gathered, times);
    if (gathered.rows >= MAX_GATHERED) await this.#write(gathered);
    const [oldest] = this.#gathered.size > MAX_DAYS ? this.#gathered.values() : [];
    if (oldest) await this.#write(oldest);
    return firstId;
  }

  async #linesOf(given: readonly LogRecord[] | RecordRun, firstId: number): Promise<string | Buffer> {
    const { batches } = this.#deps;
    const lines = 'count' in given ? batches.runLines(given, firstId, this.#room) : undefined;
    return lines ?? (await batches.frame('count' in given ? given.records() : given, firstId)).text;
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
    for (const { file } of this.#gathered.values()) await file[Symbol.asyncDispose]();
    await this.#removeSegments();
  }

  async #removeSegments(): Promise<void> {
    for (const { file } of this.#segments) await rm(join(this.#deps.folder, file), { force: true });
  }

  async #begin(day: string, firstId: number): Promise<Gathered> {
    const name = `staged-${firstId}`;
    const file = await this.#deps.storage.scratch(`${name}.ndjson`);
    return { day, name, file, rows: 0, lastTime: Number.NEGATIVE_INFINITY, isSorted: true };
  }

  /** Resolves when the segment before is written; this one follows in the background. */
  async #write(gathered: Gathered): Promise<void> {
    await this.#writing;
    this.#gathered.delete(gathered.day);
    this.#writing = this.#seal(gathered).finally(() => gathered.file[Symbol.asyncDispose]());
    // The next await of it rejects.
    this.#writing.catch(() => undefined);
  }

  async #seal({ day, name, file, isSorted }: Gathered): Promise<void> {
    const { storage, folder, batches } = this.#deps;
    // The registry may learn more while they are written.
    const columns = new Map(batches.registry.columns);
    const source = linesSource(file.path, this.#spec.layout, columns);
    const content = { source, names: columns.keys(), isSorted };
    const target = { day, name: `${name}.parquet`, codec: CODECS[this.#spec.compression] };
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

/** Where records stand among those that were given. */
type Places = number[] | { readonly from: number; readonly to: number };

/** The same records, those of each day for themselves. */
function* byDay(given: readonly LogRecord[] | RecordRun, days: Days): Generator<OfDay> {
  if (!('count' in given)) {
    const dayOf = (place: number) => days.of(given[place]?.time ?? 0).name;
    for (const [day, places] of Map.groupBy(given.keys(), dayOf)) {
      yield { day, batch: places.flatMap((place) => given[place] ?? []), places };
    }
    return;
  }
  for (let from = 0; from < given.count; ) {
    const { name: day, begins, ends } = days.of(given.times[from] ?? 0);
    let to = from + 1;
    for (; to < given.count; to += 1) {
      const time = given.times[to] ?? 0;
      if (time < begins || time >= ends) break;
    }
    yield { day, batch: partOf(given, from, to), places: { from, to } };
    from = to;
  }
}

interface OfDay {
  readonly day: string;
  readonly batch: readonly LogRecord[] | RecordRun;
  readonly places: Places;
}

function partOf(run: RecordRun, from: number, to: number): RecordRun {
  if (from === 0 && to === run.count) return run;
  return {
    ...run,
    count: to - from,
    begins: run.begins.subarray(from, to),
    ends: run.ends.subarray(from, to),
    times: run.times.subarray(from, to),
    records: () => run.records().slice(from, to),
  };
}

function note(gathered: Gathered, times: Iterable<number> & { readonly length: number }): void {
  for (const time of times) {
    if (time < gathered.lastTime) gathered.isSorted = false;
    gathered.lastTime = time;
  }
  gathered.rows += times.length;
}
