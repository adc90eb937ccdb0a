// Comparisons of `_time` with constants, moved into the ranges of the scans below them (15.3, rules 3 and 4). A bound is
// only taken where it may cross every node between: it narrows what is read and never replaces the comparison itself,
// because the counts of commands follow the text.

import type { ColumnId, Comparison, Expression, Literal } from '#query/model/expression.ts';
import { momentOf } from '#query/model/times.ts';
import type { PlanNode, TextCondition, TimeRange } from '#query/nodes/plan.ts';
import { inputsOf, type Scan } from './needs.ts';
import { isVolatile } from './row-by-row.ts';

/** A range for the values of one column. */
type Bounds = ReadonlyMap<ColumnId, TimeRange>;

const NONE: Bounds = new Map();

export function timeBounds(result: PlanNode, zone: string): Map<Scan, TimeRange> {
  const found = new Map<Scan, TimeRange>();
  const descend = (node: PlanNode, bounds: Bounds): void => {
    if (node.kind === 'table' || node.kind === 'fulltext') found.set(node, scanRange(node, bounds, zone));
    for (const input of inputsOf(node)) descend(input, crossing(node, input, { bounds, zone }));
  };
  descend(result, NONE);
  return found;
}

interface Above {
  readonly bounds: Bounds;
  readonly zone: string;
}

/** The bounds that hold for the rows of an input, of those that hold for what a node hands on. */
function crossing(node: PlanNode, input: PlanNode, { bounds, zone }: Above): Bounds {
  switch (node.kind) {
    case 'filter':
      if (isVolatile(node.condition)) return NONE;
      return ownBounds(node.condition, zone, node.limit === undefined ? bounds : NONE);
    case 'project':
      return node.assigned.some(({ value }) => isVolatile(value)) ? NONE : bounds;
    case 'rex':
    case 'bin':
    case 'geoip':
    case 'pass':
    case 'block':
    case 'proc':
    case 'remote':
      return bounds;
    case 'lookup':
      return input === node.input ? bounds : NONE;
    case 'sort':
      return node.limit === undefined ? bounds : NONE;
    case 'stats':
      return throughColumns(
        node.by.map(({ column, value }) => [column.id, value]),
        bounds,
      );
    case 'eventstats':
      return throughColumns(
        node.by.map(({ value }) => [idOf(value), value]),
        bounds,
      );
    case 'dedup':
      return throughColumns(
        node.keys.map((key) => [idOf(key), key]),
        bounds,
      );
    case 'union': {
      const side = input === node.input ? 'left' : 'right';
      return throughColumns(
        node.merged.map((merged) => [merged.column.id, merged[side]]),
        bounds,
      );
    }
    default:
      return NONE;
  }
}

/** Bounds of columns that are nothing but fields of the input, as bounds of those fields. */
function throughColumns(
  columns: readonly (readonly [ColumnId | undefined, Expression | undefined])[],
  bounds: Bounds,
): Bounds {
  const through = columns.flatMap(([id, value]) => {
    const range = id === undefined ? undefined : bounds.get(id);
    const from = value && idOf(value);
    return range && from !== undefined ? [[from, range] as const] : [];
  });
  return new Map(through);
}

const idOf = (value: Expression): ColumnId | undefined =>
  value.kind === 'field' && value.source?.kind === 'column' ? value.source.id : undefined;

/** Adds what the sides of an `and` say to the bounds from above. */
function ownBounds(condition: Expression, zone: string, above: Bounds): Bounds {
  const bounds = new Map(above);
  const take = (part: Expression): void => {
    if (part.kind === 'logic' && part.operator === 'and') part.operands.forEach(take);
    const own = part.kind === 'comparison' ? boundOf(part, zone) : undefined;
    if (own) bounds.set(own.id, narrowed(bounds.get(own.id) ?? {}, own.range));
  };
  take(condition);
  return bounds;
}

const MIRRORED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' } as const;

function boundOf({ operator, left, right }: Comparison, zone: string): { id: ColumnId; range: TimeRange } | undefined {
  const isRight = right.kind === 'literal';
  const [field, constant] = isRight ? [left, right] : [right, left];
  const id = idOf(field);
  const moment = constant.kind === 'literal' ? instantOf(constant, zone) : undefined;
  if (id === undefined || field.type !== 'date' || !moment) return undefined;
  const range = rangeOf(isRight ? operator : MIRRORED[operator], moment);
  return range && { id, range };
}

/** A text beside a date is read as time text (4.2). */
function instantOf({ value }: Literal, zone: string): Temporal.Instant | undefined {
  if (value instanceof Temporal.Instant) return value;
  const moment = typeof value === 'string' ? momentOf(`"${value}"`, zone) : undefined;
  return moment === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(moment);
}

/** Dates are whole milliseconds, so the moment after one is one later. */
function rangeOf(operator: Comparison['operator'], at: Temporal.Instant): TimeRange | undefined {
  const after = at.add({ milliseconds: 1 });
  switch (operator) {
    case '>=':
      return { from: at };
    case '>':
      return { from: after };
    case '<':
      return { to: at };
    case '<=':
      return { to: after };
    case '==':
      return { from: at, to: after };
    default:
      return undefined;
  }
}

function narrowed(one: TimeRange, other: TimeRange): TimeRange {
  const from = extreme(one.from, other.from, 1);
  const to = extreme(one.to, other.to, -1);
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

/** The later of two with 1, the earlier with -1. */
function extreme(one: Temporal.Instant | undefined, other: Temporal.Instant | undefined, sign: 1 | -1) {
  if (!one || !other) return one ?? other;
  return Temporal.Instant.compare(one, other) * sign >= 0 ? one : other;
}

/** What cuts the ordered rows of a scan stands between it and everything after it. */
function scanRange(scan: Scan, bounds: Bounds, zone: string): TimeRange {
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  const isCut = scan.limit !== undefined || scan.offset > 0n;
  const later = time && !isCut ? bounds.get(time.id) : undefined;
  const inside = scan.kind === 'fulltext' && time ? textBounds(scan.condition, time.id, zone) : {};
  return narrowed(narrowed(scan.range, later ?? {}), inside);
}

function textBounds(condition: TextCondition, id: ColumnId, zone: string): TimeRange {
  if (condition.kind === 'and') {
    return condition.operands.map((operand) => textBounds(operand, id, zone)).reduce(narrowed, {});
  }
  if (condition.kind !== 'comparison' || idOf(condition.field) !== id) return {};
  const moment = condition.value.kind === 'literal' ? instantOf(condition.value, zone) : undefined;
  return (moment && rangeOf(condition.operator, moment)) ?? {};
}
