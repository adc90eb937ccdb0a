// The conditions of fulltext (7.1), without regard to case, and their SQL.

import {
  type FieldTest,
  GAP,
  loweredText,
  phrasePattern,
  phrasesOf,
  type Term,
  testExpression,
} from '#query/functions/text-tests.ts';
import type { FieldRead } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { FulltextScan } from '#query/nodes/fulltext.ts';
import type { Plan } from '#query/nodes/plan.ts';
import type { PlanCompiler } from '#query/nodes/sql-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import { conditionSql } from '#query/sql/expressions.ts';
import type { Sql } from '#query/sql/scope.ts';
import { keyEquality } from './equality.ts';

export interface TextSearch {
  readonly condition: TextCondition;
  /** Whether the words of a term may stand in several fields. */
  readonly anywhere: boolean;
}

export type TextCondition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly TextCondition[] }
  | { readonly kind: 'not'; readonly operand: TextCondition }
  | Term
  /** Any value of the first column of a subquery (none where it knows no column): in the field, else in any field. */
  | { readonly kind: 'found'; readonly field?: FieldRead; readonly value?: FieldRead; readonly query: Plan }
  | FieldTest;

/** The scanned rows for which the condition holds. */
export function textFilterSql(node: FulltextScan, scanned: string, compiler: PlanCompiler): string {
  const text = new TextCompiler(node, compiler);
  const tail = `where ${text.condition(node.condition)}`;
  const from = text.made.length === 0 ? scanned : `select *, ${text.made.join(', ')} from (${scanned})`;
  return compiler.select(node.rows, { from: `(${from})`, tail });
}

