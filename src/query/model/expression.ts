// Expression trees. The parser builds them, the planner builds them again with the types and sources of real columns,
// and evaluators and the SQL compiler read them. Nodes are plain immutable data; build them with the functions of
// typing.ts, which infer the type and make the checks that depend on it.
//
// Depth is bounded (MAX_DEPTH of expression-stack.ts), so recursion over a tree is safe.

import type { AggregateDeclaration, FunctionDeclaration } from './function.ts';
import type { ColumnType, Value } from './values.ts';

/** A range of the query text in UTF-16 units: `begin` inclusive, `end` exclusive. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

export type Expression =
  | Literal
  | Pattern
  | FieldRead
  | ParameterRead
  | Negation
  | Arithmetic
  | Comparison
  | Logic
  | Call;

interface Typed extends Span {
  readonly type: ColumnType;
}

/** A constant of the text: null, bool, long, double or string. Negative numbers are literals too. */
export interface Literal extends Typed {
  readonly kind: 'literal';
  readonly value: Value;
  /** The contents of a STRING with their positions, so that an error inside of it has an exact position. */
  readonly inner?: InnerText;
  /** The value of a parameter where only a parameter may stand. */
  readonly isSecret?: true;
}

/** Contents of a STRING token: `offsets[i]` is the position in the query text of unit i of the unescaped text. */
export interface InnerText {
  readonly text: string;
  readonly offset: (index: number) => number;
}

/**
 * A string with unescaped stars where a star is a wildcard (4.4): the texts between the stars, at least two. It occurs
 * only as the right side of == and !=, as a member of in() and as the second argument of eqi().
 */
interface Pattern extends Typed {
  readonly kind: 'pattern';
  readonly type: 'string';
  readonly parts: readonly string[];
}

/** A field by its name. The parser leaves `source` out; in a plan every field has one. */
export interface FieldRead extends Typed {
  readonly kind: 'field';
  readonly name: string;
  /** Written field("…"). */
  readonly isQuoted?: true;
  readonly source?: FieldSource;
}

/** Where a field's value comes from, decided once by the planner (6.1). */
type FieldSource =
  | { readonly kind: 'column'; readonly id: ColumnId }
  /** The key `name` of the JSON object in the overflow column. */
  | { readonly kind: 'overflow'; readonly id: ColumnId }
  /** All of the overflow column: a map, or null. */
  | { readonly kind: 'rest'; readonly id: ColumnId }
  /** `_1`, `_2` … inside foreach(): position from 0; level 0 is the innermost foreach() that encloses the field. */
  | { readonly kind: 'element'; readonly position: number; readonly level: number }
  /** No field of this name can exist here, so the value is null. */
  | { readonly kind: 'absent' };

/** Identity of a column within one plan: a name may be reused, an id never. */
export type ColumnId = number;

/** `$("name", fallback)`: a constant of the run. */
export interface ParameterRead extends Typed {
  readonly kind: 'parameter';
  readonly name: string;
  readonly fallback?: Expression;
}

export interface Negation extends Typed {
  readonly kind: 'negation';
  readonly operand: Expression;
}

export interface Arithmetic extends Typed {
  readonly kind: 'arithmetic';
  readonly operator: '+' | '-' | '*' | '/';
  readonly left: Expression;
  readonly right: Expression;
}

