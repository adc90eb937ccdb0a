// streamstats, prev, rollup and cube in plain TypeScript.

import type { Value } from '#query/model/values.ts';
import { groupKey } from '#query/values/order.ts';
import { type LocalRows, type Pair, type PlanNodeOf, type Row, withValues } from './local-rows.ts';

export function streamstats(local: LocalRows, node: PlanNodeOf<'streamstats'>, rows: readonly Row[]): Row[] {
  const keys = local.keysOf(node.by);
  const keyOf = (row: Row) => groupKey(keys(row), local.run.zone);
  return rows.map((row, index) => {
    const before = rows.slice(0, index + 1).filter((other) => keyOf(other) === keyOf(row));
    const seen = node.window === undefined ? before : before.slice(-Number(node.window));
    return withValues(
      row,
      ...node.aggregates.map(({ column, call }): Pair => [column.id, local.aggregate(call, seen)]),
      [node.sequence, BigInt(index)],
    );
  });
}

export function prev(local: LocalRows, { fields, sequence }: PlanNodeOf<'prev'>, rows: readonly Row[]): Row[] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    return withValues(
      row,
      ...fields.map(({ column, value }): Pair => [column.id, before ? local.value(value)(before) : null]),
      [sequence, BigInt(index)],
    );
  });
}

export function rollup(local: LocalRows, node: PlanNodeOf<'rollup'>, rows: readonly Row[]): Row[] {
  const { by, label = null } = node;
  const made = setsOf(node).flatMap((kept) => {
    const keys = by.filter((_, index) => kept[index]);
    const groups = keys.length === 0 ? [{ values: [], rows: [...rows] }] : local.groups(rows, local.keysOf(keys));
    return groups.map((group) => {
      const values = [...group.values];
      const pairs = by.flatMap(({ column, shown, leftOut }, index): Pair[] => {
        const value: Value = kept[index] ? (values.shift() ?? null) : null;
        return [
          [column.id, value],
          [shown.id, kept[index] ? value : label],
          [leftOut, kept[index] ? 0n : 1n],
        ];
      });
      const found = node.aggregates.map(({ column, call }): Pair => [column.id, local.aggregate(call, group.rows)]);
      return withValues(new Map(), ...pairs, ...found);
    });
  });
  const order = by.flatMap(({ column, leftOut }) => [leftOut, column.id]);
  const compare = (one: Row, other: Row) =>
    order.reduce((found, id) => found || local.compare(one.get(id) ?? null, other.get(id) ?? null), 0);
  return made.sort(compare);
}

/** Which keys are kept. */
function setsOf({ by, sets }: PlanNodeOf<'rollup'>): boolean[][] {
  if (sets === 'prefixes') return [...by, undefined].map((_, length) => by.map((_key, index) => index < length));
  return Array.from({ length: 2 ** by.length }, (_, bits) => by.map((_key, index) => ((bits >> index) & 1) === 1));
}
