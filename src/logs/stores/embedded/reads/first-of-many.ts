// Which of many tables have the first records of their scan. A statement takes time for each table that it reads, whatever it
// reads of it, so the times of all records are looked at first, and only tables with some of the first are read.

import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { boundFor, isReached, type TimedRows, type Wanted } from '#logs/runs/tables/timed-rows.ts';
import { type Stored, timesSource } from '#logs/stores/embedded/storage/records.ts';
import { blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { HotRows } from '#logs/stores/embedded/storage/snapshot.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import type { TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import { type RowRange, segmentsOf } from './row-ranges.ts';
import { boundConditions, boundsOf } from './time-conditions.ts';

/** Fewer tables are read as quickly as their times. */
export const MANY_TABLES = 16;

/** Of more records the times are not looked at beforehand. */
const MAX_RECORDS = 10_000;

/** Records of one table. */
export interface TableRows {
  readonly name: string;
  readonly table: LogTable;
  readonly ranges: readonly RowRange[];
  readonly hotTables: readonly HotRows[];
}

/** What is read of one table. */
export interface TableRead extends TableRows {
  readonly select: TableSelect;
  readonly stored: Stored;
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
export type HotSource = (table: string, hot: HotRows) => string;

/** Of the tables of one scan no more than its first records need; all where any may matter. */
export async function readsOfFirst(
  reads: readonly TableRead[],
  hotSource: HotSource,
  session: RunSession,
): Promise<readonly TableRead[]> {
  const [one, ...others] = reads;
  if (one === undefined || others.length === 0 || one.select.first === undefined) return reads;
  const { wanted } = one;
  const parts = reads.flatMap(({ ranges, hotTables }): TimedRows[] => [...ranges, ...hotTables]);
  const bound = nearest([boundFor(parts, wanted), ...reads.map((read) => read.bound)], wanted);
  const reached = reads.map((read) => within(read, bound));
  const first = await firstOfMany(reached, { ...wanted, bound }, hotSource, session);
  if (!first) return reached;
  const nothing = { ranges: [], hotTables: [] };
  return reached.map((read) => (first.in.has(read) ? within(read, first.bound) : { ...read, ...nothing }));
}

/** What is wanted of records that lie up to a bound, where one is known. */
export interface WantedWithin extends Wanted {
  readonly bound: number | undefined;
}

/** Undefined for a few tables, or many records. Records of one time are in the order of the names of their tables. */
export async function firstOfMany<T extends TableRows>(
  tables: readonly T[],
  wanted: WantedWithin,
  hotSource: HotSource,
  session: RunSession,
): Promise<FirstRows<T> | undefined> {
  const full = tables.filter(({ ranges, hotTables }) => ranges.length > 0 || hotTables.length > 0);
  if (full.length < MANY_TABLES || wanted.records > MAX_RECORDS) return undefined;
  const byName = full.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  using borrowed = new DisposableStack();
  const fresh: string[] = [];
  const files: { path: string; index: number }[] = [];
  for (const [index, { name, table, ranges, hotTables }] of byName.entries()) {
    const { paths } = borrowed.use(await table.storage.borrow(segmentsOf(ranges)));
    files.push(...paths.map((path) => ({ path, index })));
    fresh.push(...hotTables.map((hot) => `select ${index} as place, _time from ${hotSource(name, hot)}`));
  }
  const sources = [...(files.length > 0 ? [placedTimes(files)] : []), ...fresh];
  const conditions = ['true', ...boundsOf(wanted.range), ...boundConditions(wanted, wanted.bound)].join(' and ');
  const text = `select place, epoch_ms(_time) from (${sources.join(' union all ')}) where ${conditions}
    order by _time ${wanted.order}, place limit ${wanted.records}`;
  const rows = await session.rows({ text, values: [], types: [] }).catch((error) => blamedOnOne(error, full));
  const last = rows.length < wanted.records ? undefined : rows.at(-1);
  return {
    bound: last && Number(last[1]),
    in: new Set(rows.flatMap(([index]) => byName[Number(index)] ?? [])),
  };
}

function placedTimes(files: readonly { readonly path: string; readonly index: number }[]): string {
  const indexes = files.map(({ index }) => index).join(', ');
  return `select ([${indexes}])[file_index::bigint + 1] as place, _time from ${timesSource(files.map(({ path }) => path))}`;
}

/** The bound that leaves the least to read. */
function nearest(bounds: readonly (number | undefined)[], { order }: Wanted): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce((one, other) => (order === 'desc' ? Math.max(one, other) : Math.min(one, other)));
}

interface FirstRows<T> {
  /** The time of the last of them; undefined where there are fewer than are wanted. */
  readonly bound: number | undefined;
  /** The tables that have some of them. */
  readonly in: ReadonlySet<T>;
}

async function blamedOnOne(error: unknown, tables: readonly TableRows[]): Promise<never> {
  for (const { table, ranges } of tables) {
    const cause = await blamed(error, table.storage, segmentsOf(ranges));
    if (cause !== error) throw cause;
  }
  throw error;
}
