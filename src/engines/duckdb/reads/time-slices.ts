// Rows that come in the order of their times need not be sorted all together: the run takes one span of time after the
// other. The first rows are there soon, and however many there are, only those of one span are in memory.

import type { TimeRange } from '#query/model/times.ts';
import { chainTo, cutOf, inputByRow, isVolatileStep, preservesCount, tableScanOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import type { TimedRows } from './segment-selection.ts';

/** Records of the first slice, at least; each slice after it has GROWTH times as many, up to MAX_ROWS that are sorted at once. */
const FIRST_ROWS = 400_000;
const GROWTH = 16;
const MAX_ROWS = 10_000_000;

export interface Followed {
  readonly scan: Scan;
  /** Ends the run when it has its rows, so that rows after them in time are never read. */
  readonly limit?: FollowedLimit;
}

/** A node that only limits the rows of its input. */
interface FollowedLimit {
  readonly node: PlanNode;
  readonly input: PlanNode;
  readonly count: bigint;
  readonly withLimit: (limit: bigint) => PlanNode;
}

/**
 * The scan whose rows the result follows one by one, in their order. None where rows in between are a table of the run:
 * every slice would give all of them.
 */
export function followed(result: PlanNode, isStaged: (node: PlanNode) => boolean): Followed | undefined {
  if (chainTo(result).some(isStaged)) return undefined;
  const limit = limitOf(result);
  const scan = lowest(limit ? limit.input : result);
  if (!scan || scan.limit !== undefined || scan.offset > 0n) return undefined;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  if (time === undefined || result.rows.order?.[0]?.column !== time.id) return undefined;
  return { scan, ...(limit ? { limit } : {}) };
}

/** The limit that says how many rows the result has at most. */
function limitOf(node: PlanNode): FollowedLimit | undefined {
  const { offset, limit, withLimit } = cutOf(node) ?? {};
  if (withLimit && node.input) {
    return offset === 0n && limit !== undefined && limit > 0n
      ? { node, input: node.input, count: limit, withLimit }
      : undefined;
  }
  const input = preservesCount(node) && !isVolatileStep(node) ? inputByRow(node) : undefined;
  return input && limitOf(input);
}

/** The same with another count. */
export function limitedTo(node: PlanNode, limit: FollowedLimit, count: bigint): PlanNode {
  if (node === limit.node) return limit.withLimit(count);
  // A node with another input stays of its kind.
  return node.input ? ({ ...node, input: limitedTo(node.input, limit, count) } as PlanNode) : node;
}

/** All of a scan's range up to the end of a span. */
export const upToEnd = ({ direction, range }: Scan, { from, to }: TimeRange): TimeRange =>
  direction === 'desc' ? { ...range, ...(from ? { from } : {}) } : { ...range, ...(to ? { to } : {}) };

function lowest(node: PlanNode): Scan | undefined {
  const scan = tableScanOf(node);
  if (scan) return scan;
  const input = isVolatileStep(node) ? undefined : inputByRow(node);
  return input && lowest(input);
}

/** The spans that `range` is read in, one after the other in the direction of the scan. */
export function timeSlicesOf(rows: readonly TimedRows[], { direction, range }: Scan): TimeRange[] {
  const isDescending = direction === 'desc';
  const ends = rows.map(({ rows: count, minTime, maxTime }) => ({ count, end: isDescending ? minTime : maxTime + 1 }));
  const spans: TimeRange[] = [];
  let rest = range;
  let counted = 0;
  let wanted = FIRST_ROWS;
  for (const { count, end } of ends.sort((a, b) => (isDescending ? b.end - a.end : a.end - b.end))) {
    counted += count;
    const cut = Temporal.Instant.fromEpochMilliseconds(end);
    if (counted < wanted || !isWithin(cut, rest)) continue;
    spans.push(isDescending ? { ...rest, from: cut } : { ...rest, to: cut });
    rest = isDescending ? { ...rest, to: cut } : { ...rest, from: cut };
    counted = 0;
    wanted = Math.min(wanted * GROWTH, MAX_ROWS);
  }
  return [...spans, rest];
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
