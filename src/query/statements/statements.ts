// Plans become statements.

import type { DuckDBValue } from '@duckdb/node-api';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { compileChain } from '#query/local/record-steps.ts';
import { idsOf } from '#query/model/columns.ts';
import { declarationOf, planNodesBelow } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import {
  type CompileContext,
  isInTable,
  isTableSelect,
  type SearchedRows,
  type Source,
  type SourceUnion,
} from '#query/plan-nodes/shared/compile-context.ts';
import type { Condensed } from '#query/plan-nodes/shared/condensed.ts';
import type { Reading } from '#query/plan-nodes/shared/reading.ts';
import { alias, BEHIND } from '#query/plan-nodes/shared/sql-text.ts';
import { pacedTexts } from '#query/plan-nodes/shared/vector-size.ts';
import { type Statement, statementOf } from '#query/sql/statement.ts';
import { chartGroupsSql, chartKeysSql, keptKeysSql } from './chart-columns.ts';
import { isLocalChart, localGroupsSql } from './local-chart.ts';
import { localTextSql, rowTextSql } from './row-text-sql.ts';
import { StatementCompiler } from './statement-compiler.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

interface Wanted {
  readonly want: (reading: Reading) => void;
  readonly counted?: PlanNode | undefined;
}

function compilerFor(root: PlanNode, context: CompileContext, wanted: Wanted): StatementCompiler {
  const { run, constants = new Map() } = context;
  return new StatementCompiler({
    context,
    root,
    ...wanted,
    recordSteps: (chain) => compileChain(chain, { run, constants }).pass,
  });
}

/** A statement in which the names of its sources stand where their SELECTs go. */
export class PlanStatement {
  readonly sources: readonly Source[];
  readonly #text: string;
  readonly #compiler: StatementCompiler;
  readonly #usesTables: boolean;

  /** `usesTables`: makes or reads a table of the run that is not in its context. */
  constructor(text: string, compiler: StatementCompiler, { usesTables = false } = {}) {
    this.#usesTables = usesTables;
    this.#text = text;
    this.#compiler = compiler;
    this.sources = compiler.sources;
  }

  /** Whether it does no more than read stored tables and values; a run that has tables of its own may read them anywhere. */
  get readsStoredAlone(): boolean {
    const { stages, keptGroups } = this.#compiler.context;
    return !this.#usesTables && !stages?.size && !keptGroups?.size && this.sources.every(isTableSelect);
  }

  /** Whether few of its rows fit into memory at once. */
  get isLong(): boolean {
    return this.#compiler.lengths.isLong(this.#compiler.root);
  }

