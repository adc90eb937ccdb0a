// Compiles expression trees to SQL. The local evaluator computes constants, which become bound values.

import {
  type Arithmetic,
  type Call,
  type Comparison,
  type Expression,
  type FieldRead,
  isConstant,
  type Negation,
} from '#query/model/expression.ts';
import { type ColumnType, unified, type Value } from '#query/model/values.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { equality, order, type Side } from './comparison.ts';
import {
  asType,
  convertTo,
  fromAny,
  nullIfHuge,
  overflowKey,
  toAny,
  toDouble,
  toNumber,
  toText,
  truth,
} from './conversion.ts';
import type { ExpressionCompiler } from './expression-compiler.ts';
import { formOf } from './forms/index.ts';
import { localCallBudgetToken } from './local-call-budget.ts';
import { isTooDeep, localExpression } from './local-expression.ts';
import { wildcardSql } from './patterns.ts';
import type { Sql, SqlScope } from './scope.ts';
import { NULL_SQL } from './statement.ts';
import { sql, test, Writer } from './writer.ts';

export class Compiler extends Writer implements ExpressionCompiler {
  /** Variables of the enclosing foreach() calls, the innermost first. */
  readonly #elements: readonly (readonly Sql[])[];
  readonly positions: string;

  constructor(scope: SqlScope, elements: readonly (readonly Sql[])[] = [], positions = '1') {
    super(scope);
    this.#elements = elements;
    this.positions = positions;
  }

  /** Compiles an expression that is not part of another one. */
  whole(expression: Expression): Sql {
    return isTooDeep(expression) ? localExpression(expression, this) : this.compile(expression);
  }

  compile(expression: Expression): Sql {
    if (isConstant(expression)) return this.bind(this.constant(expression));
    switch (expression.kind) {
      case 'field':
        return this.#field(expression);
      case 'negation':
        return this.#negation(expression);
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'comparison':
        return this.#comparison(expression);
      case 'logic': {
        const sides = expression.operands.map((operand) => truth(this.compile(operand)));
        return sql(`(${sides.join(` ${expression.operator} `)})`, 'bool');
      }
      case 'call':
        return this.#call(expression);
      default:
        return this.bind(this.constant(expression));
    }
  }

  condition(expression: Expression): string {
    if (isTooDeep(expression)) return truth(localExpression(expression, this));
    if (expression.kind === 'logic') {
      return `(${expression.operands.map((operand) => this.condition(operand)).join(` ${expression.operator} `)})`;
    }
    const value = this.compile(expression);
    if (expression.kind === 'comparison' && value.bare === undefined) return value.text;
    return value.bare ?? truth(value);
  }

  constant(expression: Expression): Value {
    return evaluateConstant(expression, this.scope.run, this.scope.constants);
  }

  side(expression: Expression): Side {
    if (!isConstant(expression)) {
      const compared = this.compile(expression);
      // A long and a double of one value are equal, and are compared alike with everything.
      return { sql: compared.double === undefined ? compared : toDouble(compared, this) };
    }
    const value = this.constant(expression);
    return { sql: this.bind(value), value };
  }

  alike(values: readonly Sql[]): { values: readonly Sql[]; type: ColumnType } {
    const type = values.reduce<ColumnType>(
      (all, { type: one }) => unified(all, one === 'number' ? 'any' : one),
      'null',
    );
    return { values: values.map((value) => asType(value, type, this)), type };
  }

