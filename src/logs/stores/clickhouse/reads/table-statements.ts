// Statements over the rows of one table that a run may see.

import type { TableSpec, TimeRange } from '#logs/log-store.ts';
import type { Borrowing } from '#logs/runs/tables/borrowing.ts';
import { millisecondsOf } from '#logs/runs/tables/timed-rows.ts';
import { tableName } from '#logs/stores/clickhouse/storage/layout.ts';
import { type Condition, EVERY } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import type { TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import { chosenSelect } from './chosen-select.ts';
import type { StoredTable } from './condensed-select.ts';
import type { Wanted } from './fetches.ts';
import { pushedFilter } from './pushed-filter.ts';
import { boundsOf, rangeParams, selectList } from './stored-rows.ts';

/** A table as a run sees it. */
interface SeenTable {
  readonly table: { readonly spec: Pick<TableSpec, 'id'> };
  /** Those that records are stored under; none in a table of the layout of rows. */
  readonly columns: Columns;
  readonly where: Condition;
}

/** A question about the rows of a table between times. */
export interface Asked {
  readonly what: string;
  readonly range: TimeRange;
  readonly filter?: Condition | undefined;
  readonly tail?: string | undefined;
}

/** The rows of a scan that a statement reads. */
export function wantedOf(source: TableSelect, stored: StoredTable, borrowing: Borrowing): Wanted {
  const { reads, first: rows, scan } = source;
  const { bounds, needs, chosen, facts } = borrowing;
  const all = { range: millisecondsOf(bounds.get(scan) ?? scan.range), reads };
  const own = chosen.get(scan);
  const select = own && chosenSelect(own, stored, facts);
  const more =
    rows === undefined
      ? { first: '', filter: pushedFilter(needs.get(scan), stored), isOfEach: false }
      : { first: `order by _time ${scan.direction} limit ${rows} with ties`, filter: undefined, isOfEach: false };
  return select ? { ...all, ...select, instead: more } : { ...all, ...more };
}

/** A statement over rows of a table between times, written for what a run may see of them. */
export interface TableStatement {
  readonly range: TimeRange;
  write(where: Condition): Condition;
}

export const fetching = (seen: SeenTable, wanted: Wanted): TableStatement => ({
  range: wanted.range,
  write: (where) => fetchStatement({ ...seen, where: where === EVERY && wanted.first ? ANY_TIME : where }, wanted),
});

/** For the first rows of all: without a condition ClickHouse reads whole blocks of every column, which takes three times as long. */
const ANY_TIME: Condition = { text: '_time >= -8640000000000000', params: {} };

export const asking = (seen: SeenTable, asked: Asked): TableStatement => ({
  range: asked.range,
  write: (where) => askStatement({ ...seen, where }, asked),
});

export function fetchStatement(seen: SeenTable, { range, first, reads, filter, isOfEach }: Wanted): Condition {
  const what = selectList(seen.columns, reads);
  if (!isOfEach) return askStatement(seen, { what, range, filter, tail: first });
  // The rows are found by few columns: the others are read of these rows alone.
  const { text, params } = askStatement(seen, { what: '_time, _id', range, filter, tail: first });
  // Hidden copies may have the same ids.
  return {
    text: `select ${what} from ${tableName(seen.table.spec.id)} where ${seen.where.text} and (_time, _id) in (${text})`,
    params,
  };
}

function askStatement({ table, where }: SeenTable, { what, range, filter, tail = '' }: Asked): Condition {
  const conditions = [where.text, ...boundsOf(range), ...(filter ? [filter.text] : [])].join(' and ');
  const text = `select ${what} from ${tableName(table.spec.id)} where ${conditions} ${tail}`.trimEnd();
  return { text, params: { ...where.params, ...rangeParams(range), ...filter?.params } };
}