/** `right` is a Pattern only with == and !=. */
export interface Comparison extends Typed {
  readonly kind: 'comparison';
  readonly type: 'bool';
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * Two or more operands, taken from left to right. `a or b or c` and `(a or b) or c` are one node of three operands, so
 * that long chains stay flat; `a or (b or c)` is a node in a node.
 */
export interface Logic extends Typed {
  readonly kind: 'logic';
  readonly type: 'bool';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
}

/** A call with as many arguments as its declaration allows. `field()` and `$()` are nodes of their own. */
export interface Call extends Typed {
  readonly kind: 'call';
  readonly called: FunctionDeclaration;
  readonly args: readonly Expression[];
}

/** An aggregate with the name of its output column; only stats and related commands have these. */
export interface AggregateCall extends Typed {
  readonly called: AggregateDeclaration;
  readonly args: readonly Expression[];
  readonly output: string;
  /** The span of the whole call, with the name after `as`. */
  readonly outputSpan: Span;
}

/** The direct operands and arguments. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'negation':
      return [expression.operand];
    case 'arithmetic':
    case 'comparison':
      return [expression.left, expression.right];
    case 'logic':
      return expression.operands;
    case 'call':
      return expression.args;
    case 'parameter':
      return expression.fallback ? [expression.fallback] : [];
    default:
      return [];
  }
}

/** True if the expression or one inside of it fits. */
export function someWithin(expression: Expression, fits: (inner: Expression) => boolean): boolean {
  return fits(expression) || childrenOf(expression).some((inner) => someWithin(inner, fits));
}

/** True if the value depends on the order of rows. */
export const isOrdered = (expression: Expression): boolean =>
  someWithin(expression, (inner) => inner.kind === 'call' && inner.called.ordered === true);

/** True if the value depends on other rows or differs from call to call. */
export const isVolatile = (expression: Expression): boolean =>
  someWithin(expression, (inner) => inner.kind === 'call' && (inner.called.volatile || inner.called.ordered) === true);

/** The column, if the expression is a plain read of one. */
export const columnRead = (expression: Expression): ColumnId | undefined =>
  expression.kind === 'field' && expression.source?.kind === 'column' ? expression.source.id : undefined;

/** A constant of the run reads no field and calls no function whose value differs from row to row. */
export const isConstant = (expression: Expression): boolean => !differs(expression, []);

/** `lists`: the number of lists of each enclosing foreach(), the innermost first. Their elements are not fields. */
function differs(expression: Expression, lists: readonly number[]): boolean {
  if (expression.kind === 'field') return elementSource(expression.name, lists) === undefined;
  if (expression.kind === 'call' && (expression.called.volatile || expression.called.expanded)) return true;
  if (expression.kind !== 'call' || expression.called.name !== 'foreach') {
    return childrenOf(expression).some((inner) => differs(inner, lists));
  }
  const [body, ...own] = expression.args;
  return own.some((list) => differs(list, lists)) || (body !== undefined && differs(body, [own.length, ...lists]));
}

/** The foreach() and the list that a name such as `_1` refers to; undefined for any other name. */
export function elementSource(
  name: string,
  lists: readonly number[],
): { readonly position: number; readonly level: number } | undefined {
  const [, digits] = (lists.length > 0 && /^_([1-9]\d{0,3})$/.exec(name)) || [];
  if (digits === undefined) return undefined;
  const position = Number(digits) - 1;
  const level = lists.findIndex((count) => position < count);
  return level === -1 ? undefined : { position, level };
}

/** A value inside of an object of the overflow: the keys that lead to it, the first one the name of a field. */
export interface LeafRead {
  readonly id: ColumnId;
  readonly path: readonly string[];
}

/** A field of the overflow, or what valueof() with constant keys takes out of one; a whole number may be the index in a list. */
export function leafRead(expression: Expression): LeafRead | undefined {
  if (expression.kind === 'field') {
    const { name, source } = expression;
    return source?.kind === 'overflow' ? { id: source.id, path: [name] } : undefined;
  }
  if (expression.kind !== 'call' || expression.called.name !== 'valueof') return undefined;
  const [object, key] = expression.args;
  if (key?.kind !== 'literal' || typeof key.value !== 'string' || !MAP_KEY.test(key.value)) return undefined;
  const inner = object && leafRead(object);
  return inner && { ...inner, path: [...inner.path, key.value] };
}

/** No text that a whole number can be read from. */
const MAP_KEY = /^[\p{L}_]/u;
