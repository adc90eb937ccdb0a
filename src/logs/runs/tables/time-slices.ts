// Rows that come in the order of their times need not be sorted all together: the run takes one slice of time after the
// other. The first rows are there soon, a limit that has its rows ends the scan, and however many rows there are, only those
// of one slice are in memory.

import type { ChosenRows } from '#query/analysis/chosen-rows.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { TimeRange } from '#query/model/times.ts';
import {
  chainTo,
  cutOf,
  inputByRow,
  isVolatileStep,
  preservesCount,
  scanOf,
  subqueriesOf,
  tableScanOf,
} from '#query/plan-nodes/facts.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { RowNeed } from '#query/rules/row-needs.ts';
import type { RowsPage } from '#query/statements/statements.ts';

/** Records of the first slice without a limit: all of them will be read, and every slice costs a statement. */
const FIRST_ROWS_OF_ALL = 400_000;
/** Those of a large file, where a condition leaves some of them out: fewer rows are sorted. */
const FIRST_ROWS_OF_SOME = 1_200_000;
/**
 * With a limit, so many for each row of it that a condition has to find, within bounds: a row group is decompressed as a
 * whole, so some thousands of its rows cost little less than some ten thousands.
 */
const ROWS_PER_MATCH = 400;
const MIN_ROWS = 4096;
const MAX_FIRST_ROWS = 65_536;
/** A slice without any row is followed by one that is so many times as large. At most MAX_ROWS are sorted at once. */
const GROWTH = 8;
const MAX_ROWS = 10_000_000;
/** Bytes of the records whose rows are sorted at once, where records are long. */
const MAX_BYTES = 128 * 2 ** 20;
const LONG_BYTES = 1024;
/** So many times the rows that a limit seems to need are read for it. */
const SPARE = 1.5;

/** Rows that a limit may skip: they are made as texts too. */
const MAX_SKIPPED = 10_000n;

export interface Followed {
  readonly scan: Scan;
  /** Ends the run when it has its rows, so that rows after them in time are never read. */
  readonly limit?: FollowedLimit;
  /** Whether other rows count too, which are not read now. */
  readonly isPage?: true;
}

interface FollowedLimit {
  /** The node whose rows are limited. */
  readonly input: PlanNode;
  readonly skipped: bigint;
  readonly count: bigint;
  /** So many first rows of the result, without skipping any. */
  readonly first: (rows: bigint) => PlanNode;
}

/**
 * The scan whose rows the result, or a page of it, follows one by one, in their order. None where rows in between are a
 * table of the run: every slice would give all of them.
 */
export function followed(
  result: PlanNode,
  isStaged: (node: PlanNode) => boolean,
  page?: RowsPage,
): Followed | undefined {
  if (chainTo(result).some(isStaged)) return undefined;
  const limit = limitOf(page ? cutPlanNode(result, page) : result);
  // A page of no row, or far behind: slices without its cut would give all rows.
  if (page && !limit) return undefined;
  const scan = lowest(limit ? limit.input : result);
  if (!scan || scan.limit !== undefined || scan.offset > 0n) return undefined;
  // Without a limit all segments are searched at once: few rows are found in them.
  if (!limit && !tableScanOf(scan)) return undefined;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  if (time === undefined || result.rows.order?.[0]?.column !== time.id) return undefined;
  return { scan, ...(limit ? { limit } : {}), ...(page ? { isPage: true } : {}) };
}

/** The limit that says how many rows the result has at most. */
function limitOf(node: PlanNode): FollowedLimit | undefined {
  const apart = limitApart(node);
  if (apart) return limitOf(apart);
  const { offset = 0n, limit, firstRows } = cutOf(node) ?? {};
  if (firstRows && node.input) {
    const isFollowed = limit !== undefined && limit > 0n && offset <= MAX_SKIPPED;
    return isFollowed ? { input: node.input, skipped: offset, count: limit, first: firstRows } : undefined;
  }
  const input = preservesCount(node) && !isVolatileStep(node) ? inputByRow(node) : undefined;
  const below = input && limitOf(input);
  // A node with another input stays of its kind.
  return below && { ...below, first: (rows) => ({ ...node, input: below.first(rows) }) as PlanNode };
}

/** A scan that limits its own rows, as a limit behind a scan of all of them. */
function limitApart(node: PlanNode): PlanNode | undefined {
  const scan = scanOf(node);
  if (scan?.limit === undefined) return undefined;
  const { limit, offset, ...rest } = scan;
  // The same but for the cut.
  return cutPlanNode({ ...rest, offset: 0n } as Scan, { offset, limit });
}

const cutPlanNode = (input: PlanNode, { offset, limit }: RowsPage): KnownPlanNode => {
  const { command, text, begin, end, rows } = input;
  return { kind: 'limit', command, text, begin, end, rows, input, offset, count: limit };
};

