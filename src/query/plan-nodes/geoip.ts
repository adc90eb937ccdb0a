// Fields about the location of an address.

import type { Expression } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import { asType, overflowKey, toText } from '#query/sql/conversion.ts';
import type { LookupOutput } from './lookup.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { evaluatedLocally } from './shared/local-rows.ts';

interface LocationLookup extends Step {
  readonly kind: 'geoip';
  readonly key: Expression;
  readonly outputs: readonly LookupOutput[];
}

export const geoip: PlanNodeDeclaration<LocationLookup> = {
  kind: 'geoip',
  takes: 'each',
  expressions: ({ key }) => [key],
  makes: nothing,
  reads({ key, outputs }, reading) {
    if (outputs.some(({ column }) => reading.isRead(column.id))) reading.expression(key);
  },
  pushdown: 'kept',
  counts: 'as-input',
  sql,
};

/** The local evaluator looks each address up once. */
function sql({ input, key, outputs, rows }: LocationLookup, compiler: PlanCompiler): string {
  const below = compiler.planNode(input);
  const read = outputs.filter(({ column }) => compiler.isRead(column.id));
  const { locations } = compiler.context.run;
  if (read.length === 0) return below;
  const absent = (type: ColumnType) => compiler.converted({ text: 'null', type: 'null' }, type);
  if (!locations) {
    const computed = new Map(read.map(({ column }) => [column.id, absent(column.type)]));
    return compiler.select(rows, { from: `(${below})`, computed });
  }
  const step = compiler.name('step');
  const found = compiler.name('found');
  const sought = compiler.name('key');
  const own = compiler.name('key');
  const text = toText(compiler.expression(key), compiler.writer()).text;
  const location = evaluatedLocally(
    ([address = null]) => locations.of(`${address}`) ?? null,
    [{ text: sought, type: 'string' }],
    {
      type: 'map',
      compiler,
    },
  );
  const hits = `select ${sought} as ${own}, ${location.text} as ${found} from (select distinct ${sought} from ${step} where ${sought} is not null)`;
  const computed = new Map(
    read.map(({ from, column }) => {
      const value = overflowKey({ text: found, type: 'map', isPlain: true }, from, compiler.writer());
      return [column.id, compiler.converted(asType(value, column.type, compiler.writer()), column.type)];
    }),
  );
  const joined = compiler.select(rows, { from: `${step} left join (${hits}) on ${sought} = ${own}`, computed });
  return `with ${step} as materialized (select *, ${text} as ${sought} from (${below})) ${joined}`;
}
