// Gives an expression its place in a plan: names become columns, types are inferred anew, parameters are looked up.

import type { SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import { functionNamed } from '#query/functions/index.ts';
import type { Rows } from '#query/model/columns.ts';
import { fieldIn, isKnownName, readColumn } from '#query/model/columns.ts';
import {
  type Call,
  type Expression,
  elementSource,
  type FieldRead,
  type ParameterRead,
} from '#query/model/expression.ts';
import { QueryError, type QueryWarning } from '#query/model/query-error.ts';
import { unified } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { arithmetic, call, comparison, literal, logic, negation } from '#query/values/typing.ts';
import type { ConstantWork } from './constant-work.ts';
import type { Constants } from './constants.ts';
import { folded, knownArguments } from './folding.ts';
import type { QueryContext } from './query-context.ts';

export interface Scope {
  /** Absent where no field can be read (90401). */
  readonly rows?: Rows;
  readonly constants: Constants;
  /** Called for names that no row has. */
  readonly unknown: (field: FieldRead, rows: Rows) => void;
  /** Called for every name that is read. */
  readonly read: (field: FieldRead, rows: Rows) => void;
  /** Called for parameters that may have no value. */
  readonly unset: (read: ParameterRead) => void;
  readonly queryContext: Pick<QueryContext, 'groups' | 'evaluate' | 'isCheck'>;
  readonly warn: (warning: QueryWarning) => void;
  readonly work: ConstantWork;
  readonly slices: SliceSteps;
  readonly refusedFunctions: ReadonlySet<string>;
  /** Each row has a moment of its own: an expression that depends on it is no constant. */
  readonly isMomentary: boolean;
  /** Number of lists of each enclosing foreach(), the innermost first. */
  readonly elements?: readonly number[];
}

export function* resolved(expression: Expression, scope: Scope): SlicedWork<Expression> {
  if (scope.slices.isEnd()) yield;
  return folded(yield* placed(expression, scope), scope);
}

function* placed(expression: Expression, scope: Scope): SlicedWork<Expression> {
  switch (expression.kind) {
    case 'literal':
    case 'pattern':
      return expression;
    case 'field':
      return resolvedField(expression, scope);
    case 'parameter': {
      const fallback = expression.fallback && (yield* resolved(expression.fallback, scope));
      const ofRow = rowParameter(expression, fallback, scope);
      if (ofRow) return ofRow;
      scope.unset(expression);
      const type = unified(scope.constants.typeOf(expression), fallback?.type ?? 'null');
      return fallback ? { ...expression, type, fallback } : { ...expression, type };
    }
    case 'negation':
      return negation(yield* resolved(expression.operand, scope), expression);
    case 'arithmetic':
      return spanned(
        arithmetic(
          expression.operator,
          yield* resolved(expression.left, scope),
          yield* resolved(expression.right, scope),
        ),
        expression,
      );
    case 'comparison':
      return spanned(
        comparison(
          expression.operator,
          yield* resolved(expression.left, scope),
          yield* resolved(expression.right, scope),
        ),
        expression,
      );
    case 'logic':
      return logic(expression.operator, yield* resolvedAll(expression.operands, scope), expression);
    case 'call':
      return yield* expression.called.name === 'field'
        ? computedField(expression, scope)
        : resolvedCall(expression, scope);
  }
}

function* resolvedAll(expressions: readonly Expression[], scope: Scope): SlicedWork<Expression[]> {
  const made: Expression[] = [];
  for (const expression of expressions) made.push(yield* resolved(expression, scope));
  return made;
}

/** A name that is known by now is that of a field like any other; no warning, because it was computed. */
function* computedField(expression: Call, scope: Scope): SlicedWork<Expression> {
  const { rows, constants } = scope;
  if (!rows) throw new QueryError(90401, expression);
  const { args, called } = expression;
  const names = yield* resolvedAll(args, scope);
  const [name] = names;
  if (name?.kind !== 'literal') return called.expanded?.(call(called, names, expression), rows) ?? expression;
  const text = textOf(name.value, String(constants.values.get('_timezone') ?? 'UTC'));
  return text === null ? literal(null, expression) : fieldIn(rows, text, expression);
}

/** The value that evalc has set for the row; undefined where the parameter is none of its own. */
function rowParameter(
  read: ParameterRead,
  fallback: Expression | undefined,
  { rows, unset }: Scope,
): Expression | undefined {
  const column = rows?.parameters?.find(({ name }) => name === read.name);
  if (!column) return undefined;
  if (column.mayBeUnset) unset(read);
  const field = readColumn(column, read);
  const nvl = fallback && functionNamed('nvl');
  return fallback && nvl ? call(nvl, [field, fallback], read) : field;
}

const spanned = <E extends Expression>(made: E, { begin, end }: Expression): E => ({ ...made, begin, end });

function* resolvedCall(expression: Call, scope: Scope): SlicedWork<Call> {
  const { called, args } = expression;
  if (scope.refusedFunctions.has(called.name)) throw refused(expression);
  if (called.name !== 'foreach') {
    const given: Expression[] = [];
    for (const [index, arg] of args.entries()) {
      const isQuiet = index === 0 && TESTS_OF_NULL.has(called.name);
      const made = yield* resolved(arg, isQuiet ? quiet(arg, scope) : scope);
      given.push(called.args[index]?.secret ? secret(arg, made) : made);
    }
    const known = knownArguments(called, given, scope);
    const made = call(called, known, expression);
    warnArguments(made, scope);
    if (!called.expanded) return made;
    if (!scope.rows) throw new QueryError(90401, expression);
    return called.expanded(made, scope.rows);
  }
  const [body, ...lists] = args;
  if (!body) return expression;
  const inner = { ...scope, elements: [lists.length, ...(scope.elements ?? [])] };
  return call(called, [yield* resolved(body, inner), ...(yield* resolvedAll(lists, scope))], expression);
}

/** Warnings about constants, which only checks give. */
function warnArguments({ called, args }: Call, { queryContext, warn }: Scope): void {
  if (!queryContext.isCheck) return;
  for (const [index, arg] of args.entries()) {
    if (arg.kind === 'literal') for (const warning of called.args[index]?.warnings?.(arg) ?? []) warn(warning);
  }
}

/** The value of a parameter where only a parameter may stand. */
function secret(arg: Expression, made: Expression): Expression {
  return made.kind === 'literal' && arg.kind === 'parameter' ? { ...made, isSecret: true } : made;
}

/** Functions whose purpose is a field that may be missing. */
const TESTS_OF_NULL = new Set(['isnull', 'isnotnull', 'nvl']);

const quiet = (arg: Expression, scope: Scope): Scope =>
  arg.kind === 'field' ? { ...scope, unknown: () => undefined } : scope;

const refused = ({ called: { name }, begin }: Call) =>
  new QueryError(92002, { begin, end: begin + name.length }, { name });

export function resolvedField(field: FieldRead, { rows, elements = [], unknown, read }: Scope): FieldRead {
  const element = elementSource(field.name, elements);
  if (element) return { ...field, type: 'any', source: { kind: 'element', ...element } };
  if (!rows) throw new QueryError(90401, field);
  const found = fieldIn(rows, field.name, field);
  if (!field.isQuoted && !isKnownName(rows, field.name)) unknown(field, rows);
  read(field, rows);
  return found;
}
