// The generations of a table, oldest first; the last one takes appends, those before it are being sealed. A journal that
// turns out damaged when it is read back is no generation: it stays as it is, its records are in no segment, and the
// catalog is told not to take it for sealed.

import { basename } from 'node:path';
import type { ApiError } from '#contract/errors.ts';
import type { CatalogSwitch, TableCatalog } from '#engines/catalog.ts';
import type { SegmentStorage } from '#engines/duckdb/protection/segment-storage.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { BatchFacts } from './batch.ts';
import { Generation } from './generation.ts';
import { journalPath, journalsIn, removeJournal } from './journal.ts';
import { type Frame, readJournal } from './journal-frames.ts';

export interface GenerationsParts {
  readonly keeping: SegmentStorage;
  readonly folder: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Learns what there is to learn from a frame that a former process left. */
  examine(frame: Frame): BatchFacts;
  /** Ids up to this one may have been given. */
  idsUpTo(id: number): void;
  /** Makes the answer for a damaged file. */
  damaged(file: string): ApiError;
}

export class Generations {
  readonly #spec: TableSpec;
  readonly #parts: GenerationsParts;
  #all: readonly Generation[] = [];
  #damaged: readonly number[] = [];
  #journalFrom = 0;

  constructor(spec: TableSpec, parts: GenerationsParts) {
    this.#spec = spec;
    this.#parts = parts;
  }

  /** Reads back what a former process left, and begins a new generation where none takes appends. */
  async recover({ journalFrom, leftJournals }: TableCatalog): Promise<void> {
    const { folder } = this.#parts;
    this.#journalFrom = journalFrom;
    for (const number of await journalsIn(folder)) {
      const isSealed = number < journalFrom && !leftJournals.includes(number);
      if (isSealed) await removeJournal(folder, number);
      else await this.#open(number);
    }
    const next = Math.max(journalFrom, ...this.#damaged.map((number) => number + 1));
    if (!this.newest || this.newest.number < next) await this.#open(next);
  }

  get all(): readonly Generation[] {
    return this.#all;
  }

  get newest(): Generation | undefined {
    return this.#all.at(-1);
  }

  /** Refuses while records are missing. */
  requireWhole(): void {
    const [number] = this.#damaged;
    if (number !== undefined) throw this.#corruptJournal(number);
  }

  /** Begins a new one unless the newest is empty. */
  async rotate(): Promise<void> {
    if (this.newest && this.newest.rows > 0) await this.#open(this.newest.number + 1);
  }

  /** What the catalog must say of journals when this generation is sealed. */
  changeFor({ number }: Generation): Required<Pick<CatalogSwitch, 'journalFrom' | 'leftJournals'>> {
    // One that was damaged and is whole again comes after its successors.
    const journalFrom = Math.max(this.#journalFrom, number + 1);
    const waiting = this.#all.map((one) => one.number).filter((one) => one !== number && one < journalFrom);
    return { journalFrom, leftJournals: [...this.#damaged, ...waiting] };
  }

  /** The catalog has been switched: from this moment on its records are read from segments. */
  leave(generation: Generation): void {
    this.#journalFrom = this.changeFor(generation).journalFrom;
    this.#all = this.#all.filter((one) => one !== generation);
  }

  async #open(number: number): Promise<void> {
    const { keeping, folder, now, ...parts } = this.#parts;
    const journalName = `${this.#spec.id} ${number}`;
    const content = await readJournal(journalPath(folder, number), keeping.framing(number), journalName);
    if ('idsUpTo' in content) {
      this.#parts.idsUpTo(content.idsUpTo);
      this.#damaged = [...this.#damaged, number];
      // For the log: whoever reads is told again.
      this.#corruptJournal(number);
      return;
    }
    const own = { number, journalName, content, duck: keeping.duck, folder, begun: now() };
    const generation = await Generation.open(this.#spec, { ...parts, ...own });
    // Another one may have left meanwhile.
    this.#all = [...this.#all, generation];
  }

  #corruptJournal(number: number): ApiError {
    return this.#parts.damaged(basename(journalPath(this.#parts.folder, number)));
  }
}
