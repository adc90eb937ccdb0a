// Which of many tables have the first records of their scan. A statement takes time for each table that it reads, whatever it
// reads of it, so the times of all records are looked at first, and only tables with some of the first are read.

import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { boundFor, isReached, type TimedRows, type Wanted } from '#logs/runs/tables/timed-rows.ts';
import { timesSource } from '#logs/stores/embedded/storage/records.ts';
import { blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { HotRows } from '#logs/stores/embedded/storage/snapshot.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import type { TableSelect } from '#query/nodes/shared/compile-context.ts';
import { type RowRange, segmentsOf } from './row-ranges.ts';
import { boundConditions, boundsOf } from './time-conditions.ts';

/** Fewer tables are read as quickly as their times. */
const MANY_TABLES = 16;

/** Of more records the times are not looked at beforehand. */
const MOST_RECORDS = 10_000;

/** What is read of one table. */
export interface TableRead {
  readonly select: TableSelect;
  readonly table: LogTable;
  readonly ranges: readonly RowRange[];
  readonly hotTables: readonly HotRows[];
  readonly wanted: Wanted;
  /** The records up to this moment surely suffice. */
  readonly bound: number | undefined;
}

/** Without what lies wholly behind the bound. */
export function within(read: TableRead, bound: number | undefined): TableRead {
  if (bound === undefined) return read;
  const isKept = (part: TimedRows) => isReached(part, read.wanted.order, bound);
  return { ...read, ranges: read.ranges.filter(isKept), hotTables: read.hotTables.filter(isKept), bound };
}

/** The name of fresh records of a table in a statement. */
type HotSource = (table: string, hot: HotRows) => string;

/** Of the tables of one scan no more than its first records need. */
export async function readsOfFirst(
  reads: readonly TableRead[],
  hotSource: HotSource,
  session: RunSession,
): Promise<readonly TableRead[]> {
  const [one, ...others] = reads;
  if (one === undefined || others.length === 0) return reads;
  const { wanted } = one;
  const parts = reads.flatMap(({ ranges, hotTables }): TimedRows[] => [...ranges, ...hotTables]);
  const bound = nearest([boundFor(parts, wanted), ...reads.map((read) => read.bound)], wanted);
  const reached = reads.map((read) => within(read, bound));
  const full = reached.filter(({ ranges, hotTables }) => ranges.length > 0 || hotTables.length > 0);
  if (full.length < MANY_TABLES || wanted.records > MOST_RECORDS) return reached;
  const first = await firstRows(full, hotSource, session);
  const nothing = { ranges: [], hotTables: [] };
  return reached.map((read) => (first.in.has(read) ? within(read, first.bound) : { ...read, ...nothing }));
}

/** The bound that leaves the least to read. */
function nearest(bounds: readonly (number | undefined)[], { order }: Wanted): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce((one, other) => (order === 'desc' ? Math.max(one, other) : Math.min(one, other)));
}

interface FirstRows {
  /** The time of the last of them; undefined where there are fewer than are wanted. */
  readonly bound: number | undefined;
  /** The reads that have some of them. */
  readonly in: ReadonlySet<TableRead>;
}

/** Records of one time are in the order of the names of their tables. */
async function firstRows(reads: readonly TableRead[], hotSource: HotSource, session: RunSession): Promise<FirstRows> {
  const nameOf = ({ select }: TableRead) => select.table.name;
  const byName = reads.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  using borrowed = new DisposableStack();
  const fresh: string[] = [];
  const files: { path: string; place: number }[] = [];
  for (const [place, read] of byName.entries()) {
    const { paths } = borrowed.use(await read.table.storage.borrow(segmentsOf(read.ranges)));
    files.push(...paths.map((path) => ({ path, place })));
    fresh.push(...read.hotTables.map((hot) => `select ${place} as place, _time from ${hotSource(nameOf(read), hot)}`));
  }
  const places = files.map(({ place }) => place).join(', ');
  const sealed =
    files.length === 0
      ? []
      : [`select ([${places}])[file_index::bigint + 1] as place, _time from ${timesSource(files.map(({ path }) => path))}`];
  const [{ wanted, bound } = {}] = byName;
  if (!wanted) return { bound: undefined, in: new Set() };
  const conditions = ['true', ...boundsOf(wanted.range), ...boundConditions(wanted, bound)].join(' and ');
  const text = `select place, epoch_ms(_time) from (${[...sealed, ...fresh].join(' union all ')}) where ${conditions}
    order by _time ${wanted.order}, place limit ${wanted.records}`;
  const rows = await session.rows({ text, values: [], types: [] }).catch((error) => blamedOnOne(error, reads));
  const last = rows.length < wanted.records ? undefined : rows.at(-1);
  return {
    bound: last && Number(last[1]),
    in: new Set(rows.flatMap(([place]) => byName[Number(place)] ?? [])),
  };
}

async function blamedOnOne(error: unknown, reads: readonly TableRead[]): Promise<never> {
  for (const { table, ranges } of reads) {
    const cause = await blamed(error, table.storage, segmentsOf(ranges));
    if (cause !== error) throw cause;
  }
  throw error;
}
