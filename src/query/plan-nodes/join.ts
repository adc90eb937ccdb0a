// Rows of the input and of a subquery whose keys are equal (4.2).

import type { Expression } from '#query/model/expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { laidOver } from '#query/values/formats/parsed-text.ts';
import type { Plan, Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { isPlainEquality, keyEquality } from './shared/equality.ts';
import { evaluatedLocally } from './shared/local-rows.ts';
import { type Merged, type MergedOverflow, type MergedRows, readMerged, sideSql } from './shared/merges.ts';
import { rawKey, strippedOverflow } from './shared/overflow.ts';
import { alias } from './shared/sql-text.ts';

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'leftonly' | 'rightonly' | 'cross';

export interface Join extends Step, MergedRows {
  readonly kind: 'join';
  readonly type: JoinType;
  readonly right: Plan;
  readonly keys: readonly { readonly name: string; readonly left: Expression; readonly right: Expression }[];
}

export const join: PlanNodeDeclaration<Join> = {
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
  const leftText = compiler.planNode(input);
  const rightText = compiler.planNode(right.result);
  const pairs = keys.map((key): KeyPair => {
    const named = (value: Sql): NamedKey => ({ key: { ...value, text: compiler.name('key'), isPlain: true }, value });
    return { left: named(compiler.expression(key.left)), right: named(compiler.expression(key.right)) };
  });
  const hasLeft = compiler.name('left');
  const hasRight = compiler.name('right');
  const side = (which: 'left' | 'right', text: string, mark: string) => {
    const made = pairs.map(({ [which]: { key, value } }) => `${value.text} as ${key.text}`);
    return `(select ${['*', ...made, `true as ${mark}`].join(', ')} from (${text}))`;
  };
  const sides = { left: side('left', leftText, hasLeft), right: side('right', rightText, hasRight) };
  const from = isHashable(type, pairs)
    ? joinedSides(type, sides, pairs, compiler)
    : joinedByPairs(type, sides, pairs, compiler);
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

interface NamedKey {
  /** The column that holds the value. */
  readonly key: Sql;
  readonly value: Sql;
}

interface KeyPair {
  readonly left: NamedKey;
  readonly right: NamedKey;
}

interface Sides {
  readonly left: string;
  readonly right: string;
}

/** DuckDB compares all pairs of rows of an outer join whose condition is more than equality of columns. */
const isHashable = (type: JoinType, pairs: readonly KeyPair[]): boolean =>
  type === 'inner' || type === 'cross' || pairs.every(({ left, right }) => isPlainEquality(left.key, right.key));

const equalKeys = (pairs: readonly KeyPair[], compiler: PlanCompiler): string =>
  pairs.map(({ left, right }) => keyEquality(left.key, right.key, compiler)).join(' and ') || 'true';

function joinedSides(
  type: JoinType,
  { left, right }: Sides,
  pairs: readonly KeyPair[],
  compiler: PlanCompiler,
): string {
  const [one, other] = type === 'rightonly' ? [right, left] : [left, right];
  return `${one} ${JOINS[type]} ${other} on ${equalKeys(pairs, compiler)}`;
}

/** Finds the pairs of equal keys first, each of different values alone; the rows of both sides have those keys as they are. */
function joinedByPairs(type: JoinType, sides: Sides, pairs: readonly KeyPair[], compiler: PlanCompiler): string {
  const left = compiler.name('step');
  const right = compiler.name('step');
  const equal = compiler.name('hits');
  const found = pairs.map((pair) => ({ ...pair, l: compiler.name('key'), r: compiler.name('key') }));
  const distinct = (step: string, which: 'left' | 'right') =>
    `(select distinct ${pairs.map(({ [which]: { key } }) => key.text).join(', ')} from ${step})`;
  const list = found.map((pair) => `${pair.left.key.text} as ${pair.l}, ${pair.right.key.text} as ${pair.r}`);
  const matches = `select ${list.join(', ')} from ${distinct(left, 'left')} join ${distinct(right, 'right')}
    on ${equalKeys(pairs, compiler)}`;
  const onLeft = found.map((pair) => `${left}.${pair.left.key.text} = ${equal}.${pair.l}`).join(' and ');
  const onRight = found.map((pair) => `${right}.${pair.right.key.text} = ${equal}.${pair.r}`).join(' and ');
  const joined = {
    leftonly: `${left} anti join ${equal} on ${onLeft}`,
    rightonly: `${right} anti join ${equal} on ${onRight}`,
    // Rows of the right side without an equal key stay until they meet the left one.
    outer: `${left} ${JOINS[type]} (${equal} right join ${right} on ${onRight}) on ${onLeft}`,
  }[type === 'leftonly' || type === 'rightonly' ? type : 'outer'];
  return `(with ${left} as materialized ${sides.left}, ${right} as materialized ${sides.right},
    ${equal} as materialized (${matches}) select * from ${joined})`;
}

/** On a match the right one wins; a key of an overflow only where the row has it. */
function mergedSql({ column, left, right }: Merged, hasRight: string, compiler: PlanCompiler): string {
  if (!left || !right) return sideSql(left ?? right, column, compiler);
  const l = sideSql(left, column, compiler);
  const r = sideSql(right, column, compiler);
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
    const both = evaluatedLocally(laidOver, values, { type: 'map', compiler });
    return `case when ${l} is null then ${r} when ${r} is null then ${l} else ${both.text} end`;
  });
}
