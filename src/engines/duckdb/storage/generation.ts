// A generation of a table: one journal and the hot table of the same records.

import type { Instance } from '#engines/duckdb/instance/instance.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { BatchFacts } from './batch.ts';
import { HotTable } from './hot-table.ts';
import { Journal, journalPath } from './journal.ts';
import type { Frame, JournalContent } from './journal-frames.ts';

interface GenerationDeps {
  readonly number: number;
  /** Says which journal it is. */
  readonly journalName: string;
  /** Frames that an earlier process wrote. */
  readonly content: JournalContent;
  readonly instance: Instance;
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly begun: number;
  /** Learns columns and figures from a frame that an earlier process wrote. */
  examine(frame: Frame): BatchFacts;
}

export class Generation {
  readonly number: number;
  readonly begun: number;
  readonly hot: HotTable;
  readonly #journal: Journal;
  readonly #days = new Set<string>();
  #rows = 0;
  #minTime = Number.POSITIVE_INFINITY;
  #maxTime = Number.NEGATIVE_INFINITY;
  readonly #offsets = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();
  /** Those that have begun. */
  #appends = 0;
  #closing: Promise<void> | undefined;

  private constructor(deps: { number: number; begun: number; hot: HotTable; journal: Journal }) {
    this.number = deps.number;
    this.begun = deps.begun;
    this.hot = deps.hot;
    this.#journal = deps.journal;
  }

  static async open(spec: TableSpec, deps: GenerationDeps): Promise<Generation> {
    const { number, journalName, content, instance, folder, begun, examine } = deps;
    const hot = await HotTable.create(instance, `hot_${spec.id}_${number}`, spec.layout);
    const journal = await Journal.open(journalPath(folder, number), { name: journalName, ...content });
    const generation = new Generation({ number, begun, hot, journal });
    for (const frame of content.frames) {
      const facts = examine(frame);
      generation.#count(frame, facts);
      await hot.insert(frame.text, facts.columns);
    }
    return generation;
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#journal.sizeBytes;
  }

  get days(): ReadonlySet<string> {
    return this.#days;
  }

  /** Defined only while there are rows. */
  get minTime(): number {
    return this.#minTime;
  }

  get maxTime(): number {
    return this.#maxTime;
  }

  /** How far its records say that sources were read. */
  get offsets(): ReadonlyMap<string, number> {
    return this.#offsets;
  }

  /** Tells whether its hot table may have got records between this call and that of the result. */
  growth(): () => boolean {
    const [begun, isUnderWay] = [this.#appends, this.#pending.size > 0];
    return () => isUnderWay || this.#appends !== begun;
  }

  /** Resolves when the batch is durable and visible. */
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

  /** Resolves when no append is under way any more; none may begin after the call. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#closing ??= this.#journal.close();
    await this.#closing;
  }

  async #append(frame: Frame, facts: BatchFacts): Promise<void> {
    await this.#journal.append(frame);
    try {
      await this.hot.insert(frame.text, facts.columns);
    } catch (error) {
      // Records that were refused must not be there after the next start.
      await this.#journal.withdraw(frame);
      throw error;
    }
    this.#count(frame, facts);
  }

  #count({ offsets }: Frame, { rows, minTime, maxTime, days }: BatchFacts): void {
    this.#rows += rows;
    this.#minTime = Math.min(this.#minTime, minTime);
    this.#maxTime = Math.max(this.#maxTime, maxTime);
    for (const day of days) this.#days.add(day);
    for (const { source, position } of offsets ?? []) {
      this.#offsets.set(source, Math.max(position, this.#offsets.get(source) ?? 0));
    }
  }
}