/** All of a scan's range up to the end of a span. */
export const upToEnd = ({ direction, range }: Scan, { from, to }: TimeRange): TimeRange =>
  direction === 'desc' ? { ...range, ...(from ? { from } : {}) } : { ...range, ...(to ? { to } : {}) };

/** None where the scan takes rows of brackets: every slice would make them again. */
function lowest(node: PlanNode): Scan | undefined {
  const scan = scanOf(node);
  if (scan) return subqueriesOf(node).length === 0 ? scan : undefined;
  const input = isVolatileStep(node) ? undefined : inputByRow(node);
  return input && lowest(input);
}

/** What the next slice of a scan is chosen by. */
export interface WantedSlice {
  /** The range behind the slices before. */
  readonly rest: TimeRange;
  readonly rows: number;
  /** Rows without it are not read, so they are not counted. */
  readonly need: RowNeed | undefined;
  /** Rows that a limit still has to find; undefined where none ends the scan. */
  readonly left: number | undefined;
  /** Where the rest of the range is read of which no others matter, it is one slice. */
  readonly chosen: ChosenRows | undefined;
  readonly facts: RunFacts;
}

/** How many rows are sorted at once, where each comes from a record of so many bytes. */
export const mostSorted = (recordBytes: number): number =>
  recordBytes < LONG_BYTES ? MAX_ROWS : Math.max(1, Math.floor(MAX_BYTES / recordBytes));

/** How many records the first slice should have. */
export function firstSliceRows(result: PlanNode, found: Followed, most = MAX_ROWS): number {
  return Math.min(firstRows(result, found), most);
}

function firstRows(result: PlanNode, { scan, limit }: Followed): number {
  if (!limit) return takesAll(result, scan) ? FIRST_ROWS_OF_ALL : FIRST_ROWS_OF_SOME;
  const count = Math.min(Number(limit.skipped + limit.count), MAX_ROWS);
  if (takesAll(limit.input, scan)) return count;
  return Math.max(count, Math.min(Math.max(ROWS_PER_MATCH * count, MIN_ROWS), MAX_FIRST_ROWS));
}

/** Whether every row of the scan is a row of the node. */
function takesAll(node: PlanNode, scan: Scan): boolean {
  if (node === scan) return tableScanOf(node) !== undefined;
  return node.input !== undefined && preservesCount(node) && takesAll(node.input, scan);
}

/** How many the next should have, where one of `rows` records gave `found` rows. */
export function nextSliceRows(rows: number, found: number, { left, most = MAX_ROWS }: SortedRows): number {
  const next = left === undefined || found === 0 ? GROWTH * rows : (left / found) * rows * SPARE;
  const forMost = found === 0 ? GROWTH * rows : Math.ceil((most / found) * rows);
  return Math.min(Math.max(Math.ceil(next), rows, MIN_ROWS), Math.max(most, forMost), MAX_ROWS);
}

interface SortedRows {
  /** Rows that a limit still has to find; undefined where none ends the scan. */
  readonly left: number | undefined;
  /** Rows that are sorted at once. */
  readonly most?: number;
}

/**
 * How many rows that a condition seems to hold for a slice of so many records should have. Most of them are matches, so a first
 * slice has few; where these were not, the condition says too little, and all are counted.
 */
export function seemingMatches({ rows, left }: Pick<WantedSlice, 'rows' | 'left'>): number {
  if (left === undefined || rows > MAX_FIRST_ROWS) return rows;
  return Math.max(2 * left, Math.ceil((2 * rows) / ROWS_PER_MATCH));
}

/** The part of a range that comes first in the direction of a scan, up to and with a bound; all where there is none. */
export function sliceUpTo(
  { direction }: Pick<Scan, 'direction'>,
  range: TimeRange,
  bound: number | undefined,
): TimeRange {
  if (bound === undefined) return range;
  const cut = Temporal.Instant.fromEpochMilliseconds(direction === 'desc' ? bound : bound + 1);
  if (!isWithin(cut, range)) return range;
  return direction === 'desc' ? { ...range, from: cut } : { ...range, to: cut };
}

/** The rest of a range behind a slice of it; undefined where there is none. */
export function restBehind(
  { direction }: Pick<Scan, 'direction'>,
  range: TimeRange,
  slice: TimeRange,
): TimeRange | undefined {
  if (slice === range) return undefined;
  const { from, to } = slice;
  return direction === 'desc' ? { ...range, ...(from ? { to: from } : {}) } : { ...range, ...(to ? { from: to } : {}) };
}

const isWithin = (moment: Temporal.Instant, { from, to }: TimeRange): boolean =>
  (!from || Temporal.Instant.compare(moment, from) > 0) && (!to || Temporal.Instant.compare(moment, to) < 0);

/** The intersection of two ranges. */
export function overlap(one: TimeRange, other: TimeRange): TimeRange {
  const from = [one.from, other.from]
    .flatMap((moment) => moment ?? [])
    .sort(Temporal.Instant.compare)
    .at(-1);
  const [to] = [one.to, other.to].flatMap((moment) => moment ?? []).sort(Temporal.Instant.compare);
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
