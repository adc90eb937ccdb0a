// One row for each element of a list. A value that is no list is its own only element.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { toAny } from '#query/sql/conversion.ts';
import { failureText, maxElements } from '#query/values/failures.ts';
import { checkElements } from '#query/values/sizes.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { counters, type PlanNodeDeclaration } from './plan-node.ts';
import { alias } from './shared/sql-text.ts';
import { inSlots } from './shared/vector-size.ts';

interface Explode extends Step {
  readonly kind: 'explode';
  readonly source: Expression;
  readonly column: Column;
  readonly position: ColumnId;
  /** Hidden: how many rows were made of one, with those that `before` counts. */
  readonly exploded: ColumnId;
  readonly before?: ColumnId;
}

export const explode: PlanNodeDeclaration<Explode> = {
  kind: 'explode',
  takes: 'as-needed',
  expressions: ({ source }) => [source],
  makes: ({ position, exploded }) => counters(position, exploded),
  reads({ source, before }, reading) {
    // Makes rows even where the elements are not read.
    reading.expression(source);
    if (before !== undefined) reading.id(before);
  },
  pushdown: 'lost',
  counts: 'counted',
  sql,

  local: {
    rows({ source, column, position, exploded, before }, { scope }) {
      const read = scope.value(source);
      return function* (row) {
        const items = elements(read(row));
        const made = before === undefined ? 1 : Number(row[before] ?? 1);
        const count = BigInt(checkElements(items.length, made, scope.run));
        for (const [at, item] of items.entries()) {
          const one = row.slice();
          one[column.id] = item;
          one[position] = BigInt(at);
          one[exploded] = count;
          yield one;
        }
      };
    },
  },
};

/** An empty list counts as null. */
export const elements = (value: Value): readonly Value[] =>
  Array.isArray(value) && value.length > 0 ? value : Array.isArray(value) ? [null] : [value];

/** Elements and their positions are unnested side by side. */
function sql(node: Explode, compiler: PlanCompiler): string {
  const { input, source, column, position, exploded, before, rows } = node;
  const value = toAny(compiler.expression(source), compiler.writer()).text;
  const whole = compiler.name('value');
  const list = compiler.name('list');
  const count = compiler.name('count');
  const all = compiler.name('count');
  const valued = `(select *, ${value} as ${whole} from (${compiler.planNode(input)}))`;
  const { from, where, value: paced } = inSlots(valued, `coalesce(strlen(${whole}::varchar), 0) // 2`, compiler);
  const length = `case when vigil_is_list(${whole}) then greatest(json_array_length(${whole}), 1) else 1 end::bigint`;
  const counted = `(select *, ${paced(length)} as ${count} from ${from} where ${where})`;
  const times = before === undefined ? count : `${count} * coalesce(${alias(before)}, 1)`;
  const items = `case when vigil_is_list(${whole}) and ${whole} <> '[]' then ${whole}->'$[*]'
    when vigil_is_list(${whole}) then [null::json] else [${whole}] end`;
  const { run } = compiler.context;
  const limited = `case when ${all} > ${maxElements(run)} then error('${failureText(93010, maxElements(run))}') else ${items} end`;
  const listed = `select *, ${limited} as ${list} from (select *, ${times} as ${all} from ${counted})`;
  const ids = [...new Set([...compiler.outputs(rows), column.id, position])];
  const computed = new Map([
    [column.id, `unnest(${list})`],
    [position, `unnest(range(len(${list})))`],
    [exploded, all],
  ]);
  const unnested = compiler.select(ids, { from: `(${listed})`, computed });
  return compiler.select(rows, {
    from: `(${unnested})`,
    computed: new Map([[column.id, `nullif(${alias(column.id)}, 'null')::json`]]),
  });
}
