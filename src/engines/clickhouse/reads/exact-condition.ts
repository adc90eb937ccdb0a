// Conditions that ClickHouse evaluates as the language does: comparisons of columns of one type with constants of that type or
// with each other, and what is made of them. All others are undefined, and their rows are tested on the node.

import { doubleBits, type ParamValue } from '#engines/clickhouse/server/params.ts';
import type { Condition } from '#engines/clickhouse/storage/visibility.ts';
import {
  type Call,
  type ColumnId,
  type Comparison,
  columnRead,
  type Expression,
  isConstant,
} from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { dateOf } from '#query/values/conversions.ts';
import { evaluateConstant } from '#query/values/evaluator.ts';

/** The SQL of a column of a table that has values of one type alone. */
export type ColumnSql = (id: ColumnId) => ExactColumn | undefined;

export interface ExactColumn {
  readonly text: string;
  readonly type: ColumnType;
}

/** Of a statement, which has room for the rest of it beside, and of a request's address, where constants are. */
const MAX_CHARACTERS = 65_536;
const MAX_CONSTANT_CHARACTERS = 4096;

/** Where a whole number is itself as a fraction. */
const EXACT = 2 ** 53;

const NO_CONSTANTS: ReadonlyMap<string, Value> = new Map();

/** Rows for which all of the expressions are true; undefined where ClickHouse might see some of them otherwise. */
export function exactCondition(
  expressions: readonly Expression[],
  columns: ColumnSql,
  facts: RunFacts,
): Condition | undefined {
  const compiler = new ExactCompiler(columns, facts);
  const tests = expressions.map((expression) => compiler.truth(expression));
  if (tests.some((test) => test === undefined)) return undefined;
  const text = tests.map((test) => `(${test})`).join(' and ');
  return text.length > MAX_CHARACTERS ? undefined : { text: text || 'true', params: compiler.params };
}

interface Side extends ExactColumn {
  readonly value?: Value;
}

type Operator = Comparison['operator'];

class ExactCompiler {
  readonly params: Record<string, ParamValue> = {};
  readonly #columns: ColumnSql;
  readonly #facts: RunFacts;
  #characters = 0;

  constructor(columns: ColumnSql, facts: RunFacts) {
    this.#columns = columns;
    this.#facts = facts;
  }

  /** Never null. */
  truth(expression: Expression): string | undefined {
    const value = this.#bool(expression);
    return value === undefined ? undefined : `ifNull(${value}, false)`;
  }

  /** A value of the language that is true, false or null. */
  #bool(expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'logic': {
        const sides = expression.operands.map((operand) => this.truth(operand));
        return sides.includes(undefined) ? undefined : `(${sides.join(` ${expression.operator} `)})`;
      }
      case 'comparison':
        return this.#comparison(expression);
      case 'call':
        return this.#call(expression);
      default: {
        const column = this.#column(expression);
        return column?.type === 'bool' ? column.text : undefined;
      }
    }
  }

  #comparison({ operator, left, right }: Comparison): string | undefined {
    if (right.kind === 'pattern') {
      return this.#fits(left, right.parts, operator === '==' ? 'like' : 'not like');
    }
    const sides = [this.#side(left), this.#side(right)] as const;
    return sides[0] && sides[1] ? this.#compared(sides[0], operator, sides[1]) : undefined;
  }

  /** Equality is never null, order is where a side is. */
  #compared(left: Side, operator: Operator, right: Side): string | undefined {
    const isSame = left.type === right.type && SIMPLE.includes(left.type);
    if (!isSame && !(isNumeric(left.type) && isNumeric(right.type) && (isSmall(left) || isSmall(right))))
      return undefined;
    const [one, other] = isSame ? [left.text, right.text] : [left, right].map(({ text }) => `toFloat64(${text})`);
    if (operator === '==') return `ifNull(${one} = ${other}, false)`;
    return operator === '!=' ? `ifNull(${one} != ${other}, false)` : `(${one} ${operator} ${other})`;
  }

  #call({ called, args }: Call): string | undefined {
    const [first, second] = args;
    if (!first) return undefined;
    switch (called.name) {
      case 'not': {
        const value = first.type === 'bool' ? this.#bool(first) : undefined;
        return value === undefined ? undefined : `not ${value}`;
      }
      case 'isnull':
      case 'isnotnull': {
        const column = this.#column(first);
        return column && `(${column.text} is ${called.name === 'isnull' ? '' : 'not '}null)`;
      }
      case 'contains': {
        const [text, sought] = [this.#side(first), second && this.#side(second)];
        if (text?.type !== 'string' || sought?.type !== 'string') return undefined;
        return `ifNull(position(${text.text}, ${sought.text}) > 0, false)`;
      }
      case 'in': {
        const tests = args.slice(1).map((member) => this.#member(first, member));
        return tests.includes(undefined) ? undefined : `(${tests.join(' or ')})`;
      }
      default:
        return undefined;
    }
  }

  #member(value: Expression, member: Expression): string | undefined {
    if (member.kind === 'pattern') return this.#fits(value, member.parts);
    const [left, right] = [this.#side(value), this.#side(member)];
    return left && right ? this.#compared(left, '==', right) : undefined;
  }

  /** A test by wildcards; never null. */
  #fits(value: Expression, parts: readonly string[], how: 'like' | 'not like' = 'like'): string | undefined {
    const column = this.#column(value);
    if (column?.type !== 'string') return undefined;
    const pattern = parts.map((part) => part.replace(/[\\%_]/g, (mark) => `\\${mark}`)).join('%');
    const bound = this.#bound(pattern, 'String');
    return bound === undefined ? undefined : `ifNull(${column.text} ${how} ${bound}, false)`;
  }

  #side(expression: Expression): Side | undefined {
    if (!isConstant(expression)) return this.#column(expression);
    return this.#constant(evaluateConstant(expression, this.#facts, NO_CONSTANTS));
  }

  #column(expression: Expression): Side | undefined {
    const id = columnRead(expression);
    return id === undefined ? undefined : this.#columns(id);
  }

  #constant(value: Value): Side | undefined {
    const side = (text: string | undefined, type: ColumnType) =>
      text === undefined ? undefined : { text, type, value };
    if (typeof value === 'string')
      return value.isWellFormed() ? side(this.#bound(value, 'String'), 'string') : undefined;
    if (typeof value === 'boolean') return side(String(value), 'bool');
    if (typeof value === 'bigint') return side(this.#bound(value, 'Int64'), 'long');
    if (typeof value === 'number') {
      const bits = Number.isFinite(value) ? this.#bound(doubleBits(value), 'UInt64') : undefined;
      return bits === undefined ? undefined : side(`reinterpretAsFloat64(${bits})`, 'double');
    }
    const date = dateOf(value, this.#facts.zone);
    if (!date || date.epochNanoseconds % 1_000_000n !== 0n) return undefined;
    return side(this.#bound(date.epochMilliseconds, 'Int64'), 'date');
  }

  #bound(value: string | number | bigint, type: string): string | undefined {
    this.#characters += String(value).length;
    if (this.#characters > MAX_CONSTANT_CHARACTERS) return undefined;
    const name = `x${Object.keys(this.params).length}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }
}

/** Types that both sides compare by one order. */
const SIMPLE: readonly ColumnType[] = ['string', 'bool', 'long', 'double', 'date'];

const isNumeric = (type: ColumnType): boolean => type === 'long' || type === 'double';

const isSmall = ({ value }: Side): boolean =>
  (typeof value === 'bigint' || typeof value === 'number') && Math.abs(Number(value)) < EXACT;
