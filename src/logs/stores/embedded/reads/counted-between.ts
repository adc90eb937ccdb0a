// Counts records between times in parts of a table that lie there only in part.

import type { TimeRange } from '#logs/log-store.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { rowsOf } from '#logs/runs/tables/timed-rows.ts';
import type { StageMeter } from '#logs/stage-recorder.ts';
import type { SourceFiles } from '#logs/stores/embedded/storage/records.ts';
import { blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { HotRows } from '#logs/stores/embedded/storage/snapshot.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { MAX_PARTS, type RowRange, segmentsOf, sourceFiles } from './row-ranges.ts';
import { boundsOf } from './time-conditions.ts';

interface PartialRows {
  readonly table: LogTable;
  readonly range: TimeRange;
  readonly ranges: readonly RowRange[];
  readonly hotTables: readonly HotRows[];
}

interface Counting {
  readonly session: RunSession;
  /** A SELECT of the times of records in files and in memory. */
  select(files: SourceFiles & { readonly hotTables: readonly HotRows[] }): string;
  /** Told of the statements, where there are any. */
  metered(): StageMeter | undefined;
}

export async function countBetween(rows: PartialRows, { session, select, metered }: Counting): Promise<bigint> {
  const { table, range, ranges, hotTables } = rows;
  const where = ['true', ...boundsOf(range)].join(' and ');
  const meter = ranges.length > 0 || hotTables.length > 0 ? metered() : undefined;
  meter?.read(Number(rowsOf([...ranges, ...hotTables])), null);
  let total = 0n;
  let fresh = hotTables;
  // A statement with more parts would read rows between them.
  for (let from = 0; from < ranges.length || fresh.length > 0; from += MAX_PARTS, fresh = []) {
    const counted = ranges.slice(from, from + MAX_PARTS);
    using borrowed = await table.storage.borrow(segmentsOf(counted));
    const source = select({ ...sourceFiles(counted, borrowed.paths), hotTables: fresh });
    try {
      total += BigInt(String(await session.value(`select count(*) from (${source}) where ${where}`)));
    } catch (error) {
      throw await blamed(error, table.storage, segmentsOf(counted));
    }
  }
  meter?.ended();
  return total;
}
