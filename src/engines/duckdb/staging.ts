// Records that become part of a table together. They are gathered in memory and written as segments that no catalog
// names; the commit names them all in one transaction. What a crash leaves is swept when the table is opened again.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Segment, UnknownOutcome } from '#engines/catalog.ts';
import type { Alongside, LogRecord, Staging, TableSpec } from '#engines/engine.ts';
import type { Days } from '#kernel/days.ts';
import type { Batches, BatchFacts } from './batch.ts';
import { HotTable } from './hot-table.ts';
import type { Duck } from './instance.ts';
import { dayRanges, sealed } from './rewrite.ts';

/** What is held in memory at most, in records, before it goes into segments. */
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
  readonly hot: HotTable;
  readonly name: string;
  readonly days: Set<string>;
  rows: number;
}

export class TableStaging implements Staging {
  readonly #spec: TableSpec;
  readonly #parts: StagingParts;
  readonly #segments: Segment[] = [];
  #gathered: Gathered | undefined;
  /** One step after another. */
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(spec: TableSpec, parts: StagingParts) {
    this.#spec = spec;
    this.#parts = parts;
  }

  add(records: readonly LogRecord[]): Promise<void> {
    return this.#step(async () => {
      if (records.length === 0) return;
      const firstId = this.#parts.takeIds(records.length);
      const { text } = await this.#parts.batches.frame(records, firstId);
      await this.#gather(text, firstId, this.#parts.batches.facts(records));
    });
  }

  async commit(alongside: Alongside): Promise<void> {
    await this.#step(async () => {
      await this.#write();
      this.#end();
      try {
        await this.#parts.commit(this.#segments, alongside);
      } catch (error) {
        // What is in doubt may be part of the table: it is left for the next start.
        if (!(error instanceof UnknownOutcome)) await this.#removeFiles();
        throw error;
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#work;
    await this.#gathered?.hot.drop();
    await this.#removeFiles();
  }

  async #removeFiles(): Promise<void> {
    for (const { file } of this.#segments) await rm(join(this.#parts.folder, file), { force: true });
  }

  async #gather(text: string, firstId: number, { rows, days }: BatchFacts): Promise<void> {
    this.#gathered ??= await this.#begin(firstId);
    const gathered = this.#gathered;
    await gathered.hot.insert(text, this.#parts.batches.registry.columns);
    gathered.rows += rows;
    for (const day of days) gathered.days.add(day);
    if (gathered.rows >= GATHERED_MOST) await this.#write();
  }

  async #begin(firstId: number): Promise<Gathered> {
    const { id, layout } = this.#spec;
    const hot = await HotTable.create(this.#parts.duck, `staged_${id}_${firstId}`, layout);
    return { hot, name: `staged-${firstId}`, days: new Set(), rows: 0 };
  }

  async #write(): Promise<void> {
    const gathered = this.#gathered;
    if (!gathered) return;
    const { duck, folder, days } = this.#parts;
    const ranges = dayRanges(gathered.days, days);
    this.#segments.push(
      ...(await sealed(gathered.hot, { duck, folder, spec: this.#spec, ranges, name: gathered.name })),
    );
    this.#gathered = undefined;
    await gathered.hot.drop();
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
