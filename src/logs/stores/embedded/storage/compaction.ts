// Compaction of one table, beside its sealing and its readers: a merge reads files that never change, and only the switch of the
// catalog waits for its turn. A merge whose segments were removed meanwhile is given up.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { isExhausted } from '#logs/runs/duckdb/exhausted.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { redactingInstance } from '#logs/runs/duckdb/redacting-instance.ts';
import type { ColumnRegistry, StoredColumns } from '#logs/stores/shared/columns.ts';
import type { Segment } from './catalog.ts';
import { merge } from './merge.ts';
import { type DayState, ENCRYPTED_SIZES, isFormer, PLAIN_SIZES, selectMerge } from './merge-selection.ts';
import type { SegmentStorage } from './segment-storage.ts';
import type { Sealing } from './table.ts';

/** Segments that could not be merged are tried again after a while. */
const RETRY_MS = 3_600_000;

interface CompactionDeps {
  readonly spec: TableSpec;
  readonly storage: SegmentStorage;
  readonly folder: string;
  readonly clock: Clock;
  readonly sealing: Sealing;
  /** As they are now. */
  segments(): readonly Segment[];
  columns(): StoredColumns;
  readonly registry: ColumnRegistry;
  /** Whether a day has fresh records. */
  isFresh(day: string): boolean;
  /** Keeps the files of segments until it is disposed of. */
  hold(): Disposable;
  /** False where a segment is gone, with nothing changed. */
  replace(from: readonly Segment[], into: Segment): Promise<boolean>;
}

/** One round of compaction of all tables. */
export interface CompactionRound {
  /** Resting days before this one become dense. */
  readonly denseBefore: string | undefined;
  /** Whether segments of earlier forms are written again. */
  readonly takesForm: boolean;
  /** No segment of a day is of an earlier form any more. */
  onRewritten(): void;
  /** The instance that merges run on. */
  instance(isSecret: boolean): Promise<Instance>;
}

export class Compaction {
  readonly #deps: CompactionDeps;
  /** Epoch milliseconds by day. */
  readonly #writtenAt = new Map<string, number>();
  readonly #retryAt = new WeakMap<Segment, number>();

  constructor(deps: CompactionDeps) {
    this.#deps = deps;
  }

  /** New records of days; before that a day counts as resting. */
  onWritten(segments: readonly Segment[]): void {
    for (const { day } of segments) this.#writtenAt.set(day, this.#now);
  }

  /** Resolves to whether there was anything to merge. */
  async run(round: CompactionRound): Promise<boolean> {
    const { spec, storage, folder, registry, segments, columns, hold, replace } = this.#deps;
    using _held = hold();
    const open = segments().filter((segment) => (this.#retryAt.get(segment) ?? 0) <= this.#now);
    const sizes = storage.isSecret ? ENCRYPTED_SIZES : PLAIN_SIZES;
    const selected = selectMerge(open, sizes, (day) => this.#stateOf(day, round));
    if (!selected) return false;
    const merging = await round.instance(storage.isSecret);
    const instance = storage.isSecret ? redactingInstance(merging, spec.name) : merging;
    const parts = { storage: { ...storage, instance }, folder, spec, columns: columns(), registry };
    const into = await merge(selected, parts).catch((error) => this.#postpone(selected.from, error));
    if (!into) return true;
    if (await replace(selected.from, into)) {
      if (selected.from.some(isFormer) && !this.#isFormer(into.day)) round.onRewritten();
      return true;
    }
    await rm(join(folder, into.file), { force: true });
    return false;
  }

  #isFormer(day: string): boolean {
    return this.#deps.segments().some((segment) => segment.day === day && isFormer(segment));
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #stateOf(day: string, { denseBefore, takesForm }: CompactionRound): DayState {
    const { sealing, isFresh, spec } = this.#deps;
    const writtenAt = this.#writtenAt.get(day);
    const isQuiet = writtenAt === undefined || this.#now - writtenAt >= sealing.after.total('milliseconds');
    if (isQuiet) this.#writtenAt.delete(day);
    const isResting = isQuiet && !isFresh(day);
    return {
      isResting,
      isDense: isResting && denseBefore !== undefined && day < denseBefore,
      takesForm: isResting && takesForm && spec.layout !== 'row',
    };
  }

  /** Corruption was reported where it was found; a merge that found no room is no failure. */
  #postpone(segments: readonly Segment[], error: unknown): undefined {
    for (const segment of segments) this.#retryAt.set(segment, this.#now + RETRY_MS);
    if (!(error instanceof ApiError) && !isExhausted(error)) throw error;
  }
}