  inner(expression: Expression, elements: readonly Sql[], positions: string): Sql {
    const compiler = new InnerCompiler(this, [elements, ...this.#elements], positions);
    return compiler.compile(expression);
  }

  local(name: string, args: readonly Sql[], type: ColumnType): Sql {
    const given = args.map((arg) => toAny(arg, this).text).join(', ');
    const called = this.bind(`${name} ${localCallBudgetToken(this.scope.run)}`).text;
    const text = `vigil_local(${called}, ${this.zone}, json_array(${given}))`;
    return fromAny(sql(`${text}::json`, 'any'), type, this);
  }

  #field({ name, source }: FieldRead): Sql {
    switch (source?.kind) {
      case 'column':
      case 'rest': {
        const column = this.scope.column(source.id);
        return column.type === 'number' ? toAny(column, this) : column;
      }
      case 'overflow':
        return (
          this.scope.leaf?.({ id: source.id, path: [name] }) ?? overflowKey(this.scope.column(source.id), name, this)
        );
      case 'element':
        return this.#elements[source.level]?.[source.position] ?? NULL_SQL;
      default:
        return NULL_SQL;
    }
  }

  #negation({ operand }: Negation): Sql {
    const value = toNumber(this.compile(operand), this);
    if (value.type === 'null') return value;
    if (value.type === 'long')
      return sql(
        this.tried([value], (x) => `-${x}`),
        'long',
      );
    return value.type === 'double' ? sql(`(-${value.text})`, 'double') : sql(this.macro('negate', [value]), 'any');
  }

  #arithmetic({ operator, left, right }: Arithmetic): Sql {
    const a = toNumber(this.compile(left), this);
    const b = toNumber(this.compile(right), this);
    if (a.type === 'null' || b.type === 'null') return NULL_SQL;
    if (operator === '/') {
      return sql(`vigil_finite(${toDouble(a, this).text} / nullif(${toDouble(b, this).text}, 0))`, 'double');
    }
    if (a.type === 'long' && b.type === 'long') {
      return sql(
        this.tried([a, b], (x, y) => `${x} ${operator} ${y}`),
        'long',
      );
    }
    if (a.type === 'double' || b.type === 'double') {
      return sql(`vigil_finite(${toDouble(a, this).text} ${operator} ${toDouble(b, this).text})`, 'double');
    }
    return sql(this.macro(MACRO_OF[operator], [toAny(a, this), toAny(b, this)]), 'any');
  }

  #comparison({ operator, left, right }: Comparison): Sql {
    if (operator !== '==' && operator !== '!=') return order(this.side(left), this.side(right), operator, this);
    if (right.kind === 'pattern') {
      const fits = wildcardSql(toText(this.compile(left), this).text, right.parts, this);
      return test(operator === '==' ? fits : `not (${fits})`);
    }
    const a = this.side(left);
    const b = this.side(right);
    if (operator === '==') return test(equality(a, b, this));
    return sql(
      this.once([a.sql, b.sql], (one, other) => unequal(a, b, one, other, this)),
      'bool',
    );
  }

  #call(call: Call): Sql {
    const { called, args } = call;
    const own = formOf(called.name)?.(call, this);
    if (own) return own;
    const values = args.map((arg) => this.compile(arg));
    const template = called.sql;
    if (template === undefined) return this.local(called.name, values, call.type);
    const texts = values.map((value, index) => this.#argument(call, value, index));
    return sql(
      this.once(texts, (...names) => filled(template, names)),
      call.type,
    );
  }

  /** Numbers in a template are doubles. */
  #argument({ called }: Call, value: Sql, index: number): Sql {
    const { type = 'any' } = called.args[Math.min(index, called.args.length - 1)] ?? {};
    if (type === 'number') return toDouble(value, this);
    return type === 'any' ? toAny(value, this) : convertTo(type)(value, this);
  }
}

/** Its variables have names that the enclosing compiler does not use. */
class InnerCompiler extends Compiler {
  readonly #outer: Compiler;

  constructor(outer: Compiler, elements: readonly (readonly Sql[])[], positions: string) {
    super(outer.scope, elements, positions);
    this.#outer = outer;
  }

  override variable(): string {
    return this.#outer.variable();
  }
}

const MACRO_OF = { '+': 'add', '-': 'subtract', '*': 'multiply' } as const;

/** != is true exactly if both sides are not null and not equal. */
function unequal(a: Side, b: Side, one: string, other: string, writer: Writer): string {
  const left: Side = { ...a, sql: { ...a.sql, text: one, isPlain: true } };
  const right: Side = { ...b, sql: { ...b.sql, text: other, isPlain: true } };
  const isThere = (side: Side) => `${nullIfHuge(side.sql, writer).text} is not null`;
  return `(${isThere(left)} and ${isThere(right)} and not coalesce(${equality(left, right, writer)}, false))`;
}

const filled = (template: string, names: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (_, index: string) => names[Number(index)] ?? '');
