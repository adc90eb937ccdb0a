// Rows for which a condition holds.

import { type Expression, isOrdered } from '#query/model/expression.ts';
import { conditionSql } from '#query/sql/expressions.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration, type RowCut } from './plan-node.ts';
import { countedRows, evaluatesLocally } from './shared/computed.ts';
import { cut as cutSql } from './shared/sql-text.ts';
import { pacedRows } from './shared/vector-size.ts';

interface Filter extends Step {
  readonly kind: 'filter';
  readonly condition: Expression;
  /** Of the rows that fulfil it. */
  readonly cut?: Pick<RowCut, 'offset' | 'limit'>;
}

export const filter: PlanNodeDeclaration<Filter> = {
  kind: 'filter',
  takes: 'each',
  expressions: ({ condition }) => [condition],
  makes: nothing,
  reads({ condition, cut, input }, reading) {
    reading.expression(condition);
    if (cut || isOrdered(condition)) reading.order(input.rows);
  },
  pushdown: ({ cut }) => (cut ? 'lost' : 'kept'),
  parts: 'carried',
  counts: 'some-of-input',
  cut: ({ cut }) => cut,
  isSelection: () => true,
  condition: ({ condition }) => condition,

  sql({ input, condition, cut, rows }, compiler) {
    const { scope, source } = countedRows(input, compiler.planNode(input), compiler);
    const test = conditionSql(condition, scope);
    const { from, where: first, value } = pacedRows(source(), [condition], { input, compiler });
    const where = `where ${first === undefined ? test : `${first} and ${value(test)}`}`;
    const order = cut ? compiler.order(input.rows) : undefined;
    const taken = cut ? cutSql(cut.limit, cut.offset) : '';
    const tail = [where, ...(order === undefined ? [] : [`order by ${order}`]), taken].join(' ').trim();
    return compiler.select(rows, { from, tail });
  },

  local: {
    begins: (node, isInThreads) => evaluatesLocally(node, [node.condition], isInThreads),
    row: ({ condition }, scope) => scope.condition(condition),
    test: ({ condition }, scope) => scope.condition(condition),
  },
};
