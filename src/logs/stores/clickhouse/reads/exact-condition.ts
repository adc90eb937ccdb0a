// Conditions that ClickHouse evaluates as the language does: comparisons of columns of one type with constants of that type or
// with each other, and what is made of them. All others are undefined, and their rows are tested on the node.

import { doubleBits, type ParamValue } from '#logs/stores/clickhouse/server/params.ts';
import { gramPattern, gramTest, MAX_PATTERN_CHARACTERS } from '#logs/stores/clickhouse/storage/gram-filters.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
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
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';

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
  const tests = expressions.map((expression) => compiler.selection(expression));
  if (tests.some((test) => test === undefined)) return undefined;
  const text = tests.map((test) => `(${test})`).join(' and ');
  return text.length > MAX_CHARACTERS ? undefined : { text: text || 'true', params: compiler.params };
}

interface Side extends ExactColumn {
  readonly value?: Value;
}

type Operator = Comparison['operator'];

/** SQL of a truth value, which may be null. */
interface Bool {
  readonly text: string;
  /** Where null stands for false, and not for null. */
  readonly isNullFalse: boolean;
}

const nullable = (text: string): Bool => ({ text: `(${text})`, isNullFalse: false });

/** One that is never null in the language. */
const neverNull = (text: string): Bool => ({ text: `(${text})`, isNullFalse: true });

class ExactCompiler {
  readonly params: Record<string, ParamValue> = {};
  readonly #columns: ColumnSql;
  readonly #facts: RunFacts;
  #characters = 0;
  #patternCharacters = 0;

  constructor(columns: ColumnSql, facts: RunFacts) {
    this.#columns = columns;
    this.#facts = facts;
  }

  /** As a condition of rows, where null is as good as false: ClickHouse finds plain comparisons in its indexes. */
  selection(expression: Expression): string | undefined {
    if (expression.kind === 'logic') {
      const sides = expression.operands.map((operand) => this.selection(operand));
      return sides.includes(undefined) ? undefined : `(${sides.join(` ${expression.operator} `)})`;
    }
    return this.#bool(expression)?.text;
  }

  /** Never null. */
  #truth(expression: Expression): string | undefined {
    const bool = this.#bool(expression);
    return bool && `ifNull(${bool.text}, false)`;
  }

  /** A value of the language that is true, false or null. */
  #bool(expression: Expression): Bool | undefined {
    switch (expression.kind) {
      case 'logic': {
        const sides = expression.operands.map((operand) => this.#truth(operand));
        return sides.includes(undefined) ? undefined : nullable(`(${sides.join(` ${expression.operator} `)})`);
      }
      case 'comparison':
        return this.#comparison(expression);
      case 'call':
        return this.#call(expression);
      default: {
        const column = this.#column(expression);
        return column?.type === 'bool' ? nullable(column.text) : undefined;
      }
    }
  }

  #comparison({ operator, left, right }: Comparison): Bool | undefined {
    if (right.kind === 'pattern') {
      return this.#fits(left, right.parts, operator === '==' ? 'like' : 'not like');
    }
    const sides = [this.#side(left), this.#side(right)] as const;
    return sides[0] && sides[1] ? this.#compared(sides[0], operator, sides[1]) : undefined;
  }

  /** Equality is never null, order is where a side is. */
  #compared(left: Side, operator: Operator, right: Side): Bool | undefined {
    const isSame = left.type === right.type && SIMPLE.includes(left.type);
    if (!isSame && !(isNumeric(left.type) && isNumeric(right.type) && (isSmall(left) || isSmall(right))))
      return undefined;
    const [one, other] = isSame ? [left.text, right.text] : [left, right].map(({ text }) => `toFloat64(${text})`);
    if (operator === '==') return neverNull(this.#withFilter(`${one} = ${other}`, left, right));
    return operator === '!=' ? neverNull(`${one} != ${other}`) : nullable(`${one} ${operator} ${other}`);
  }

  #call({ called, args }: Call): Bool | undefined {
    const [first, second] = args;
    if (!first) return undefined;
    switch (called.name) {
      case 'not': {
        const inner = first.type === 'bool' ? this.#bool(first) : undefined;
        return inner && nullable(`not ${inner.isNullFalse ? `ifNull(${inner.text}, false)` : inner.text}`);
      }
      case 'isnull':
      case 'isnotnull': {
        const column = this.#column(first);
        return column && nullable(`(${column.text} is ${called.name === 'isnull' ? '' : 'not '}null)`);
      }
      case 'contains': {
        const text = this.#side(first);
        const sought = second && this.#side(second);
        if (text?.type !== 'string' || sought?.type !== 'string') return undefined;
        return neverNull(this.#withFilter(`position(${text.text}, ${sought.text}) > 0`, text, sought));
      }
      case 'in': {
        const tests = args.slice(1).map((member) => this.#member(first, member)?.text);
        return tests.includes(undefined) ? undefined : neverNull(tests.join(' or '));
      }
      default:
        return undefined;
    }
  }

  #member(of: Expression, member: Expression): Bool | undefined {
    if (member.kind === 'pattern') return this.#fits(of, member.parts);
    const left = this.#side(of);
    const right = this.#side(member);
    return left && right ? this.#compared(left, '==', right) : undefined;
  }

  /** A test that a column holds a constant, with that of its filter beside it. */
  #withFilter(text: string, column: Side, { value }: Side): string {
    const pattern = STORED.test(column.text) && typeof value === 'string' ? gramPattern(value) : undefined;
    const bound = pattern === undefined ? undefined : this.#boundPattern(pattern);
    return bound === undefined ? text : `${text} and ${gramTest(column.text, bound)}`;
  }

  /** A test by wildcards; never null. */
  #fits(of: Expression, parts: readonly string[], how: 'like' | 'not like' = 'like'): Bool | undefined {
    const column = this.#column(of);
    if (column?.type !== 'string') return undefined;
    const pattern = parts.map((part) => part.replace(/[\\%_]/g, (mark) => `\\${mark}`)).join('%');
    const bound = this.#bound(pattern, 'String');
    return bound === undefined ? undefined : neverNull(`${column.text} ${how} ${bound}`);
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

  /** They only help: constants have their room without them. */
  #boundPattern(pattern: string): string | undefined {
    if (this.#patternCharacters + pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
    this.#patternCharacters += pattern.length;
    return this.#named(pattern, 'String');
  }

  #bound(value: string | number | bigint, type: string): string | undefined {
    this.#characters += String(value).length;
    return this.#characters > MAX_CONSTANT_CHARACTERS ? undefined : this.#named(value, type);
  }

  #named(value: string | number | bigint, type: string): string {
    const name = `x${Object.keys(this.params).length}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }
}

/** The column of a learnt field, and no constant. */
const STORED = /^f\d+$/;

/** Types that both sides compare by one order. */
const SIMPLE: readonly ColumnType[] = ['string', 'bool', 'long', 'double', 'date'];

const isNumeric = (type: ColumnType): boolean => type === 'long' || type === 'double';

const isSmall = ({ value }: Side): boolean =>
  (typeof value === 'bigint' || typeof value === 'number') && Math.abs(Number(value)) < EXACT;
