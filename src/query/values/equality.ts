// Equality (4.2) and the comparisons of order (4.3).

import type { Comparison } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { boolOfText, dateOf, numberOfText } from './conversions.ts';
import { compareAlike, rankOf } from './order.ts';

/** Null equals nothing; a caller that must distinguish null from unequal checks for null itself. */
export function equals(left: Value, right: Value, zone: string): boolean {
  return compared(left, right, zone) === 0;
}

const ORDERED = 4; // Ranks up to string; lists, maps and binary have no order.

/** Negative, positive or 0; null if the two cannot be compared. */
export function compareForLess(left: Value, right: Value, zone: string): number | null {
  return left !== null && rankOf(left) > ORDERED ? null : compared(left, right, zone);
}

function compared(left: Value, right: Value, zone: string): number | null {
  if (left === null || right === null) return null;
  if (rankOf(left) === rankOf(right)) return compareAlike(left, right, zone);
  const otherLeft = typeof left === 'string' ? likeOther(left, right, zone) : left;
  const otherRight = typeof right === 'string' ? likeOther(right, left, zone) : right;
  if (otherLeft === null || otherRight === null || rankOf(otherLeft) !== rankOf(otherRight)) return null;
  return compareAlike(otherLeft, otherRight, zone);
}

/** A string converted to the type of the other side. */
function likeOther(text: string, other: Value, zone: string): Value {
  if (typeof other === 'bigint' || typeof other === 'number') return numberOfText(text);
  if (typeof other === 'boolean') return boolOfText(text);
  return other instanceof Temporal.Instant ? dateOf(text, zone) : null;
}

/** The result of a comparison by the sign of the order of its sides. */
export const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export interface Equality extends Comparison {
  readonly operator: '==' | '!=';
}

export const isEquality = (comparison: Comparison): comparison is Equality =>
  comparison.operator === '==' || comparison.operator === '!=';
