// Rows for which a condition holds.

import { type Expression, isOrdered, isVolatile } from '#query/model/expression.ts';
import { conditionSql } from '#query/sql/expressions.ts';
import { type NodeDeclaration, nothing, type Step } from './node.ts';
import { countedRows, evaluatesInHost } from './shared/computed.ts';
import { cut } from './shared/sql-text.ts';
import { NO_BOUNDS, withComparisons } from './shared/time-bounds.ts';
import { pacedRows } from './shared/vector-size.ts';

interface Filter extends Step {
  readonly kind: 'filter';
  readonly condition: Expression;
  readonly limit?: bigint;
}

export const filter: NodeDeclaration<Filter> = {
  kind: 'filter',
  takes: 'each',
  expressions: ({ condition }) => [condition],
  makes: nothing,
  reads({ condition, limit, input }, reading) {
    reading.expression(condition);
    if (limit !== undefined || isOrdered(condition)) reading.order(input.rows);
  },
  bounds({ condition, limit }, { bounds, zone }) {
    if (isVolatile(condition)) return NO_BOUNDS;
    return withComparisons(condition, zone, limit === undefined ? bounds : NO_BOUNDS);
  },
  counts: 'some-of-input',
  cut: ({ limit }) => (limit === undefined ? undefined : { offset: 0n, limit }),
  isSelection: () => true,
  condition: ({ condition }) => condition,

  sql({ input, condition, limit, rows }, compiler) {
    const { scope, source } = countedRows(input, compiler.node(input), compiler);
    const test = conditionSql(condition, scope);
    const { from, where: first, value } = pacedRows(source(), [condition], { input, compiler });
    const where = `where ${first === undefined ? test : `${first} and ${value(test)}`}`;
    const order = limit === undefined ? undefined : compiler.order(input.rows);
    const tail = [where, ...(order === undefined ? [] : [`order by ${order}`]), cut(limit)].join(' ').trim();
    return compiler.select(rows, { from, tail });
  },

  host: {
    begins: (node, isInThreads) => evaluatesInHost(node, [node.condition], isInThreads),
    row: ({ condition }, scope) => scope.condition(condition),
    test: ({ condition }, scope) => scope.condition(condition),
  },
};
