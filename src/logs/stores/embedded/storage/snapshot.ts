// The records of a table that a reader sees.

import type { StoredColumns } from '#logs/stores/shared/columns.ts';
import type { Leaves } from '#logs/stores/shared/leaves.ts';
import type { Segment } from './catalog.ts';
import type { Generation } from './generation.ts';

/** Records of one moment: nothing of them is removed before the snapshot is disposed of. */
export interface Snapshot extends Disposable {
  readonly segments: readonly Segment[];
  /** Hot tables with records. */
  readonly hotTables: readonly HotRows[];
  readonly columns: StoredColumns;
  readonly leaves: Leaves;
  /** Whether a statement that began after the snapshot and has ended can have read other fresh records than these. */
  readonly mayDiffer: () => boolean;
}

/** The records of a hot table at the moment of a snapshot. Times are epoch milliseconds. */
export interface HotRows {
  /** As SQL. */
  readonly name: string;
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
  /** Of the records as they came. */
  readonly recordBytes: number;
}

/** The reader holds what the snapshot names until it is disposed of. */
export function snapshotOf(
  segments: readonly Segment[],
  generations: readonly Generation[],
  { columns, leaves, reader }: Pick<Snapshot, 'columns' | 'leaves'> & { readonly reader: Disposable },
): Snapshot {
  const fresh = generations.filter(({ rows }) => rows > 0);
  const changes = fresh.map((generation) => generation.changes());
  return {
    segments,
    hotTables: fresh.map(({ hot: { name }, rows, minTime, maxTime, recordBytes }) => ({
      name,
      rows,
      minTime,
      maxTime,
      recordBytes,
    })),
    columns,
    leaves,
    mayDiffer: () => changes.some((isChanged) => isChanged()),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}
