// How many rows DuckDB computes at once. It takes 2,048 at a time and checks for an interrupt, and its memory, only between
// two such vectors of stored rows: where each row may make thousands of elements, one vector is minutes of work and
// gigabytes. So a row gets as many slots in a vector as it is heavy. unnest() makes the slots, of which a filter leaves the
// first: a light row takes one and costs next to nothing more, a heavy one has a vector for itself.

import { type ColumnId, childrenOf, type Expression, isConstant, someWithin } from '#query/model/expression.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { paddedBytes } from '#query/sql/forms/position-bytes.ts';
import { stopToken } from '#query/sql/stop-check.ts';

const VECTOR_ROWS = 2048;
/** Elements, or bytes by their eighths, of one slot. */
const ENTRY = 64;

/** Functions that may make much of little. */
const MAKERS: ReadonlySet<string> = new Set(['foreach', 'split', 'zip', 'replace']);

const makes = (expression: Expression): boolean =>
  someWithin(expression, (inner) => inner.kind === 'call' && MAKERS.has(inner.called.name));

/** Rows for which `value` computes something heavy. */
interface Paced {
  readonly from: string;
  readonly where: string | undefined;
  /** Keeps the optimizer from computing a value before there are slots. */
  value(text: string): string;
}

/** `from` is a SELECT in brackets or a name. */
export function pacedRows(
  from: string,
  expressions: readonly Expression[],
  { input, compiler }: { readonly input: PlanNode; readonly compiler: PlanCompiler },
): Paced {
  const isMade = () => compiler.isMadeBy(makes, input) || compiler.lengths.areLong(expressions, input);
  const isHeavy = expressions.some(makes) || (expressions.some(calls) && isMade());
  return isHeavy
    ? inSlots(from, weightOf(expressions, compiler), compiler)
    : { from, where: undefined, value: (text) => text };
}

/** Rows of a node that become texts as a whole, of which few fit into memory at once where they are long. */
export function pacedTexts(from: string, node: PlanNode, compiler: PlanCompiler): Paced {
  if (!compiler.lengths.isLong(node)) return { from, where: undefined, value: (text) => text };
  const texts = compiler.outputs(node.rows).filter((id) => TEXTS.includes(compiler.typeOf(id)));
  const bytes = ['0', ...texts.map((id) => lengthSql(id, 1, compiler))].join(' + ');
  return inSlots(from, `(${bytes}) // 8`, compiler);
}

/** `weight` in elements. */
export function inSlots(from: string, weight: string, compiler: PlanCompiler): Paced {
  const slots = compiler.name('places');
  const slot = compiler.name('place');
  const count = `least(${VECTOR_ROWS}, 1 + (${weight}) // ${ENTRY})::bigint`;
  const token = compiler.bind(stopToken(compiler.context.run)).text;
  return {
    from: `(select *, unnest(${slots}) as ${slot} from (select *, range(${count}) as ${slots} from ${from}))`,
    // DuckDB checks for an interrupt only after all vectors that one of stored rows becomes.
    where: `case when ${slot} <> 0 then false when len(${slots}) = 1 then true else not vigil_stopped(${token}, ${slot}) end`,
    // A list among the columns keeps DuckDB from filling a vector up again.
    value: (text) => `case when ${slot} < len(${slots}) then ${text} end`,
  };
}

const calls = (expression: Expression): boolean => someWithin(expression, ({ kind }) => kind === 'call');

/** Lists have no more elements than half their bytes, and each enclosing foreach() goes through them once more. */
function weightOf(expressions: readonly Expression[], compiler: PlanCompiler): string {
  const read = expressions.flatMap((one) => textsIn(one));
  const constants = expressions.reduce((total, one) => total + constantBytes(one, compiler), 0);
  const depth = Math.max(0, ...expressions.map(foreachDepth));
  const lengths = [...new Set(read)].map((id) => lengthSql(id, depth === 0 ? occurrences(id, read) : 1, compiler));
  const bytes = `(${[String(constants), ...lengths].join(' + ')})`;
  return depth === 0 ? `${bytes} // 8` : `least(pow(${bytes} / 2, ${depth}) * (1 + ${bytes} / 1024), 1e9)`;
}

const lengthSql = (id: ColumnId, times: number, compiler: PlanCompiler): string =>
  `${times === 1 ? '' : `${times} * `}coalesce(strlen(${compiler.column(id).text}::varchar), 0)`;

const occurrences = (id: ColumnId, ids: readonly ColumnId[]): number => ids.filter((one) => one === id).length;

const TEXTS: readonly string[] = ['string', 'any', 'list', 'map'];

function textsIn(expression: Expression): readonly ColumnId[] {
  if (expression.kind !== 'field') return childrenOf(expression).flatMap(textsIn);
  const { source, type } = expression;
  if (source?.kind === 'overflow' || source?.kind === 'rest') return [source.id];
  return source?.kind === 'column' && TEXTS.includes(type) ? [source.id] : [];
}

/** Of constants, and of the padding of lpad() and rpad(). */
function constantBytes(expression: Expression, compiler: PlanCompiler): number {
  const writer = compiler.writer();
  if (isConstant(expression)) return taggedJson(writer.constant(expression)).length;
  const own = expression.kind === 'call' ? paddedBytes(expression, writer) : 0;
  return childrenOf(expression).reduce((total, inner) => total + constantBytes(inner, compiler), own);
}

function foreachDepth(expression: Expression): number {
  const own = expression.kind === 'call' && expression.called.name === 'foreach' ? 1 : 0;
  return own + Math.max(0, ...childrenOf(expression).map(foreachDepth));
}