  /** Rows that it reads in place of records. */
  get condensed(): readonly Condensed[] {
    return [...(this.#compiler.context.condensed?.values() ?? [])];
  }

  /** The nodes whose work it does, those of procedures among them. */
  get planNodes(): readonly PlanNode[] {
    const { root, context } = this.#compiler;
    const condensed = new Set([...(context.condensed?.keys() ?? [])].map(({ input }) => input));
    return planNodesBelow(root, (node) => isInTable(node, context) || condensed.has(node));
  }

  /** Ready to run. */
  filled(duckdb: DuckdbModule, select: SelectOf): Statement {
    const compiler = this.#compiler;
    const selects = new Map<string, string>();
    const searches = new Map<string, string>();
    const empty = new Set<string>();
    for (const source of this.sources) {
      const given = select(source);
      const parts: readonly SearchedRows[] = typeof given === 'string' ? [{ select: given, facts: new Map() }] : given;
      if (parts.every(({ isEmpty = false }) => isEmpty)) empty.add(source.name);
      const search = isTableSelect(source) ? source.search : undefined;
      if (!search) {
        selects.set(source.name, `(${parts.map((part) => part.select).join(' union all by name ')})`);
        continue;
      }
      const found = parts.map((part) => {
        const name = compiler.name('vigil_source');
        selects.set(name, `(${part.select})`);
        return search.select(name, part.facts);
      });
      searches.set(source.name, `(${found.join(' union all ')})`);
    }
    const unions = new Map(compiler.unions.map((union) => [union.name, unionSql(union, empty)]));
    // Unions have names of searches, and searches have tokens themselves.
    const text = this.#text
      .replace(UNION, (name) => unions.get(name) ?? name)
      .replace(SOURCE, (name) => searches.get(name) ?? name);
    return statementOf(duckdb, text, compiler.bindings, selects);
  }
}

/** Of sources without a row one stays where there is no other, for its columns. */
function unionSql({ selects }: SourceUnion, empty: ReadonlySet<string>): string {
  const read = selects.filter(({ source }) => !empty.has(source));
  return (read.length > 0 ? read : selects.slice(0, 1)).map(({ text }) => text).join(' union all ');
}

const UNION = /\bvigil_union_\d+\b/g;
const SOURCE = /\bvigil_source_\d+\b/g;

/** The SELECT of a source; for a searched table several, each of some of its rows. */
export type SelectOf = (source: Source) => string | readonly SearchedRows[];

/** `limit` rows after the first `offset`. */
export interface RowsPage {
  readonly offset: bigint;
  readonly limit: bigint;
}

/** All rows of a node in their order, or a page of them, as one column of texts that `RowTexts` reads. */
export function rowsStatement(root: PlanNode, context: CompileContext, page?: RowsPage): PlanStatement {
  return orderedRows(root, context, page ? { page } : {});
}

/** As `rowsStatement`, of rows that continue locally (`localRowOf`). */
export function localRowsStatement(root: PlanNode, context: CompileContext): PlanStatement {
  const compiler = compilerFor(root, context, { want: (reading) => reading.everything(root.rows) });
  return new PlanStatement(textsSql(root, compiler, localTextSql(root, compiler)), compiler);
}

/** As `stageStatement`, of rows in a file that the local evaluator has written line by line (`localLineOf`). */
export function localStageStatement(
  root: PlanNode,
  context: CompileContext,
  { table, path, longest }: { table: string; path: string; longest: number },
): PlanStatement {
  const compiler = compilerFor(root, context, { want: (reading) => reading.everything(root.rows) });
  const ids = idsOf(root.rows);
  const values = ids.map((_, index) => `nullif(json->'$[${index}]', 'null')::json as v${index}`);
  const columns = ids.map((id, index) => {
    const value = { text: `v${index}`, type: 'any', isPlain: true } as const;
    return `${compiler.converted(value, compiler.typeOf(id))} as ${alias(id)}`;
  });
  const file = `'${path.replaceAll("'", "''")}'`;
  const lines = `read_json_objects(${file}, format = 'newline_delimited', maximum_object_size = ${longest})`;
  return new PlanStatement(
    `create temp table ${table} as select ${columns.join(', ') || '1 as nothing'} from (select ${values.join(', ') || '1'} from ${lines})`,
    compiler,
    { usesTables: true },
  );
}

/** As `rowsStatement`, with a second column: how many rows of its input each row was made of, null where that is not known. */
export function countedRowsStatement(root: CountingPlanNode, context: CompileContext): PlanStatement {
  return orderedRows(root, context, { counted: root });
}

/** As `rowsStatement`, with two more columns: how many rows `counted` has, and how many its input (`stageCountsOf`). */
export function steppedRowsStatement(
  root: PlanNode,
  context: CompileContext,
  { counted, page }: { counted: CountingPlanNode; page?: RowsPage | undefined },
): PlanStatement {
  return orderedRows(root, context, page ? { counted, page } : { counted });
}

interface RowsOptions {
  /** The node that counts its input: the root itself, or a node that becomes a step of the statement. */
  readonly counted?: CountingPlanNode;
  readonly page?: RowsPage;
}

function orderedRows(root: PlanNode, context: CompileContext, { counted, page }: RowsOptions): PlanStatement {
  const compiler = compilerFor(root, context, { want: (reading) => reading.wholeRows(root.rows), counted });
  if (page) compiler.cutRows(root, { offset: page.offset, count: page.limit });
  const text = textsSql(root, compiler, rowTextSql(root, compiler), counted);
  const step = compiler.step ? `with ${compiler.step.name} as materialized (${compiler.step.text}) ` : '';
  return new PlanStatement(`${step}${text}`, compiler);
}

/** A SELECT of the texts of rows in their order. Long ones become texts behind the sorting, a few at a time. */
function textsSql(root: PlanNode, compiler: StatementCompiler, text: string, counted?: CountingPlanNode): string {
  const rows = `(${compiler.planNode(root)})`;
  const order = compiler.withParts(compiler.carriesParts(root), () => compiler.order(root.rows));
  const tail = order === undefined ? '' : ` order by ${order}`;
  const isPaced = compiler.lengths.isLong(root);
  const { from, where, value } = pacedTexts(isPaced ? `(select * from ${rows}${tail})` : rows, root, compiler);
  const list = [`${value(text)} as row_text`, ...(counted ? countsOf(counted, root, compiler) : [])];
  return `select ${list.join(', ')} from ${from}${where === undefined ? tail : ` where ${where}`}`;
}

function countsOf(counted: CountingPlanNode, root: PlanNode, { step }: StatementCompiler): string[] {
  if (counted === root) return [BEHIND];
  if (!step) throw new Error('the counted node is no part of the rows');
  return stageCountsList(counted).map((count) => `(select ${count} from ${step.name})`);
}

/**
 * The rows of a node as a table that other statements read as a stage. A stage that counts has one more column, which
 * `stageCountsStatement` reads.
 */
export function stageStatement(root: PlanNode, context: CompileContext, table: string): PlanStatement {
  const compiler = compilerFor(root, context, { want: (reading) => reading.everything(root.rows), counted: root });
  const from = `(${compiler.planNode(root)})`;
  const select = compiler.select(root.rows, { from, more: isCounting(root) ? [BEHIND] : [] });
  return new PlanStatement(`create temp table ${table} as ${select}`, compiler, { usesTables: true });
}

/** How many rows a node hands on. */
export function countStatement(node: PlanNode, context: CompileContext): PlanStatement {
  const compiler = compilerFor(node, context, { want: () => {} });
  return new PlanStatement(`select count(*) from (${compiler.planNode(node)})`, compiler);
}

/** A node whose stage tells how many rows it was made of. */
export type CountingPlanNode = PlanNode & { readonly input: PlanNode };

export const isCounting = (node: PlanNode): node is CountingPlanNode => declarationOf(node).groups !== undefined;

/** One row, which `stageCountsOf` reads; `table` is made by `stageStatement`. Has no sources. */
export function stageCountsStatement(node: CountingPlanNode, table: string): string {
  return `select ${stageCountsList(node).join(', ')} from ${table}`;
}

const stageCountsList = (node: CountingPlanNode): string[] => [
  'count(*)',
  `coalesce(sum(${BEHIND}), ${inputOfNone(node) ?? 'null'})::bigint`,
];

/** The rows of the input of a node without a row; null where that is not known. */
export const inputOfNone = (node: CountingPlanNode): bigint | null =>
  declarationOf(node).groups?.inputWithoutGroups ?? null;

export function stageCountsOf([rows, input]: readonly DuckDBValue[]): StageCounts {
  if (typeof rows !== 'bigint') throw new Error('the counts of a stage are numbers');
  return { rows, input: typeof input === 'bigint' ? input : null };
}

/** The rows that `chartColumnsOf` makes columns of. */
export function chartStatement(node: ChartPlanNode, context: CompileContext): PlanStatement {
  const compiler = compilerFor(node, context, { want: () => {} });
  return new PlanStatement(chartKeysSql(node, compiler), compiler);
}

/** The groups that `localChartOf` reads; undefined where they tell too little. */
export function localGroups(node: ChartPlanNode, context: CompileContext): PlanStatement | undefined {
  if (!isLocalChart(node)) return undefined;
  const compiler = compilerFor(node, context, { want: () => {} });
  const text = localGroupsSql(node, compiler);
  return text === undefined ? undefined : new PlanStatement(text, compiler);
}

/** Groups of a chart as a table of the run, and the statement that reads the keys out of it (`keptKeysSql`). */
export function chartGroups(node: ChartPlanNode, context: CompileContext, table: string) {
  const compiler = compilerFor(node, context, { want: () => {} });
  const { select, least } = chartGroupsSql(node, compiler);
  return {
    groups: new PlanStatement(`create temp table ${table} as ${select}`, compiler, { usesTables: true }),
    keys(): PlanStatement {
      const own = compilerFor(node, context, { want: () => {} });
      return new PlanStatement(keptKeysSql(node, { table, ...(least ? { least } : {}) }, own), own, {
        usesTables: true,
      });
    },
  };
}
