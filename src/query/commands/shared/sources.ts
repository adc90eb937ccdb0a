// The shared part of `table` and `fulltext`: options, table names and time range of a scan.

import {
  about,
  duration,
  flag,
  instantOf,
  oneOf,
  orElse,
  time,
  type WrittenTime,
  whole,
  withoutEffect,
} from '#query/language/option-readers.ts';
import { type Column, column, type Overflow, type Rows, SERVICE_COLUMNS } from '#query/model/columns.ts';
import { type Duration, durationText } from '#query/model/durations.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { TimeRange } from '#query/model/times.ts';
import { after, before } from '#query/model/times.ts';
import { unified } from '#query/model/values.ts';
import { mayHoldBeside, type TableSource } from '#query/plan-nodes/shared/scans.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';
import type { WindowScan } from '#query/plan-nodes/window.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { OPTION_SUMMARIES } from './option-summaries.ts';
import { namedTables, type TableNaming } from './table-parameters.ts';
import { type TableSpec, tablesOf } from './table-specs.ts';

export const scanOptions = {
  duration: about(duration, OPTION_SUMMARIES.duration),
  from: about(time, OPTION_SUMMARIES.from),
  to: about(time, OPTION_SUMMARIES.to),
  window: about(duration, {
    en: 'Reads rows as they arrive, for this long.',
    ko: '이 기간 동안 도착하는 행을 읽습니다.',
  }),
  order: about(orElse<'desc' | 'asc'>('desc', oneOf(['desc', 'asc'])), {
    en: 'Newest rows first, or oldest.',
    ko: '최신 행부터 또는 오래된 행부터입니다.',
  }),
  offset: about(orElse(0n, whole(0, 10006)), OPTION_SUMMARIES.offset),
  limit: about(whole(0, 10006), OPTION_SUMMARIES.limit),
  parallel: about(withoutEffect(flag), OPTION_SUMMARIES.parallel),
} as const;

export const SCAN_SYNTAX = '[duration=D | [from=T] [to=T] | window=D] [order=desc] [offset=0] [limit=N] [parallel=f]';

/** A window excludes other ranges (10003), from and to take the place of a duration; a null parameter sets none. */
function checkRanges(planning: CommandPlanning<ScanValues>): void {
  const bound = planning.optionAt('from') ?? planning.optionAt('to');
  const length = planning.optionAt('duration');
  const window = planning.optionAt('window');
  warnUnusedDuration(planning);
  const ranges = [window, bound, length].flatMap((span) => span ?? []).sort((one, other) => one.begin - other.begin);
  if (window && ranges[1]) throw new QueryError(10003, ranges[1]);
}

/** 90908 where from or to takes the place of a duration. */
export function warnUnusedDuration<V extends RangeValues>(planning: CommandPlanning<V>): void {
  const at = (key: keyof RangeValues) => planning.optionAt(key as string & keyof V);
  const length = (at('from') ?? at('to')) && at('duration');
  if (!length) return;
  const { begin } = length;
  planning.warn({ code: 90908, begin, end: begin + 'duration'.length, values: {}, suggestions: [] });
}

/** The options of a range. */
export interface RangeValues extends Bounds {
  readonly duration: Duration | undefined;
}

interface Bounds {
  readonly from: WrittenTime | undefined;
  readonly to: WrittenTime | undefined;
}

export interface ScanValues extends RangeValues {
  readonly window: Duration | undefined;
  readonly order: 'desc' | 'asc' | undefined;
  readonly offset: bigint | undefined;
  readonly limit: bigint | undefined;
}

/** The fields of a scan node without its kind. */
export function scan(
  sources: readonly TableNaming[] | undefined,
  planning: CommandPlanning<ScanValues>,
  { maxEntries = MAX_ENTRIES } = {},
) {
  checkRanges(planning);
  const { order = 'desc', offset = 0n, limit } = planning.options;
  const { specs, isOpen = false } = sources ? namedTables(sources, planning) : {};
  const tables = tablesOf(specs, planning);
  const known = isOpen ? [...tables, UNKNOWN_TABLE] : tables;
  const rows = scanRows(known, { direction: order, showsNode: namesNode(specs), maxEntries }, planning);
  const bounds = { range: scanRange(planning), direction: order, offset, ...(limit === undefined ? {} : { limit }) };
  return { ...planning.planNode(rows), tables, ...bounds, node: planning.queryContext.node };
}

