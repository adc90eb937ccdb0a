// Nodes that evaluate expressions of the query for each row: filter and project.

import { type Expression, someWithin } from '#query/model/expression.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { isTooDeep } from '#query/sql/local-expression.ts';

const deep = new WeakMap<object, boolean>();

/** Whether expressions run locally: those too deep for SQL always, in threads also those that may call back for a row. */
export function evaluatesLocally(node: object, expressions: readonly Expression[], isInThreads: boolean): boolean {
  // Asked many times of the same node.
  const isDeep = deep.get(node) ?? expressions.some(isTooDeep);
  deep.set(node, isDeep);
  return isDeep || (isInThreads && mayCallLocal(expressions));
}

/** Some functions have no SQL, others have none for all values; seq() counts rows in an order that the statement knows. */
function mayCallLocal(expressions: readonly Expression[]): boolean {
  const calls = (fits: (name: string) => boolean) =>
    expressions.some((one) => someWithin(one, (inner) => inner.kind === 'call' && fits(inner.called.name)));
  return calls(() => true) && !calls((name) => name === 'seq');
}

/** A scope in which seq() counts the rows of a node, and the rows with that count. */
export function countedRows(input: PlanNode, from: string, compiler: PlanCompiler) {
  let name: string | undefined;
  const scope = compiler.scope({
    sequence: () => {
      name ??= compiler.name('seq');
      return { text: name, type: 'long', isPlain: true };
    },
  });
  const source = () => {
    if (name === undefined) return `(${from})`;
    const order = compiler.order(input.rows);
    return `(select *, row_number() over (${order === undefined ? '' : `order by ${order}`}) as ${name} from (${from}))`;
  };
  return { scope, source };
}
