// How much a statement over tables looks at: rows of the ranges that were chosen for it, and the bytes that the columns that it
// reads have in their row groups. Fresh records are in memory and have no bytes on disk.

import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { rowsOf } from '#logs/runs/tables/timed-rows.ts';
import type { HotRows } from '#logs/stores/embedded/storage/snapshot.ts';
import type { TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { type RowRange, segmentsOf } from './row-ranges.ts';

interface ReadParts {
  readonly ranges: readonly RowRange[];
  /** Of the segments of the ranges. */
  readonly borrowed: { readonly paths: readonly string[] };
  readonly hotTables: readonly HotRows[];
}

/** Files in one statement. */
const MAX_FILES = 500;

export async function measured(found: readonly (readonly [TableSelect, ReadParts])[], session: RunSession) {
  let rows = 0;
  let bytes = 0;
  for (const [{ reads }, { ranges, borrowed, hotTables }] of found) {
    rows += Number(rowsOf([...ranges, ...hotTables]));
    const byFile = Map.groupBy(ranges, ({ segment }) => segment);
    const files = segmentsOf(ranges).map((segment, at) => ({
      path: borrowed.paths[at] ?? '',
      ranges: byFile.get(segment) ?? [],
    }));
    for (let from = 0; from < files.length; from += MAX_FILES) {
      await eventLoop.nextSlot();
      const some = files.slice(from, from + MAX_FILES);
      bytes += Number(await session.value(columnBytes(some, reads), { isLasting: true }));
    }
  }
  return { rows, bytes };
}

interface ReadFile {
  readonly path: string;
  readonly ranges: readonly RowRange[];
}

/** A row group is read as a whole where a range touches it. */
function columnBytes(files: readonly ReadFile[], { columns, hasRest }: TableSelect['reads']): string {
  const names = ['_time', ...columns, ...(hasRest ? ['_rest', '_doc'] : [])];
  const read = names.map(quotedText).join(', ');
  const ranges = files.flatMap(({ path, ranges: own }) =>
    own.map(({ from, rows }) => `(${quotedText(path)}, ${from}, ${from + rows})`),
  );
  return `with groups as (
    select file_name, row_group_id, any_value(row_group_num_rows) as size,
      sum(total_compressed_size) filter (where path_in_schema in (${read})) as bytes
    from parquet_metadata([${files.map(({ path }) => quotedText(path)).join(', ')}]) group by all),
  placed as (select *, sum(size) over (partition by file_name order by row_group_id) - size as begins from groups),
  ranges(path, begins, ends) as (values ${ranges.join(', ')})
  select coalesce(sum(bytes), 0)::bigint from placed where exists (select 1 from ranges
    where path = file_name and ranges.begins < placed.begins + size and ranges.ends > placed.begins)`;
}
