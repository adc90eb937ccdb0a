// Compiles expression trees to closures over a row and the elements of the enclosing foreach() calls. Everything that
// does not differ from row to row is computed at compile time: patterns, members, the types of comparison with a
// constant.

import type { Arithmetic, Call, Comparison, Expression, FieldRead, Logic } from '#query/model/expression.ts';
import type { ConstantArgument, FunctionDeclaration, Lazy } from '#query/model/function.ts';
import type { Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { negated, operation } from '#query/values/arithmetic.ts';
import { converterTo, textOf } from '#query/values/conversions.ts';
import { compareForLess, type Equality, equals, isEquality, ORDERS } from '#query/values/equality.ts';
import { checkElements } from '#query/values/sizes.ts';
import { JSON_WEIGHT, longText, UnlimitedSteps } from '#query/values/steps.ts';
import { wildcardTest } from '#query/values/text/wildcards.ts';
import { isTrue } from '#query/values/truth.ts';
import { compiledCall } from './compiled-call.ts';
import type { Compiled, Elements, Test } from './evaluate.ts';
import type { EvaluationScope } from './evaluator.ts';
import { equalsConstant, orderToConstant } from './literals.ts';

export class Compiler<Row> {
  readonly #scope: EvaluationScope<Row>;
  readonly #steps: Steps;

  constructor(scope: EvaluationScope<Row>) {
    this.#scope = scope;
    this.#steps = scope.run.steps ?? new UnlimitedSteps();
  }

  compile(expression: Expression): Compiled<Row> {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'pattern': {
        const text = expression.parts.join('*');
        return () => text;
      }
      case 'field':
        return this.#field(expression);
      case 'parameter': {
        const value = this.#scope.constants.get(expression.name) ?? null;
        return value === null && expression.fallback ? this.compile(expression.fallback) : () => value;
      }
      case 'negation': {
        const operand = this.compile(expression.operand);
        const steps = this.#steps;
        return (row, elements) => {
          const value = operand(row, elements);
          steps.take(1 + longText(value));
          return negated(value);
        };
      }
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'comparison':
        return this.#comparison(expression);
      case 'logic':
        return this.#logic(expression);
      case 'call':
        return this.#call(expression);
    }
  }

  /** The truth of the value (4.1). */
  test(expression: Expression): Test<Row> {
    if (expression.kind === 'logic') return this.#logic(expression);
    if (expression.kind === 'comparison' && isEquality(expression)) return this.#equality(expression);
    const compiled = this.compile(expression);
    return (row, elements) => isTrue(compiled(row, elements));
  }

  #field(field: FieldRead): Compiled<Row> {
    const { source } = field;
    if (source?.kind === 'absent') return () => null;
    if (source?.kind !== 'element') return this.#scope.field(field);
    const { position, level } = source;
    return (_, elements) => {
      let enclosing = elements;
      for (let up = 0; up < level; up += 1) enclosing = enclosing?.outer;
      return enclosing?.values[position] ?? null;
    };
  }

  #arithmetic({ operator, left, right }: Arithmetic): Compiled<Row> {
    const operate = operation(operator);
    const steps = this.#steps;
    const a = this.compile(left);
    const b = this.compile(right);
    return (row, elements) => {
      const one = a(row, elements);
      const other = b(row, elements);
      steps.take(1 + longText(one) + longText(other));
      return operate(one, other);
    };
  }

  #comparison(comparison: Comparison): Compiled<Row> {
    if (isEquality(comparison)) return this.#equality(comparison);
    const { operator, left, right } = comparison;
    if (operator === '==' || operator === '!=') throw new Error('equality is compiled by #equality');
    const { zone } = this.#scope.run;
    const steps = this.#steps;
    const a = this.compile(left);
    const holds = ORDERS[operator];
    if (right.kind === 'literal') {
      const order = orderToConstant(right.value, zone);
      return (row, elements) => {
        const value = a(row, elements);
        steps.take(1 + longText(value));
        const found = order(value);
        return found === null ? null : holds(found);
      };
    }
    const b = this.compile(right);
    return (row, elements) => {
      const one = a(row, elements);
      const other = b(row, elements);
      steps.take(1 + longText(one) + longText(other));
      const found = compareForLess(one, other, zone);
      return found === null ? null : holds(found);
    };
  }

  #equality({ operator, left, right }: Equality): Test<Row> {
    const { zone } = this.#scope.run;
    const steps = this.#steps;
    const isWanted = operator === '==';
    if (right.kind === 'pattern') {
      const fits = wildcardTest(right.parts);
      const text = this.#text(left);
      return (row, elements) => {
        const whole = text(row, elements);
        steps.take(1 + longText(whole));
        return whole !== null && fits(whole) === isWanted;
      };
    }
    if (right.kind === 'literal') return this.#equalsLiteral(left, right.value, isWanted);
    if (left.kind === 'literal') return this.#equalsLiteral(right, left.value, isWanted);
    const a = this.compile(left);
    const b = this.compile(right);
    return (row, elements) => {
      const one = a(row, elements);
      const other = b(row, elements);
      steps.take(1);
      steps.takeDeep(one, JSON_WEIGHT);
      steps.takeDeep(other, JSON_WEIGHT);
      return one !== null && other !== null && equals(one, other, zone) === isWanted;
    };
  }

  /** The text of any value. */
  #text(expression: Expression): (row: Row, elements: Elements | undefined) => string | null {
    const steps = this.#steps;
    const { zone } = this.#scope.run;
    const read = this.compile(expression);
    return (row, elements) => {
      const value = read(row, elements);
      if (typeof value !== 'string') steps.takeDeep(value, JSON_WEIGHT);
      return textOf(value, zone);
    };
  }

  #equalsLiteral(side: Expression, literal: Value, isWanted: boolean): Test<Row> {
    if (literal === null) return () => false;
    const read = this.compile(side);
    const steps = this.#steps;
    const isEqual = equalsConstant(literal, this.#scope.run.zone);
    const readsLists = typeof literal === 'object';
    return (row, elements) => {
      const value = read(row, elements);
      steps.take(1 + longText(value));
      if (readsLists) steps.takeDeep(value, JSON_WEIGHT);
      return isWanted ? isEqual(value) : value !== null && !isEqual(value);
    };
  }

  #logic({ operator, operands }: Logic): Test<Row> {
    const tests = operands.map((operand) => this.test(operand));
    const isSettled = operator === 'or';
    const steps = this.#steps;
    return (row, elements) => {
      steps.take(1);
      for (const test of tests) if (test(row, elements) === isSettled) return isSettled;
      return !isSettled;
    };
  }

  #call(call: Call): Compiled<Row> {
    const { called, args } = call;
    const prepared = this.#preparedTest(call);
    if (prepared) return prepared;
    if (called.localLazy) return this.#lazyCall(call, called.localLazy);
    const read = args.map((arg, index) => this.#converted(called, arg, index));
    return compiledCall(call, read, { run: this.#scope.run, steps: this.#steps });
  }

  /** A test of one value against constants; undefined if an argument is not constant. */
  #preparedTest({ called, args: [first, ...others] }: Call): Test<Row> | undefined {
    const constants = others.flatMap((arg): ConstantArgument[] => {
      if (arg.kind === 'pattern') return [{ parts: arg.parts }];
      return arg.kind === 'literal' ? [{ value: arg.value }] : [];
    });
    if (!called.testOf || !first || constants.length < others.length) return undefined;
    const test = called.testOf(constants, this.#scope.run);
    const read = this.#converted(called, first, 0);
    const steps = this.#steps;
    // A constant text of another length is rejected at once; each pattern and number needs a pass over the value.
    const passes = Math.max(1, constants.filter(({ value }) => typeof value !== 'string').length);
    const each = 1 + (constants.length >> 4);
    const { weight = 1 } = steps.isWeighed ? called : {};
    return (row, elements) => {
      const value = read(row, elements);
      if (value === null) return false;
      if (typeof value === 'string') steps.take(each + Math.floor((value.length * passes * weight) / 64));
      else {
        steps.take(each);
        steps.takeDeep(value, JSON_WEIGHT * passes);
      }
      return test(value);
    };
  }

  #converted(called: FunctionDeclaration, arg: Expression, index: number): Compiled<Row> {
    const compiled = this.compile(arg);
    const { type = 'any' } = called.args[Math.min(index, called.args.length - 1)] ?? {};
    if (type === 'any') return compiled;
    const convert = converterTo(type);
    const { zone } = this.#scope.run;
    if (arg.kind === 'literal') {
      const value = convert(arg.value, zone);
      return () => value;
    }
    const steps = this.#steps;
    if (type !== 'string') {
      return (row, elements) => {
        const value = compiled(row, elements);
        if (typeof value === 'string' && value.length >= 64) steps.take(longText(value));
        return convert(value, zone);
      };
    }
    // The function makes a string or null.
    if (arg.kind === 'call' && arg.type === 'string') return compiled;
    return (row, elements) => {
      const value = compiled(row, elements);
      // The steps of a string that needs no conversion are counted by its reader.
      if (typeof value === 'string') return value;
      steps.takeDeep(value, JSON_WEIGHT);
      return convert(value, zone);
    };
  }

  /**
   * Thunks are created once and read the row from an enclosing variable. That is safe because a node is never
   * re-entered before it has returned: no expression contains itself.
   */
  #lazyCall({ called, args }: Call, localLazy: NonNullable<FunctionDeclaration['localLazy']>): Compiled<Row> {
    const { run } = this.#scope;
    const steps = this.#steps;
    let now: { row: Row; elements: Elements | undefined } | undefined;
    const thunks = args.map((arg, index): Lazy => {
      const compiled = this.#converted(called, arg, index);
      const thunk = (values?: readonly Value[], count = 1): Value => {
        if (!now) throw new Error('an argument is evaluated outside of its call');
        if (values) steps.take(1);
        const { row, elements: outer } = now;
        return compiled(
          row,
          values ? { values, outer, positions: checkElements(count, outer?.positions, run) } : outer,
        );
      };
      return arg.kind === 'pattern' ? Object.assign(thunk, { fits: wildcardTest(arg.parts) }) : thunk;
    });
    return (row, elements) => {
      now = { row, elements };
      steps.take(1);
      return localLazy(thunks, run);
    };
  }
}
