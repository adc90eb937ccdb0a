// Segments of a table that leave for another place, or come from one: each change of the catalog is one unit together with what the
// other place writes in it.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Alongside, TableGone, type TableSpec } from '#logs/log-store.ts';
import type { ColumnRegistry, StoredColumns } from '#logs/stores/shared/columns.ts';
import { furthest } from '#logs/stores/shared/source-offsets.ts';
import type { CatalogSwitch, Segment } from './catalog.ts';
import type { RecordIds } from './record-ids.ts';
import { segmentFrom } from './rewrite.ts';
import type { SealedSegments } from './sealed-segments.ts';
import { CODECS } from './segment-file.ts';
import type { SegmentStorage } from './segment-storage.ts';
import type { TableDeps } from './table.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

interface MovingSegmentsDeps extends Pick<TableDeps, 'switchCatalog'> {
  readonly spec: TableSpec;
  readonly storage: SegmentStorage;
  readonly folder: string;
  readonly registry: ColumnRegistry;
  readonly sealed: SealedSegments;
  readonly ids: RecordIds;
  /** Of sealed records. */
  readonly offsets: Map<string, number>;
  /** The change that adds segments. */
  learnt(added: readonly Segment[]): CatalogSwitch;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Records of one day that came from another place. */
interface ArrivedRows {
  readonly day: string;
  /** Of the file: no other one has it. */
  readonly name: string;
  /** A SELECT, in the order of times. */
  readonly source: string;
  readonly rows: number;
  readonly columns: StoredColumns;
}

export class MovingSegments {
  readonly #deps: MovingSegmentsDeps;
  #leaving: ReadonlySet<Segment> = new Set();

  constructor(deps: MovingSegmentsDeps) {
    this.#deps = deps;
  }

  /** Those that may be merged. */
  get resting(): readonly Segment[] {
    return this.#deps.sealed.all.filter((segment) => !this.#leaving.has(segment));
  }

  /** Days of sealed records, newest first. */
  get days(): readonly string[] {
    return [...new Set(this.#deps.sealed.all.map(({ day }) => day))].sort().reverse();
  }

  get lastId(): number {
    return this.#deps.ids.last;
  }

  /** The segments of a day, which stay as they are until it is disposed of, unless the day is removed. */
  hold(day: string): Disposable & { readonly segments: readonly Segment[] } {
    const segments = this.#deps.sealed.all.filter((segment) => segment.day === day);
    const held = this.#deps.sealed.hold();
    this.#leaving = new Set(segments);
    return {
      segments,
      [Symbol.dispose]: () => {
        this.#leaving = new Set();
        held[Symbol.dispose]();
      },
    };
  }

  /** Ids go on behind this one, and sources where they were read up to. */
  async adopt(from: { lastId: number; offsets: ReadonlyMap<string, number> }, alongside: Alongside): Promise<void> {
    const { ids, offsets, learnt, exclusively } = this.#deps;
    ids.upTo(from.lastId);
    await exclusively(async () => {
      await this.#switch({ ...learnt([]), lastId: from.lastId, offsets: from.offsets }, alongside);
      for (const [source, position] of furthest([offsets, from.offsets])) offsets.set(source, position);
    });
  }

  /** False where a segment is gone, with nothing changed. */
  async leave(removed: readonly Segment[], alongside: Alongside): Promise<boolean> {
    const { exclusively, sealed } = this.#deps;
    return await exclusively(() => sealed.replace({ added: [], removed }, alongside));
  }

  /** A segment that no catalog names yet; a crash leaves a file that is swept. */
  async write({ day, name, source, rows, columns }: ArrivedRows): Promise<Segment> {
    const { spec } = this.#deps;
    const content = { source, rows, recordBytes: null, names: columns.keys(), leafNames: NO_NAMES, isSorted: true };
    const target = { day, name: `${name}.parquet`, codec: CODECS[spec.compression], form: 0 as const };
    return await segmentFrom(content, target, { ...this.#deps, columns });
  }

  async discard(segments: readonly Segment[]): Promise<void> {
    for (const { file } of segments) await rm(join(this.#deps.folder, file), { force: true });
  }

  async arrive(added: readonly Segment[], alongside: Alongside): Promise<void> {
    const { exclusively, sealed, learnt } = this.#deps;
    await exclusively(async () => {
      await this.#switch(learnt(added), alongside);
      sealed.add(added);
    });
  }

  async #switch(change: CatalogSwitch, alongside: Alongside): Promise<void> {
    const { switchCatalog, spec } = this.#deps;
    if (!(await switchCatalog(change, alongside))) throw new TableGone(spec.name);
  }
}
