// Rows that come in the order of their times need not be sorted all together: the run takes one span of time after the
// other. The first rows are there soon, and however many there are, only those of one span are in memory.

import { type Expression, someWithin } from '#query/expression.ts';
import type { Scan } from '#query/needs.ts';
import type { Plan, PlanNode, TimeRange } from '#query/plan.ts';
import type { TimedRows } from './pick.ts';

/** Records of a span, at least. */
const SPAN_ROWS = 400_000;

/** The scan whose rows the result follows one by one, in their order. */
export function followedScan({ result }: Plan): Scan | undefined {
  const scan = lowest(result);
  if (!scan || scan.limit !== undefined || scan.offset > 0n) return undefined;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  return time !== undefined && result.rows.order?.[0]?.column === time.id ? scan : undefined;
}

const ROW_BY_ROW: readonly PlanNode['kind'][] = [
  'filter',
  'project',
  'rex',
  'parse',
  'parse-fields',
  'parser',
  'matchnet',
  'bin',
  'tojson',
  'pass',
];

function lowest(node: PlanNode): Scan | undefined {
  if (node.kind === 'table') return node;
  if (!ROW_BY_ROW.includes(node.kind) || !('input' in node) || !node.input) return undefined;
  if (node.kind === 'filter' && (node.limit !== undefined || someWithin(node.condition, isVolatile))) return undefined;
  if (node.kind === 'project' && node.assigned.some(({ value }) => someWithin(value, isVolatile))) return undefined;
  return lowest(node.input);
}

/** Depends on which other rows there are. */
const isVolatile = (inner: Expression) =>
  inner.kind === 'call' && (inner.called.volatile || inner.called.ordered) === true;

/** The spans that `range` is read in, one after the other in the direction of the scan. */
export function spansOf(rows: readonly TimedRows[], { direction, range }: Scan): TimeRange[] {
  const isDescending = direction === 'desc';
  const ends = rows.map(({ rows: count, minTime, maxTime }) => ({ count, end: isDescending ? minTime : maxTime + 1 }));
  const spans: TimeRange[] = [];
  let rest = range;
  let counted = 0;
  for (const { count, end } of ends.sort((a, b) => (isDescending ? b.end - a.end : a.end - b.end))) {
    counted += count;
    const cut = Temporal.Instant.fromEpochMilliseconds(end);
    if (counted < SPAN_ROWS || !isWithin(cut, rest)) continue;
    spans.push(isDescending ? { ...rest, from: cut } : { ...rest, to: cut });
    rest = isDescending ? { ...rest, to: cut } : { ...rest, from: cut };
    counted = 0;
  }
  return [...spans, rest];
}

const isWithin = (moment: Temporal.Instant, { from, to }: TimeRange): boolean =>
  (!from || Temporal.Instant.compare(moment, from) > 0) && (!to || Temporal.Instant.compare(moment, to) < 0);

/** What lies in both. */
export function overlap(one: TimeRange, other: TimeRange): TimeRange {
  const from = [one.from, other.from]
    .flatMap((moment) => moment ?? [])
    .sort(Temporal.Instant.compare)
    .at(-1);
  const [to] = [one.to, other.to].flatMap((moment) => moment ?? []).sort(Temporal.Instant.compare);
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
