// join and union in plain TypeScript.

import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Join } from '#query/plan-nodes/join.ts';
import type { MergedOverflow } from '#query/plan-nodes/shared/merges.ts';
import type { Union } from '#query/plan-nodes/union.ts';
import { equals } from '#query/values/equality.ts';
import { type LocalRows, left, type Pair, type Row } from './local-rows.ts';

export function union(local: LocalRows, { input, right, merged, overflow }: Union): Row[] {
  const side = (rows: readonly Row[], which: 'left' | 'right') =>
    rows.map(
      (row) =>
        new Map<ColumnId, Value>([
          ...merged.map(({ column, [which]: field }): Pair => [column.id, field ? local.value(field)(row) : null]),
          ...(overflow ? [[overflow.id, new Map(overflow[which] ? left(row, overflow[which]) : [])] as Pair] : []),
        ]),
    );
  return [...(input ? side(local.rows(input), 'left') : []), ...side(local.rows(right.result), 'right')];
}

export function join(local: LocalRows, node: Join, lefts: readonly Row[]): Row[] {
  const { type, keys, right } = node;
  const rights = local.rows(right.result);
  const fits = (one: Row, other: Row) =>
    keys.every((key) => equals(local.value(key.left)(one), local.value(key.right)(other), local.run.zone));
  const unmatchedLeft = lefts.filter((one) => !rights.some((other) => fits(one, other)));
  const unmatchedRight = rights.filter((other) => !lefts.some((one) => fits(one, other)));
  if (type === 'leftonly') return unmatchedLeft;
  if (type === 'rightonly') return unmatchedRight;
  const pairs: [Row | undefined, Row | undefined][] = lefts.flatMap((one) =>
    rights.filter((other) => fits(one, other)).map((other): [Row, Row] => [one, other]),
  );
  if (type === 'left' || type === 'full') pairs.push(...unmatchedLeft.map((one): [Row, undefined] => [one, undefined]));
  if (type === 'right' || type === 'full')
    pairs.push(...unmatchedRight.map((other): [undefined, Row] => [undefined, other]));
  return pairs.map(([one, other]) => mergedRow(local, node, one, other));
}

function mergedRow(local: LocalRows, { merged, overflow }: Join, one: Row | undefined, other: Row | undefined): Row {
  const made = new Map<ColumnId, Value>();
  for (const { column, left: l, right: r } of merged) {
    const source = r?.kind === 'field' ? r.source : undefined;
    const map = source?.kind === 'overflow' ? other?.get(source.id) : undefined;
    const isThere =
      other && r && (source?.kind !== 'overflow' || (map instanceof Map && r.kind === 'field' && map.has(r.name)));
    made.set(column.id, isThere && r ? local.value(r)(other) : l && one ? local.value(l)(one) : null);
  }
  if (overflow) made.set(overflow.id, mergedOverflow(overflow, one, other));
  return made;
}

function mergedOverflow({ left: l, right: r }: MergedOverflow, one: Row | undefined, other: Row | undefined): Value {
  return new Map([...(l && one ? left(one, l) : []), ...(r && other ? left(other, r) : [])]);
}