/** All rows of the tables within the range that is written; without one all rows. */
export function wholeScan(specs: readonly TableSpec[] | undefined, planning: CommandPlanning<RangeValues>): TableScan {
  const tables = tablesOf(specs, planning);
  const rows = scanRows(tables, { direction: 'asc', showsNode: false }, planning);
  const { node } = planning.queryContext;
  const bounds = { range: writtenRange(planning), direction: 'asc', offset: 0n } as const;
  return { ...planning.planNode(rows), kind: 'table', tables, ...bounds, node };
}

/** Like `scan`, for rows that arrive after the start. */
export function windowScan(
  sources: readonly TableNaming[] | undefined,
  length: Duration,
  planning: CommandPlanning<ScanValues>,
): WindowScan {
  checkRanges(planning);
  const { offset = 0n, limit } = planning.options;
  const { specs } = sources ? namedTables(sources, planning) : {};
  const { queryContext, context } = planning;
  if (after({ now: queryContext.now, zone: context.zone }, length) === undefined) {
    throw new QueryError(90010, lengthAt('window', planning), { value: durationText(length) });
  }
  const tables = tablesOf(specs, planning).map((table) => ({
    name: table.name,
    columns: table.columns.map(({ name }) => ({ name, type: 'any' as const })),
    isOpen: true,
  }));
  const sequence = planning.hiddenColumn();
  const order = [{ column: sequence, descending: false }];
  const rows = { ...scanRows(tables, { direction: 'asc', showsNode: namesNode(specs) }, planning), order };
  const bounds = { offset, ...(limit === undefined ? {} : { limit }), node: queryContext.node };
  return { ...planning.planNode(rows), kind: 'window', tables, length, sequence, ...bounds };
}

/** Whether some table is written with a node: `_node` is then a column of the result. */
const namesNode = (specs: readonly TableSpec[] | undefined): boolean => specs?.some(({ node }) => node) ?? false;

/** Stands for the tables of a parameter without a value: rows may have any fields. */
const UNKNOWN_TABLE: TableSource = { name: '', columns: [], isOpen: true };

interface ScannedRows {
  readonly direction: 'desc' | 'asc';
  readonly showsNode: boolean;
  readonly maxEntries?: number;
}

function scanRows(
  tables: readonly TableSource[],
  { direction, showsNode, maxEntries = MAX_ENTRIES }: ScannedRows,
  planning: CommandPlanning<unknown>,
): Rows {
  const table = planning.newColumn('_table', 'string');
  const moment = planning.newColumn('_time', 'date');
  const id = planning.newColumn('_id', 'long');
  const node = planning.newColumn('_node', 'string');
  const descending = direction === 'desc';
  const { columns, beside } = declaredColumns(tables, maxEntries, planning);
  const isOpen = beside.length > 0 || tables.some((one) => one.isOpen);
  return {
    columns: [...[table, moment, id], ...(showsNode ? [node] : []), ...columns],
    ...(showsNode ? {} : { unlisted: [node] }),
    ...(isOpen ? { overflow: { id: planning.hiddenColumn(), without: [], ...recordedKeys(tables, beside) } } : {}),
    known: tables.some(isUnwritten) ? 'any' : STORED_NAMES,
    order: [
      { column: moment.id, descending },
      { column: table.id, descending: false },
      { column: id.id, descending },
    ],
  };
}

/** Known behind every driver of stored rows. */
const STORED_NAMES: ReadonlySet<string> = new Set(['line', ...SERVICE_COLUMNS]);

/** Recorded keys that are looked at; of more in all tables together, any name counts as known. */
const MAX_KEYS = 20_000;

const isUnwritten = ({ columns, isOpen }: TableSource) => columns.length === 0 && !isOpen;

function recordedKeys(tables: readonly TableSource[], beside: readonly string[]): Pick<Overflow, 'keys'> {
  const open = tables.filter((table) => table.isOpen);
  const keys = open.flatMap((table) => table.keys ?? []);
  const count = keys.reduce((sum, { size }) => sum + size, beside.length);
  if (keys.length < open.length || count > MAX_KEYS) return {};
  return { keys: new Set([...keys.flatMap((some) => [...some]), ...beside]) };
}

/**
 * Columns of all tables together, times tables: each table has an entry for each column in the statement. Of more the columns
 * that most tables have are columns of the rows, and the values of all others are in the overflow.
 */
