// join and union: two sets of rows become one.

import type { Expression } from '#query/model/expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { laidOver } from '#query/values/parsed-text.ts';
import { keyEquality } from './equality.ts';
import { onHost } from './host-rows.ts';
import type { Join, Merged, MergedOverflow, Overflow, Union } from './plan.ts';
import { alias, type PlanCompiler } from './sql-compiler.ts';
import { rawKey } from './steps.ts';

/** An overflow without the keys that count as absent. */
export function strippedOverflow({ id, without }: Overflow, compiler: PlanCompiler): Sql {
  // Where all that is read of it is gone, it does not come up from below.
  if (!compiler.isRead(id)) return { text: 'null::json', type: 'map', isPlain: true };
  const overflow = compiler.column(id);
  if (without.length === 0) return overflow;
  const gone = compiler.bind(new Map(without.map((name) => [name, null]))).text;
  return {
    text: `case when ${overflow.text} is not null then json_merge_patch(${overflow.text}, ${gone}) end`,
    type: 'map',
  };
}

export function unionSql({ input, right, merged, overflow }: Union, compiler: PlanCompiler): string {
  const sides = [
    ...(input ? [{ side: 'left' as const, text: compiler.node(input) }] : []),
    { side: 'right' as const, text: compiler.node(right.result) },
  ];
  const read = merged.filter(({ column }) => compiler.isRead(column.id));
  return sides
    .map(({ side, text }) => {
      const list = read.map(
        ({ column, [side]: field }) => `${fieldOf(field, column, compiler)} as ${alias(column.id)}`,
      );
      if (overflow && compiler.isRead(overflow.id)) {
        const own = overflow[side];
        const value = own ? strippedOverflow(own, compiler).text : 'null::json';
        list.push(`(${value})::json as ${alias(overflow.id)}`);
      }
      return `select ${list.join(', ') || '1 as nothing'} from (${text})`;
    })
    .join(' union all ');
}

function fieldOf(field: Expression | undefined, { type }: Merged['column'], compiler: PlanCompiler): string {
  return compiler.converted(field ? compiler.expression(field) : { text: 'null', type: 'null' }, type);
}

const JOINS: Readonly<Record<Join['type'], string>> = {
  inner: 'join',
  cross: 'join',
  left: 'left join',
  right: 'right join',
  full: 'full join',
  leftonly: 'anti join',
  rightonly: 'anti join',
};

export function joinSql(node: Join, compiler: PlanCompiler): string {
  const { input, right, keys, type, rows } = node;
  const [leftText, rightText] = [compiler.node(input), compiler.node(right.result)];
  const named = keys.map((key) => ({
    left: { name: compiler.name('key'), sql: compiler.expression(key.left) },
    right: { name: compiler.name('key'), sql: compiler.expression(key.right) },
  }));
  const [hasLeft, hasRight] = [compiler.name('left'), compiler.name('right')];
  const side = (which: 'left' | 'right', text: string, mark: string) => {
    const made = named.map(({ [which]: { name, sql } }) => `${sql.text} as ${name}`);
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
  if (!left || !right) return fieldOf(left ?? right, column, compiler);
  const [l, r] = [fieldOf(left, column, compiler), fieldOf(right, column, compiler)];
  const source = right.kind === 'field' ? right.source : undefined;
  const isThere =
    right.kind === 'field' && source?.kind === 'overflow'
      ? `${rawKey(alias(source.id), right.name, compiler)} is not null`
      : `${hasRight} is not null`;
  return `case when ${isThere} then ${r} else ${l} end`;
}

function joinedOverflow({ left, right }: MergedOverflow, compiler: PlanCompiler): string {
  const sides = [left, right].flatMap((side) => (side ? [strippedOverflow(side, compiler)] : []));
  const [one, other] = sides;
  if (!one || !other) return one?.text ?? 'null::json';
  const writer = compiler.writer();
  return writer.once([one, other], (l = '', r = '') => {
    const both = onHost(
      laidOver,
      [
        { ...one, text: l, isPlain: true },
        { ...other, text: r, isPlain: true },
      ],
      {
        type: 'map',
        compiler,
      },
    );
    return `case when ${l} is null then ${r} when ${r} is null then ${l} else ${both.text} end`;
  });
}
