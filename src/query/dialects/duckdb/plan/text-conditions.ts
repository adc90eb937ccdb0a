// The conditions of fulltext (7.1), without regard to case.

import type { Sql } from '#query/dialects/dialect.ts';
import { toText } from '#query/dialects/duckdb/convert.ts';
import { duckdb } from '#query/dialects/duckdb.ts';
import { lower } from '#query/evaluate/strings.ts';
import type { Expression } from '#query/expression.ts';
import { functionNamed } from '#query/functions/index.ts';
import type { FulltextScan, TextCondition } from '#query/plan.ts';
import { call, comparison, literal, logic } from '#query/typing.ts';
import type { ColumnType } from '#query/values.ts';
import type { PlanCompiler } from './plan-compiler.ts';

export function textConditionSql(node: FulltextScan, compiler: PlanCompiler): string {
  return new TextCompiler(node, compiler).condition(node.condition);
}

class TextCompiler {
  readonly #node: FulltextScan;
  readonly #compiler: PlanCompiler;

  constructor(node: FulltextScan, compiler: PlanCompiler) {
    this.#node = node;
    this.#compiler = compiler;
  }

  /** Never null. */
  condition(condition: TextCondition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.operands.map((operand) => this.condition(operand)).join(` ${condition.kind} `)})`;
      case 'not':
        return `not ${this.condition(condition.operand)}`;
      case 'term':
        return this.#term(condition);
      default:
        return `coalesce(${duckdb.condition(expressionOf(condition), this.#compiler.scope())}, false)`;
    }
  }

  #term({ words, openStart, openEnd }: Extract<TextCondition, { kind: 'term' }>): string {
    const last = words.length - 1;
    if (!this.#node.anywhere) return this.#inSomeField(words, openStart, openEnd);
    const each = words.map((word, index) =>
      this.#inSomeField([word], openStart && index === 0, openEnd && index === last),
    );
    return `(${each.join(' and ')})`;
  }

  /** The words one after the other in one field; a plain search for the first of them comes before the regular expression. */
  #inSomeField(words: readonly string[], openStart: boolean, openEnd: boolean): string {
    const compiler = this.#compiler;
    const [first = ''] = words;
    const word = compiler.bind(first).text;
    const pattern = compiler.bind(
      `${openStart ? '' : `(?:^|${GAP})`}${words.join(`${GAP}+`)}${openEnd ? '' : `(?:${GAP}|$)`}`,
    ).text;
    const holds = (text: string) =>
      `case when contains(${text}, ${word}) then regexp_matches(${text}, ${pattern}) else false end`;
    const { columns, overflow } = this.#node.rows;
    const tests = columns
      .filter(({ name, type }) => !name.startsWith('_') && mayHold(type, words))
      .map(({ id }) => holds(this.#lowered(compiler.column(id))));
    if (overflow) tests.push(this.#inOverflow(compiler.column(overflow.id), holds));
    return tests.length === 0 ? 'false' : `coalesce(${tests.join(' or ')}, false)`;
  }

  #lowered(value: Sql): string {
    return `lower(${toText(value, this.#compiler.writer()).text})`;
  }

  #inOverflow({ text }: Sql, holds: (text: string) => string): string {
    const writer = this.#compiler.writer();
    const [entry, lowered] = [writer.variable(), writer.variable()];
    const value = `lower(${toText({ text: `${entry}[2]::json`, type: 'any', isPlain: true }, writer).text})`;
    const test = `not starts_with(${entry}[1], '_') and coalesce(list_transform([${value}], lambda ${lowered}: ${holds(lowered)})[1], false)`;
    const entries = `list_zip(json_keys(${text}), ${text}->'$.*')`;
    // Most rows have none: they do not pay for the lists.
    return `case when ${text} is null then false else coalesce(len(list_filter(${entries}, lambda ${entry}: ${test})) > 0, false) end`;
  }
}

/** Characters of the words that values of a type are made of; other types may hold any. */
const WORD_CHARACTERS: Partial<Record<ColumnType, RegExp>> = {
  null: /(?!)/,
  bool: /^[aeflrstu]+$/,
  long: /^\d+$/,
  double: /^[\de]+$/,
  date: /^\d+$/,
};

/** Whether some value of a type can hold all the words: what cannot need not be made text of. */
const mayHold = (type: ColumnType, words: readonly string[]): boolean =>
  words.every((word) => WORD_CHARACTERS[type]?.test(word) ?? true);

/** What stands between words. */
const GAP = '[^\\p{L}\\p{Nd}]';

type Test = Extract<TextCondition, { kind: 'comparison' | 'range' | 'iprange' }>;

function expressionOf(test: Test): Expression {
  const { field } = test;
  if (test.kind !== 'comparison') {
    if (test.kind === 'iprange') return called('iprange', [field, test.low, test.high]);
    const bounds = [comparedLess(field, '>=', test.low), comparedLess(field, '<=', test.high)];
    return logic('and', bounds, field);
  }
  const { operator, value } = test;
  if (operator === '==') return called('eqi', [field, value]);
  if (operator !== '!=') return comparedLess(field, operator, value);
  const isUnequal = called('not', [called('eqi', [field, value])]);
  const isThere = [field, value].flatMap((one) => (one.kind === 'pattern' ? [] : [called('isnotnull', [one])]));
  return logic('and', [...isThere, isUnequal], field);
}

function comparedLess(field: Expression, operator: '<' | '<=' | '>' | '>=', value: Expression): Expression {
  const folded =
    value.kind === 'literal' && typeof value.value === 'string' ? literal(lower(value.value), value) : value;
  return comparison(operator, loweredText(field), folded);
}

/** Only texts have case. */
function loweredText(field: Expression): Expression {
  if (field.type === 'string') return called('lower', [field]);
  if (field.type !== 'any') return field;
  return called('if', [called('isstr', [field]), called('lower', [field]), field]);
}

function called(name: string, args: readonly [Expression, ...Expression[]]): Expression {
  const declared = functionNamed(name);
  if (!declared) throw new Error(`${name} is a function`);
  return call(declared, args, args[0]);
}
