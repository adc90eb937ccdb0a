// Bounds on the times of rows that comparisons with constants give (15.3, rules 3 and 4).

import { type ColumnId, type Comparison, columnRead, type Expression, type Literal } from '#query/model/expression.ts';
import { momentOf, type TimeRange } from '#query/model/times.ts';
import type { ColumnFields } from '#query/plan-nodes/plan-node.ts';

/** A range for the values of each of some columns. */
export type Bounds = ReadonlyMap<ColumnId, TimeRange>;

export const NO_BOUNDS: Bounds = new Map();

/** Bounds of columns that are nothing but fields of the input, as bounds of those fields. */
export function throughColumns(columns: ColumnFields, bounds: Bounds): Bounds {
  const through = columns.flatMap(([id, value]) => {
    const range = id === undefined ? undefined : bounds.get(id);
    const from = value && columnRead(value);
    return range && from !== undefined ? [[from, range] as const] : [];
  });
  return new Map(through);
}

/** The bounds from above, narrowed by the operands of an `and`. */
export function withComparisons(condition: Expression, zone: string, above: Bounds): Bounds {
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
  const id = columnRead(field);
  if (id === undefined || field.type !== 'date') return undefined;
  const range = rangeBy(isRight ? operator : MIRRORED[operator], constant, zone);
  return range && { id, range };
}

/** The range of times that compare so with a constant. */
export function rangeBy(operator: Comparison['operator'], constant: Expression, zone: string): TimeRange | undefined {
  const moment = constant.kind === 'literal' ? instantOf(constant, zone) : undefined;
  return moment && rangeOf(operator, moment);
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

export function narrowed(one: TimeRange, other: TimeRange): TimeRange {
  const from = extreme(one.from, other.from, 1);
  const to = extreme(one.to, other.to, -1);
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

/** The later of two with 1, the earlier with -1. */
function extreme(one: Temporal.Instant | undefined, other: Temporal.Instant | undefined, sign: 1 | -1) {
  if (!one || !other) return one ?? other;
  return Temporal.Instant.compare(one, other) * sign >= 0 ? one : other;
}
