// Records that become part of a table together. They are gathered in a file of lines, which DuckDB reads quicker than any
// other form, and written as segments that no catalog names; the commit names them all in one transaction. What a crash
// leaves is swept when the table is opened again.

import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Segment, UnknownOutcome } from '#engines/catalog.ts';
import type { Alongside, LogRecord, RecordRun, Staging, TableSpec } from '#engines/engine.ts';
import type { Days } from '#kernel/days.ts';
import type { Batches } from './batch.ts';
import { HotTable, linesSource } from './hot-table.ts';
import type { Duck } from './instance.ts';
import { dayRanges, sealed, segmentFrom } from './rewrite.ts';

/** Records of one set of segments. */
const GATHERED_MOST = 250_000;

export interface StagingParts {
  readonly duck: Duck;
  readonly days: Days;
  readonly folder: string;
  readonly batches: Batches;
  /** Reserves ids, and gives the first of them. */
  takeIds(count: number): number;
  /** Makes the segments part of the table. */
  commit(segments: readonly Segment[], alongside: Alongside): Promise<void>;
  ended(): void;
}

/** Records gathered for one set of segments. */
interface Gathered {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly days: Set<string>;
  rows: number;
  lastTime: number;
  isSorted: boolean;
}

export class TableStaging implements Staging {
  readonly #spec: TableSpec;
  readonly #parts: StagingParts;
  readonly #segments: Segment[] = [];
  #gathered: Gathered | undefined;
  /** What is written while the next records are gathered. */
  #writing: Promise<void> = Promise.resolve();
  /** One step after another. */
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(spec: TableSpec, parts: StagingParts) {
    this.#spec = spec;
    this.#parts = parts;
  }

  add(given: readonly LogRecord[] | RecordRun): Promise<void> {
    return this.#step(async () => {
      const count = 'count' in given ? given.count : given.length;
      if (count === 0) return;
      const firstId = this.#parts.takeIds(count);
      const lines = await this.#linesOf(given, firstId);
      this.#gathered ??= await this.#begin(firstId);
      await this.#gathered.file.appendFile(lines);
      note(this.#gathered, 'count' in given ? given.times : given.map(({ time }) => time), this.#parts.days);
      if (this.#gathered.rows >= GATHERED_MOST) await this.#write();
    });
  }

  async #linesOf(given: readonly LogRecord[] | RecordRun, firstId: number): Promise<string | Buffer> {
    const { batches } = this.#parts;
    const lines = 'count' in given ? batches.runLines(given, firstId) : undefined;
    return lines ?? (await batches.frame('count' in given ? given.records() : given, firstId)).text;
  }

  async commit(alongside: Alongside): Promise<void> {
    await this.#step(async () => {
      await this.#write();
      await this.#writing;
      this.#end();
      try {
        await this.#parts.commit(this.#segments, alongside);
      } catch (error) {
        // What is in doubt may be part of the table: it is left for the next start.
        if (!(error instanceof UnknownOutcome)) await this.#removeSegments();
        throw error;
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#work;
    await this.#writing.catch(() => undefined);
    if (this.#gathered) await closed(this.#gathered);
    await this.#removeSegments();
  }

  async #removeSegments(): Promise<void> {
    for (const { file } of this.#segments) await rm(join(this.#parts.folder, file), { force: true });
  }

  async #begin(firstId: number): Promise<Gathered> {
    const name = `staged-${firstId}`;
    const path = join(this.#parts.folder, `${name}.ndjson`);
    const file = await open(path, 'ax', 0o600);
    return { name, path, file, days: new Set(), rows: 0, lastTime: Number.NEGATIVE_INFINITY, isSorted: true };
  }

  /** Resolves when the former records are written; these follow in the background. */
  async #write(): Promise<void> {
    await this.#writing;
    const gathered = this.#gathered;
    if (!gathered) return;
    this.#gathered = undefined;
    this.#writing = this.#seal(gathered).finally(() => closed(gathered));
    // Whoever awaits it next is told.
    this.#writing.catch(() => undefined);
  }

  async #seal({ name, path, days, isSorted }: Gathered): Promise<void> {
    const { duck, folder } = this.#parts;
    const source = this.#sourceOf(path);
    const [day, ...others] = days;
    const parts = { duck, folder, spec: this.#spec };
    if (day !== undefined && others.length === 0) {
      this.#segments.push(await segmentFrom({ source, isSorted }, day, `${name}.parquet`, parts));
      return;
    }
    const hot = await HotTable.from(duck, `${this.#spec.id}_${name}`, source, this.#spec.layout);
    try {
      this.#segments.push(...(await sealed(hot, { ...parts, ranges: dayRanges(days, this.#parts.days), name })));
    } finally {
      await hot.drop();
    }
  }

  #sourceOf(path: string): string {
    return linesSource(path, this.#spec.layout, this.#parts.batches.registry.columns);
  }

  #end(): void {
    this.#isOver = true;
    this.#parts.ended();
  }

  #step(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => {
      if (this.#isOver) throw new Error('the staging is over');
      return work();
    });
    this.#work = done.catch(() => undefined);
    return done;
  }
}

function note(gathered: Gathered, times: Iterable<number> & { readonly length: number }, days: Days): void {
  for (const time of times) {
    if (time < gathered.lastTime) gathered.isSorted = false;
    gathered.lastTime = time;
    gathered.days.add(days.of(time).name);
  }
  gathered.rows += times.length;
}

async function closed({ file, path }: Gathered): Promise<void> {
  await file.close();
  await rm(path, { force: true });
}
