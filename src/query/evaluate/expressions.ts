// Compiles expression trees to closures. Closures take the row and the elements of the foreach() calls around.

import type { Arithmetic, Call, Comparison, Expression, FieldRead, Logic } from '#query/expression.ts';
import type { FunctionDeclaration, Lazy } from '#query/functions/function.ts';
import type { Value } from '#query/values.ts';
import { negated, operation } from './arithmetic.ts';
import { converterTo, textOf } from './conversions.ts';
import { compareForLess, equals } from './equality.ts';
import type { EvaluationScope } from './index.ts';
import { isTrue } from './truth.ts';
import { wildcardTest } from './wildcards.ts';

/** Elements of the innermost foreach() first. */
interface Elements {
  readonly values: readonly Value[];
  readonly outer: Elements | undefined;
}

type Compiled<Row> = (row: Row, elements: Elements | undefined) => Value;

export class Compiler<Row> {
  readonly #scope: EvaluationScope<Row>;

  constructor(scope: EvaluationScope<Row>) {
    this.#scope = scope;
  }

  compile(expression: Expression): Compiled<Row> {
    switch (expression.kind) {
      case 'literal':
        return () => expression.value;
      case 'pattern':
        return () => expression.parts.join('*');
      case 'field':
        return this.#field(expression);
      case 'parameter': {
        const value = this.#scope.constants.get(expression.name) ?? null;
        return value === null && expression.fallback ? this.compile(expression.fallback) : () => value;
      }
      case 'negation': {
        const operand = this.compile(expression.operand);
        return (row, elements) => negated(operand(row, elements));
      }
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'comparison':
        return this.#comparison(expression);
      case 'logic':
        return this.#logic(expression);
      case 'call':
        return expression.called.hostLazy
          ? this.#lazyCall(expression, expression.called.hostLazy)
          : this.#call(expression);
    }
  }

  #field(field: FieldRead): Compiled<Row> {
    const { source } = field;
    if (source?.kind === 'absent') return () => null;
    if (source?.kind !== 'element') return this.#scope.field(field);
    const { position, level } = source;
    return (_, elements) => {
      let around = elements;
      for (let up = 0; up < level; up += 1) around = around?.outer;
      return around?.values[position] ?? null;
    };
  }

  #arithmetic({ operator, left, right }: Arithmetic): Compiled<Row> {
    const operate = operation(operator);
    const a = this.compile(left);
    const b = this.compile(right);
    return (row, elements) => operate(a(row, elements), b(row, elements));
  }

  #comparison({ operator, left, right }: Comparison): Compiled<Row> {
    const { run } = this.#scope;
    const a = this.compile(left);
    if (right.kind === 'pattern') {
      const fits = wildcardTest(right.parts);
      const isWanted = operator === '==';
      return (row, elements) => {
        const text = textOf(a(row, elements), run.zone);
        return text !== null && fits(text) === isWanted;
      };
    }
    const b = this.compile(right);
    if (operator === '==') return (row, elements) => equals(a(row, elements), b(row, elements), run.zone);
    if (operator === '!=') {
      return (row, elements) => {
        const one = a(row, elements);
        const other = b(row, elements);
        return one !== null && other !== null && !equals(one, other, run.zone);
      };
    }
    const holds = ORDERS[operator];
    return (row, elements) => {
      const order = compareForLess(a(row, elements), b(row, elements), run.zone);
      return order === null ? null : holds(order);
    };
  }

  #logic({ operator, operands }: Logic): Compiled<Row> {
    const compiled = operands.map((operand) => this.compile(operand));
    return operator === 'and'
      ? (row, elements) => compiled.every((operand) => isTrue(operand(row, elements)))
      : (row, elements) => compiled.some((operand) => isTrue(operand(row, elements)));
  }

  #call({ called, args }: Call): Compiled<Row> {
    const { run } = this.#scope;
    const { host, nulls } = called;
    if (!host) throw new Error(`${called.name} has no host form`);
    const read = args.map((arg, index) => this.#converted(called, arg, index));
    if (nulls === 'own')
      return (row, elements) =>
        host(
          read.map((one) => one(row, elements)),
          run,
        );
    return (row, elements) => {
      const values: Value[] = [];
      for (const one of read) {
        const value = one(row, elements);
        if (value === null) return null;
        values.push(value);
      }
      return host(values, run);
    };
  }

  #converted(called: FunctionDeclaration, arg: Expression, index: number): Compiled<Row> {
    const compiled = this.compile(arg);
    const { type = 'any' } = called.args[Math.min(index, called.args.length - 1)] ?? {};
    if (type === 'any') return compiled;
    const convert = converterTo(type);
    const { run } = this.#scope;
    return (row, elements) => convert(compiled(row, elements), run.zone);
  }

  /**
   * Thunks are made once and read the row from variables around them: a node is never entered again before it has
   * returned, since no expression contains itself.
   */
  #lazyCall({ called, args }: Call, hostLazy: NonNullable<FunctionDeclaration['hostLazy']>): Compiled<Row> {
    const { run } = this.#scope;
    let now: { row: Row; elements: Elements | undefined } | undefined;
    const thunks = args.map((arg, index): Lazy => {
      const compiled = this.#converted(called, arg, index);
      const thunk = (values?: readonly Value[]): Value => {
        if (!now) throw new Error('an argument is asked for outside of its call');
        return compiled(now.row, values ? { values, outer: now.elements } : now.elements);
      };
      return arg.kind === 'pattern' ? Object.assign(thunk, { fits: wildcardTest(arg.parts), parts: arg.parts }) : thunk;
    });
    return (row, elements) => {
      now = { row, elements };
      return hostLazy(thunks, run);
    };
  }
}

const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
