// Statements over the rows of one table that a run may see.

import type { ParamValue } from '#engines/clickhouse/server/params.ts';
import { tableName } from '#engines/clickhouse/storage/layout.ts';
import type { ClickhouseTable } from '#engines/clickhouse/storage/table.ts';
import type { Condition } from '#engines/clickhouse/storage/visibility.ts';
import { millisecondsOf } from '#engines/duckdb/reads/segment-selection.ts';
import type { Borrowing } from '#engines/duckdb/runs/borrowing.ts';
import type { Columns } from '#engines/duckdb/storage/columns.ts';
import type { TimeRange } from '#engines/engine.ts';
import type { TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Wanted } from './fetches.ts';
import { pushedFilter } from './pushed-filter.ts';
import { boundsOf, rangeParams, selectList } from './stored-rows.ts';

/** A table as a run sees it. */
interface SeenTable {
  readonly table: ClickhouseTable;
  /** Those that records are stored under; none in a table of the layout of rows. */
  readonly columns: Columns;
  readonly where: { readonly text: string; readonly params: Readonly<Record<string, ParamValue>> };
}

/** A question about the rows of a table between times. */
export interface Asked {
  readonly what: string;
  readonly range: TimeRange;
  readonly filter?: Condition | undefined;
  readonly tail?: string | undefined;
}

/** The rows of a scan that a statement reads. */
export function wantedOf(source: TableSelect, columns: Columns, { bounds, needs }: Borrowing): Wanted {
  const { reads, first: rows, scan, table } = source;
  return {
    range: millisecondsOf(bounds.get(scan) ?? scan.range),
    first: rows === undefined ? '' : `order by _time ${scan.direction} limit ${rows} with ties`,
    reads,
    filter: rows === undefined ? pushedFilter(needs.get(scan), { source: table, columns }) : undefined,
  };
}

export function fetchStatement(seen: SeenTable, { range, first, reads, filter }: Wanted): Condition {
  return askStatement(seen, { what: selectList(seen.columns, reads), range, filter, tail: first });
}

export function askStatement({ table, where }: SeenTable, { what, range, filter, tail = '' }: Asked): Condition {
  const conditions = [where.text, ...boundsOf(range), ...(filter ? [filter.text] : [])].join(' and ');
  const text = `select ${what} from ${tableName(table.spec.id)} where ${conditions} ${tail}`.trimEnd();
  return { text, params: { ...where.params, ...rangeParams(range), ...filter?.params } };
}