const MAX_ENTRIES = 20_000;

/** Where each entry is a condition, too, which takes DuckDB longer to prepare. */
export const MAX_SEARCHED_ENTRIES = 4000;

interface DeclaredColumns {
  readonly columns: readonly Column[];
  /** Names of the others, which are in the overflow. */
  readonly beside: readonly string[];
}

function declaredColumns(
  tables: readonly TableSource[],
  maxEntries: number,
  planning: CommandPlanning<unknown>,
): DeclaredColumns {
  const declared = new Map<string, { type: Column['type']; tables: number; isNumber: boolean }>();
  for (const { columns } of tables) {
    for (const { name, type, isNumber = false } of columns) {
      const known = declared.get(name) ?? { type, tables: 0, isNumber: true };
      known.type = unified(known.type, type);
      known.tables += 1;
      known.isNumber &&= isNumber;
      declared.set(name, known);
    }
  }
  const listed = mostCommon(declared, Math.floor(maxEntries / tables.length));
  const open = tables.filter((table) => table.isOpen);
  // What lies beside the declared columns of a table has any type.
  const isBeside = (name: string) => open.some((table) => mayHoldBeside(table, name));
  const columns = [...listed].map(([name, { type, isNumber }]) => {
    const mayBeAny = isBeside(name);
    return {
      ...column(planning.hiddenColumn(), name, mayBeAny ? 'any' : type),
      ...(isNumber && !mayBeAny ? { isNumber: true as const } : {}),
    };
  });
  return { columns, beside: [...declared.keys()].filter((name) => !listed.has(name)) };
}

/** So many of them, in their order. */
function mostCommon<C extends { readonly tables: number }>(
  declared: ReadonlyMap<string, C>,
  count: number,
): ReadonlyMap<string, C> {
  if (declared.size <= count) return declared;
  const byTables = [...declared].sort(([, one], [, other]) => other.tables - one.tables).slice(0, count);
  const kept = new Set(byTables.map(([name]) => name));
  return new Map([...declared].filter(([name]) => kept.has(name)));
}

function scanRange(planning: CommandPlanning<ScanValues>): TimeRange {
  const { duration: length, from, to } = planning.options;
  const { range } = planning.queryContext;
  return !length && !from && !to && range ? range : writtenRange(planning);
}

/** The range that the options give. */
export function writtenRange(planning: CommandPlanning<RangeValues>): TimeRange {
  const { duration: length, from, to } = planning.options;
  const { queryContext, context } = planning;
  if (length && !from && !to) {
    const begin = before({ now: queryContext.now, zone: context.zone }, length);
    if (begin === undefined)
      throw new QueryError(90010, lengthAt('duration', planning), { value: durationText(length) });
    return { from: begin, to: queryContext.now };
  }
  return timeRange({ from, to }, planning) ?? NO_TIME;
}

/** The span of the option's value. */
function lengthAt<V extends RangeValues>(key: 'duration' | 'window', planning: CommandPlanning<V>): Span {
  const option = planning.optionAt(key as string & keyof V);
  return option ? { begin: option.begin + key.length + 1, end: option.end } : planning.span;
}

/** No moment is in it. */
const NO_TIME: TimeRange = {
  from: Temporal.Instant.fromEpochMilliseconds(0),
  to: Temporal.Instant.fromEpochMilliseconds(0),
};

/** Undefined for an empty or reversed range: 10004 where both ends are written, else the warning 90916. */
export function timeRange({ from, to }: Bounds, planning: CommandPlanning<Bounds>): TimeRange | undefined {
  const { zone } = planning.context;
  const range = { ...bound('from', from, zone), ...bound('to', to, zone) } as TimeRange;
  if (range.from && range.to && Temporal.Instant.compare(range.from, range.to) >= 0) {
    if (!planning.isGiven('from') && !planning.isGiven('to')) throw new QueryError(10004, planning.span);
    const { begin } = planning.optionAt('from') ?? planning.span;
    planning.warn({ code: 90916, begin, end: begin + 'from'.length, values: {}, suggestions: [] });
    return undefined;
  }
  return range;
}

function bound(key: string, written: WrittenTime | undefined, zone: string): Record<string, Temporal.Instant> {
  const instant = written && instantOf(written, zone);
  return instant ? { [key]: instant } : {};
}
