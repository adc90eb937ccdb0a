// Rows of the input and of a subquery whose keys are equal (4.2).

import type { Expression } from '#query/model/expression.ts';
import { laidOver } from '#query/values/parsed-text.ts';
import { type NodeDeclaration, nothing, type Step } from './node.ts';
import type { Plan } from './plan.ts';
import { keyEquality } from './shared/equality.ts';
import { onHost } from './shared/host-rows.ts';
import { type Merged, type MergedOverflow, type MergedRows, readMerged, sideSql } from './shared/merges.ts';
import { rawKey, strippedOverflow } from './shared/overflow.ts';
import { alias } from './shared/sql-text.ts';
import type { PlanCompiler } from './sql-compiler.ts';

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'leftonly' | 'rightonly' | 'cross';

export interface Join extends Step, MergedRows {
  readonly kind: 'join';
  readonly type: JoinType;
  readonly right: Plan;
  readonly keys: readonly { readonly name: string; readonly left: Expression; readonly right: Expression }[];
}

export const join: NodeDeclaration<Join> = {
  kind: 'join',
  takes: 'as-needed',
  expressions: ({ keys }) => keys.map(({ left }) => left),
  makes: nothing,
  reads(node, reading) {
    readMerged(node, reading);
    for (const { left, right } of node.keys) {
      reading.expression(left);
      reading.expression(right);
    }
  },
  pushdown: 'lost',
  counts: 'counted',
  subqueries: { plans: ({ right }) => [right], taken: 'all' },
  sql,
};

const JOINS: Readonly<Record<JoinType, string>> = {
  inner: 'join',
  cross: 'join',
  left: 'left join',
  right: 'right join',
  full: 'full join',
  leftonly: 'anti join',
  rightonly: 'anti join',
};

function sql(node: Join, compiler: PlanCompiler): string {
  const { input, right, keys, type, rows } = node;
  const [leftText, rightText] = [compiler.node(input), compiler.node(right.result)];
  const named = keys.map((key) => ({
    left: { name: compiler.name('key'), sql: compiler.expression(key.left) },
    right: { name: compiler.name('key'), sql: compiler.expression(key.right) },
  }));
  const [hasLeft, hasRight] = [compiler.name('left'), compiler.name('right')];
  const side = (which: 'left' | 'right', text: string, mark: string) => {
    const made = named.map(({ [which]: { name, sql: value } }) => `${value.text} as ${name}`);
    return `(select ${['*', ...made, `true as ${mark}`].join(', ')} from (${text}))`;
  };
  const leftSide = side('left', leftText, hasLeft);
  const rightSide = side('right', rightText, hasRight);
  const on = named.map(({ left, right: other }) =>
    keyEquality(
      { text: left.name, type: left.sql.type, isPlain: true },
      { text: other.name, type: other.sql.type, isPlain: true },
      compiler,
    ),
  );
  const [one, other] = type === 'rightonly' ? [rightSide, leftSide] : [leftSide, rightSide];
  const from = `${one} ${JOINS[type]} ${other} on ${on.join(' and ') || 'true'}`;
  if (type === 'leftonly' || type === 'rightonly') return compiler.select(rows, { from });
  const computed = new Map(
    node.merged
      .filter(({ column }) => compiler.isRead(column.id))
      .map((merged) => [merged.column.id, mergedSql(merged, hasRight, compiler)]),
  );
  if (node.overflow && compiler.isRead(node.overflow.id)) {
    computed.set(node.overflow.id, joinedOverflow(node.overflow, compiler));
  }
  return compiler.select(rows, { from, computed });
}

/** On a match the right one wins; a key of an overflow only where the row has it. */
function mergedSql({ column, left, right }: Merged, hasRight: string, compiler: PlanCompiler): string {
  if (!left || !right) return sideSql(left ?? right, column, compiler);
  const [l, r] = [sideSql(left, column, compiler), sideSql(right, column, compiler)];
  const source = right.kind === 'field' ? right.source : undefined;
  const exists =
    right.kind === 'field' && source?.kind === 'overflow'
      ? `${rawKey(alias(source.id), right.name, compiler)} is not null`
      : `${hasRight} is not null`;
  return `case when ${exists} then ${r} else ${l} end`;
}

function joinedOverflow({ left, right }: MergedOverflow, compiler: PlanCompiler): string {
  const sides = [left, right].flatMap((side) => (side ? [strippedOverflow(side, compiler)] : []));
  const [one, other] = sides;
  if (!one || !other) return one?.text ?? 'null::json';
  const writer = compiler.writer();
  return writer.once([one, other], (l = '', r = '') => {
    const values = [
      { ...one, text: l, isPlain: true },
      { ...other, text: r, isPlain: true },
    ] as const;
    const both = onHost(laidOver, values, { type: 'map', compiler });
    return `case when ${l} is null then ${r} when ${r} is null then ${l} else ${both.text} end`;
  });
}
