// eval, fields, rename, order, fillnull: new columns, then the list of those that go on. Later ones see earlier ones.

import { type ColumnId, childrenOf, columnRead, type Expression, isOrdered } from '#query/model/expression.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { countedRows, evaluatesLocally } from './shared/computed.ts';
import { pacedRows } from './shared/vector-size.ts';

interface Project extends Step {
  readonly kind: 'project';
  readonly assigned: readonly Assigned[];
}

export const project: PlanNodeDeclaration<Project> = {
  kind: 'project',
  takes: 'each',
  expressions: ({ assigned }) => valuesOf(assigned),
  makes: ({ assigned }) => columnsOf(assigned),
  reads({ assigned, input }, reading) {
    // From the last to the first, because later ones read earlier ones.
    for (const { column, value } of assigned.toReversed()) {
      if (!reading.isRead(column.id)) continue;
      reading.expression(value);
      if (isOrdered(value)) reading.order(input.rows);
    }
  },
  pushdown: 'kept',
  parts: 'carried',
  counts: 'as-input',
  isSelection: ({ assigned }) => assigned.length === 0,
  sql,
  selects: ({ assigned }) => Math.max(1, layersOf(assigned).length),

  local: {
    begins: (node, isInThreads) => evaluatesLocally(node, valuesOf(node.assigned), isInThreads),
    row({ assigned }, scope) {
      const made = assigned.map(({ column, value }) => ({ id: column.id, evaluate: scope.value(value) }));
      const { meter } = scope;
      return (row) => {
        meter.take(made.length);
        for (const { id, evaluate } of made) row[id] = evaluate(row);
        return true;
      };
    },
  },
};

/** Columns that read none of the same list are computed together; a list without work leaves the rows as they are. */
function sql(node: Project, compiler: PlanCompiler): string {
  const { input, assigned, rows } = node;
  let text = compiler.planNode(input);
  const known = new Set(compiler.outputs(input.rows));
  const layers = layersOf(assigned.filter(({ column }) => compiler.isRead(column.id)));
  compiler.deepen(layers.length, node);
  layers.forEach((layer, index) => {
    const { scope, source } = countedRows(input, text, compiler);
    const made = layer.map(({ column, value }) => ({
      id: column.id,
      text: compiler.expression(value, column.type, scope).text,
    }));
    const values = layer.map(({ value }) => value);
    const { from, where, value } = pacedRows(source(), values, { input, compiler });
    const computed = new Map(made.map(({ id, text: written }) => [id, value(written)]));
    const ids = index === layers.length - 1 ? compiler.outputs(rows) : [...known, ...computed.keys()];
    for (const id of computed.keys()) known.add(id);
    text = compiler.select(ids, { from, computed, ...(where === undefined ? {} : { tail: `where ${where}` }) });
  });
  return text;
}

function layersOf(assigned: readonly Assigned[]): Assigned[][] {
  const layers: Assigned[][] = [];
  let own = new Set<ColumnId>();
  for (const one of assigned) {
    const last = layers.at(-1);
    if (last && !reads(one.value, own)) last.push(one);
    else {
      layers.push([one]);
      own = new Set();
    }
    own.add(one.column.id);
  }
  return layers;
}

function reads(expression: Expression, ids: ReadonlySet<ColumnId>): boolean {
  const id = columnRead(expression);
  return (id !== undefined && ids.has(id)) || childrenOf(expression).some((inner) => reads(inner, ids));
}
