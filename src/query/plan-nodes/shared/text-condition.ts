// The conditions of fulltext (7.1), without regard to case, and their SQL.

import { type FieldTest, loweredText, phrasesOf, type Term, testExpression } from '#query/functions/text-tests.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { FieldRead } from '#query/model/expression.ts';
import type { FulltextScan } from '#query/plan-nodes/fulltext.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import { conditionSql } from '#query/sql/expressions.ts';
import type { Sql } from '#query/sql/scope.ts';
import { keyEquality } from './equality.ts';
import { mayHold, PhraseCompiler, someOf, wordsSql } from './phrase-sql.ts';
import { columnsBeside, mayHoldField, scanSql, storedReads, type TableSource, tableSql } from './scans.ts';
import { type PhraseFacts, phraseKey, type TextFacts } from './text-facts.ts';

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

/** Columns that the conditions of one statement search, once for each phrase: each takes time to prepare. */
const MAX_SEARCHED = 8000;

/**
 * The scanned rows for which the condition holds. An index tells of each table apart, and a table has few of the columns of
 * all, so that each has a condition of its own, as long as these are not too much; of many tables the index tells which need
 * not be read.
 */
export function searchSql(node: FulltextScan, compiler: PlanCompiler): string {
  const phrases = phrasesIn(node.condition, node);
  if (node.tables.length === 0 || node.subqueries.length > 0) return filterSql(node, scanSql(node, compiler), compiler);
  const columns = node.tables.reduce((count, table) => count + table.columns.length + 1, 0);
  const isEach = phrases.length * columns <= MAX_SEARCHED;
  const rows = compiler.union(
    node.tables.map((table) => {
      const search = isEach ? searchOf(node, table, phrases, compiler) : rowsOf(node, table, phrases, compiler);
      const source = compiler.table({ scan: node, table, reads: storedReads(node, table, compiler), search });
      return { source, text: `select * from ${source}` };
    }),
  );
  return isEach ? rows : filterSql(node, rows, compiler);
}

function searchOf(node: FulltextScan, table: TableSource, phrases: readonly Term[], compiler: PlanCompiler) {
  const select = (from: string, facts: TextFacts) =>
    compiler.withParts(true, () =>
      filterSql(
        node,
        tableSql(node, { table, from }, compiler),
        compiler,
        factsOfRows(facts, phrases, { planNode: node, table }),
      ),
    );
  // What cannot be written is refused now, and not when the tables are being read.
  select('', new Map());
  return { phrases, select };
}

/** Rows of one table of many: the condition stands once, behind all of them. */
function rowsOf(node: FulltextScan, table: TableSource, phrases: readonly Term[], compiler: PlanCompiler) {
  return {
    phrases,
    select: (from: string) => compiler.withParts(true, () => tableSql(node, { table, from }, compiler)),
  };
}

/**
 * A table has no column of the others, and its index tells of its own overflow: that of the rows has columns of the table, too,
 * and is empty where the table has neither.
 */
function factsOfRows(facts: TextFacts, phrases: readonly Term[], { planNode: node, table }: ScannedTable): TextFacts {
  const beside = columnsBeside(node.rows.columns, table);
  const missing = node.rows.columns.filter(({ name }) => !mayHoldField(table, name)).map(({ name }) => name);
  return new Map(
    phrases.map((phrase) => {
      const known = facts.get(phraseKey(phrase)) ?? NOTHING_KNOWN;
      const isAbsent = ({ name, type }: KnownColumn) => known.absent.has(name) || !mayHold(type, phrase.words);
      const isNotInOverflow = (known.isNotInOverflow || !table.isOpen) && beside.every(isAbsent);
      return [phraseKey(phrase), { ...known, absent: new Set([...known.absent, ...missing]), isNotInOverflow }];
    }),
  );
}

interface ScannedTable {
  readonly planNode: FulltextScan;
  readonly table: TableSource;
}

const NOTHING_KNOWN: PhraseFacts = { absent: new Set(), isNotInOverflow: false, plainWords: new Map() };

function phrasesIn(condition: TextCondition, search: Pick<TextSearch, 'anywhere'>): readonly Term[] {
  if ('operands' in condition) return condition.operands.flatMap((operand) => phrasesIn(operand, search));
  if (condition.kind === 'not') return phrasesIn(condition.operand, search);
  return condition.kind === 'term' ? phrasesOf(condition, search) : [];
}

function filterSql(node: FulltextScan, scanned: string, compiler: PlanCompiler, facts: TextFacts = new Map()): string {
  const text = new TextCompiler(node, compiler, facts);
  // Only a condition without a regular expression reaches the file, and keeps it from reading the other columns of all rows.
  const tail = `where ${[...text.required(node.condition), text.condition(node.condition)].join(' and ')}`;
  const from = text.made.length === 0 ? scanned : `select *, ${text.made.join(', ')} from (${scanned})`;
  return compiler.select(node.rows, { from: `(${from})`, tail });
}

class TextCompiler {
  readonly #planNode: FulltextScan;
  readonly #compiler: PlanCompiler;
  readonly #phrases: PhraseCompiler;
  /** Entries of a SELECT list: values that are compared with rows of subqueries, made once for each row. */
  readonly made: string[] = [];

  constructor(node: FulltextScan, compiler: PlanCompiler, facts: TextFacts) {
    this.#planNode = node;
    this.#compiler = compiler;
    this.#phrases = new PhraseCompiler(node.rows, compiler, facts);
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

  /** Plain conditions that hold wherever the condition does. */
  required(condition: TextCondition): string[] {
    switch (condition.kind) {
      case 'and':
        return condition.operands.flatMap((operand) => this.required(operand));
      case 'or':
        return someOf(condition.operands.map((operand) => this.required(operand)));
      case 'term':
        return phrasesOf(condition, this.#planNode).flatMap((phrase) => this.#phrases.required(phrase));
      default:
        return [];
    }
  }

  #found({ field, value, query }: Extract<TextCondition, { kind: 'found' }>): string {
    if (!value) return 'false';
    const compiler = this.#compiler;
    const rows = compiler.planNode(query.result);
    const own = compiler.name('own');
    const other = compiler.name('other');
    const it = compiler.name('own');
    // No lambda of a test may read a row of the outer statement, so the row's own side is a column of the inner one.
    const found = (sql: string, test: string) =>
      `exists (select 1 from (select ${own} as ${it}, ${other} from (select distinct ${sql} as ${other} from (${rows}))) where ${test})`;
    if (!field) {
      this.made.push(`${this.#rowWords()} as ${own}`);
      return found(phraseSql(this.#phrases.lowered(compiler.expression(value))), this.#holdsPhrase(it, other));
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
    const { columns, overflow } = this.#planNode.rows;
    const texts = columns
      .filter(({ name, type }) => !name.startsWith('_') && type !== 'null')
      .map(({ id }) => wordsSql(this.#phrases.lowered(compiler.column(id))));
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
    if (!this.#planNode.anywhere) return `contains(${words}, ${phrase})`;
    const word = this.#compiler.writer().variable();
    const each = `string_split(trim(${phrase}), ' ')`;
    return `len(list_filter(${each}, lambda ${word}: not contains(${words}, ' ' || ${word} || ' '))) = 0`;
  }

  #term(term: Term): string {
    return `(${phrasesOf(term, this.#planNode)
      .map((phrase) => this.#phrases.inSomeField(phrase))
      .join(' and ')})`;
  }
}

/** As they stand among the words of a text; null where there are none. */
const phraseSql = (text: string): string => `(' ' || nullif(trim(${wordsSql(text)}), '') || ' ')`;
