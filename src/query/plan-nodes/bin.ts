// Numbers and dates cut into buckets. A number cuts numbers, a duration cuts dates; other values become null.

import type { Column } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import { asType } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { type BinSize, binned } from '#query/values/dates/bins.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { inBuckets } from './shared/buckets.ts';

interface Bin extends Step, BinSize {
  readonly kind: 'bin';
  readonly source: Expression;
  readonly column: Column;
}

export const bin: PlanNodeDeclaration<Bin> = {
  kind: 'bin',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads({ source, column }, reading) {
    if (reading.isRead(column.id)) reading.expression(source);
  },
  pushdown: 'kept',
  counts: 'as-input',

  sql({ input, source, column, span, offset, rows }, compiler) {
    const from = compiler.planNode(input);
    if (!compiler.isRead(column.id)) return from;
    const value = compiler.expression(source);
    const made =
      typeof span === 'object'
        ? inBuckets(from, value, { span, offset }, compiler)
        : { from: `(${from})`, start: binnedSql(value, span, compiler) };
    const computed = new Map([[column.id, compiler.converted(made.start, column.type)]]);
    return compiler.select(rows, { from: made.from, computed });
  },

  local: {
    row(node, scope) {
      const value = scope.value(node.source);
      const { zone } = scope.run;
      return (row) => {
        row[node.column.id] = binned(value(row), node, zone);
        return true;
      };
    },
  },
};

const wholeBin = (x: string, span: string) => `try(${x} - ((${x} % ${span} + ${span}) % ${span}))`;
const doubleBin = (x: string, span: string) => `vigil_finite(floor(${x} / ${span}) * ${span})`;

function binnedSql(value: Sql, span: bigint | number, compiler: PlanCompiler): Sql {
  const double = compiler.bind(Number(span)).text;
  if (value.type === 'long' && typeof span === 'bigint') {
    return { text: compiler.writer().once([value], (x = '') => wholeBin(x, compiler.bind(span).text)), type: 'long' };
  }
  if (value.type === 'long' || value.type === 'double') {
    return { text: doubleBin(`(${value.text})::double`, double), type: 'double' };
  }
  if (value.type !== 'any') return { text: 'null', type: 'null', isPlain: true };
  const text = compiler.writer().once([value], (j = '') => {
    const asDouble = `when vigil_is_number(${j}) then to_json(${doubleBin(`try_cast(${j}::varchar as double)`, double)})`;
    if (typeof span === 'number') return `case ${asDouble} end`;
    const asLong = `when vigil_is_long(${j}) then to_json(${wholeBin(`vigil_any_long(${j})`, compiler.bind(span).text)})`;
    return `case ${asLong} ${asDouble} end`;
  });
  return asType({ text, type: 'any' }, typeof span === 'number' ? 'double' : 'any', compiler.writer());
}