class TextCompiler {
  readonly #node: FulltextScan;
  readonly #compiler: PlanCompiler;
  /** Entries of a SELECT list: values that are compared with rows of subqueries, made once for each row. */
  readonly made: string[] = [];

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
      case 'found':
        return this.#found(condition);
      default:
        return `coalesce(${conditionSql(testExpression(condition), this.#compiler.scope())}, false)`;
    }
  }

  #found({ field, value, query }: Extract<TextCondition, { kind: 'found' }>): string {
    if (!value) return 'false';
    const compiler = this.#compiler;
    const rows = compiler.node(query.result);
    const [own, other, it] = [compiler.name('own'), compiler.name('other'), compiler.name('own')];
    // No lambda of a test may read a row of the outer statement, so the row's own side is a column of the inner one.
    const found = (sql: string, test: string) =>
      `exists (select 1 from (select ${own} as ${it}, ${other} from (select distinct ${sql} as ${other} from (${rows}))) where ${test})`;
    if (!field) {
      this.made.push(`${this.#rowWords()} as ${own}`);
      return found(phraseSql(this.#lowered(compiler.expression(value))), this.#holdsPhrase(it, other));
    }
    const [left, right] = [field, value].map((side) => compiler.expression(loweredText(side)));
    if (!left || !right) throw new Error('an equality has two sides');
    this.made.push(`${left.text} as ${own}`);
    return found(
      right.text,
      keyEquality({ ...left, text: it, isPlain: true }, { ...right, text: other, isPlain: true }, compiler),
    );
  }

  /** Fields one after the other, with a mark between them that is in no phrase. */
  #rowWords(): string {
    const compiler = this.#compiler;
    const { columns, overflow } = this.#node.rows;
    const texts = columns
      .filter(({ name, type }) => !name.startsWith('_') && type !== 'null')
      .map(({ id }) => wordsSql(this.#lowered(compiler.column(id))));
    if (overflow) texts.push(this.#overflowWords(compiler.column(overflow.id)));
    return `concat_ws(chr(1), ${["''", ...texts].join(', ')})`;
  }

  #overflowWords({ text }: Sql): string {
    const writer = this.#compiler.writer();
    const entry = writer.variable();
    const value = `lower(${toText({ text: `${entry}[2]::json`, type: 'any', isPlain: true }, writer).text})`;
    const entries = `list_filter(list_zip(json_keys(${text}), ${text}->'$.*'), lambda ${entry}: not starts_with(${entry}[1], '_'))`;
    return `case when ${text} is not null then array_to_string(list_transform(${entries}, lambda ${entry}: ${wordsSql(value)}), chr(1)) end`;
  }

  #holdsPhrase(words: string, phrase: string): string {
    if (!this.#node.anywhere) return `contains(${words}, ${phrase})`;
    const word = this.#compiler.writer().variable();
    const each = `string_split(trim(${phrase}), ' ')`;
    return `len(list_filter(${each}, lambda ${word}: not contains(${words}, ' ' || ${word} || ' '))) = 0`;
  }

  #term(term: Term): string {
    return `(${phrasesOf(term, this.#node)
      .map((phrase) => this.#inSomeField(phrase))
      .join(' and ')})`;
  }

  /** A plain search for the first word comes before the regular expression. */
  #inSomeField(phrase: Term): string {
    const compiler = this.#compiler;
    const { words } = phrase;
    const [first = ''] = words;
    const word = compiler.bind(first).text;
    const pattern = compiler.bind(phrasePattern(phrase)).text;
    const holds = (text: string) =>
      `case when contains(${text}, ${word}) then regexp_matches(${text}, ${pattern}) else false end`;
    const { columns, overflow } = this.#node.rows;
    const mayBeIn = (json: string) => jsonMayHold(json, word, /^[\de]*$/.test(first));
    const tests = columns
      .filter(({ name, type }) => !name.startsWith('_') && mayHold(type, words))
      .map(({ id, type }) => {
        const column = compiler.column(id);
        const test = holds(this.#lowered(column));
        return JSON_TYPES.includes(type) ? `case when ${mayBeIn(column.text)} then ${test} else false end` : test;
      });
    if (overflow) tests.push(this.#inOverflow(compiler.column(overflow.id), { holds, mayBeIn }));
    return tests.length === 0 ? 'false' : `coalesce(${tests.join(' or ')}, false)`;
  }

  #lowered(value: Sql): string {
    return `lower(${toText(value, this.#compiler.writer()).text})`;
  }

  #inOverflow({ text }: Sql, { holds, mayBeIn }: Record<'holds' | 'mayBeIn', (text: string) => string>): string {
    const writer = this.#compiler.writer();
    const [entry, lowered] = [writer.variable(), writer.variable()];
    const value = `lower(${toText({ text: `${entry}[2]::json`, type: 'any', isPlain: true }, writer).text})`;
    const test = `not starts_with(${entry}[1], '_') and coalesce(list_transform([${value}], lambda ${lowered}: ${holds(lowered)})[1], false)`;
    const entries = `list_zip(json_keys(${text}), ${text}->'$.*')`;
    // Most rows have none: they do not pay for the lists.
    return `case when ${text} is null then false when not ${mayBeIn(text)} then false else coalesce(len(list_filter(${entries}, lambda ${entry}: ${test})) > 0, false) end`;
  }
}

const JSON_TYPES: readonly ColumnType[] = ['any', 'map', 'list'];

/** Values whose texts have words that their JSON lacks: characters as numbers, and for digits dates and some numbers. */
const OTHERWISE_WRITTEN = { words: String.raw`\\u`, digits: String.raw`\\u|"[$]date"|[0-9][eE]|[0-9]{16}` };

/** False for a value whose text surely lacks the word: much quicker than that text, which the host may have to write. */
const jsonMayHold = (json: string, word: string, isDigits: boolean): string =>
  `(contains(lower(${json}::varchar), ${word}) or regexp_matches(${json}::varchar, '${OTHERWISE_WRITTEN[isDigits ? 'digits' : 'words']}'))`;

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

/** The words of a text with blanks around them. */
const wordsSql = (text: string): string => `(' ' || regexp_replace(${text}, '${GAP}+', ' ', 'g') || ' ')`;

/** As they stand among the words of a text; null where there are none. */
const phraseSql = (text: string): string => `(' ' || nullif(trim(${wordsSql(text)}), '') || ' ')`;
