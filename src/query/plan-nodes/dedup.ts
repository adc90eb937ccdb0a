// The first rows of each combination of keys.

import { type ColumnId, columnRead, type Expression } from '#query/model/expression.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { alias } from './shared/sql-text.ts';

interface Dedup extends Step {
  readonly kind: 'dedup';
  readonly keys: readonly Expression[];
  readonly count: bigint;
}

export const dedup: PlanNodeDeclaration<Dedup> = {
  kind: 'dedup',
  takes: 'as-needed',
  expressions: ({ keys }) => keys,
  makes: nothing,
  reads({ keys, input }, reading) {
    reading.expressions(keys);
    reading.order(input.rows);
  },
  pushdown: ({ keys }) => keys.map((key) => [columnRead(key), key]),
  counts: 'some-of-input',
  firstOfEach: ({ keys, count }) => ({ keys, count }),
  sql,
};

function sql(node: Dedup, compiler: PlanCompiler): string {
  const { input, keys, count, rows } = node;
  const plain = count === 1n ? plainKeys(node, compiler) : undefined;
  if (plain) return distinctSql(node, plain, compiler);
  const from = compiler.planNode(input);
  const newest = count === 1n ? firstByTime(node, from, compiler) : undefined;
  if (newest !== undefined) return newest;
  const values = keys.map((key) => ({ name: compiler.name('key'), sql: compiler.expression(key) }));
  const list = ['*', ...values.map(({ name, sql: value }) => `${value.text} as ${name}`)].join(', ');
  const partition = values
    .flatMap(({ name, sql: value }) => compiler.keys({ text: name, type: value.type, isPlain: true }))
    .join(', ');
  const order = compiler.order(input.rows);
  const over = `partition by ${partition}${order === undefined ? '' : ` order by ${order}`}`;
  const ids = compiler.outputs(rows).map(alias).join(', ') || '1 as nothing';
  return `select ${ids} from (select ${list} from (${from})) qualify row_number() over (${over}) <= ${count}`;
}

/** So many columns are carried along in one pass rather than read again. */
const MAX_CARRIED = 6;

/**
 * Of rows in the order of one table, time and number tell the first ones, and nothing is sorted. The number of a row is one
 * of its table alone. Few columns are taken with them at once (by a form that takes null for a value, as `arg_max` does
 * not); for many the rows are read again, so that much less is carried along.
 */
function firstByTime({ input, keys, rows }: Dedup, from: string, compiler: PlanCompiler): string | undefined {
  const scan = compiler.tableBelow(input);
  const { order } = input.rows;
  if (scan?.tables.length !== 1 || order === undefined || order !== scan.rows.order) return undefined;
  const column = (name: string) => scan.rows.columns.find((one) => one.name === name)?.id;
  const time = column('_time');
  const number = column('_id');
  if (time === undefined || number === undefined) return undefined;
  const rank = `epoch_us(${alias(time)})::hugeint * 9223372036854775808 + ${alias(number)}`;
  const groups = keys.map((key) => compiler.group(compiler.expression(key)));
  const firsts = compiler.name('firsts');
  const first = compiler.name('first');
  const most = scan.direction === 'desc' ? 'max' : 'min';
  const ids = compiler.outputs(rows);
  if (ids.length <= MAX_CARRIED) {
    const list = ids.map((id) => `arg_${most}_null(${alias(id)}, ${rank}) as ${alias(id)}`);
    return `select ${list.join(', ') || '1 as nothing'} from (${from}) group by ${groups.join(', ')}`;
  }
  const found = `select ${most}(${rank}) as ${first} from (${compiler.planNode(input)}) group by ${groups.join(', ')}`;
  return compiler.select(rows, { from: `(${from}) semi join (${found}) ${firsts} on ${rank} = ${firsts}.${first}` });
}

/** Columns that are read only for the order of the rows are null from here on. */
function distinctSql({ input, rows }: Dedup, keys: readonly ColumnId[], compiler: PlanCompiler): string {
  const distinct = `select distinct ${keys.map((id) => alias(id)).join(', ')} from (${compiler.planNode(input)})`;
  const others = compiler.outputs(rows).filter((id) => !keys.includes(id));
  if (others.length === 0) return distinct;
  const computed = others.map(
    (id) => [id, compiler.converted({ text: 'null', type: 'null' }, compiler.typeOf(id))] as const,
  );
  return compiler.select(rows, { from: `(${distinct})`, computed: new Map(computed) });
}

/** Where only the keys are read, and equal keys look the same, it does not matter which rows are kept. */
function plainKeys(node: Dedup, compiler: PlanCompiler): ColumnId[] | undefined {
  const ids = node.keys.flatMap((key) => {
    const id = MIXED.includes(key.type) ? undefined : columnRead(key);
    return id === undefined ? [] : [id];
  });
  if (ids.length < node.keys.length) return undefined;
  return compiler.wanted(node).every((id) => ids.includes(id)) ? [...new Set(ids)] : undefined;
}
