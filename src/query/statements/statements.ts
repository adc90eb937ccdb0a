// The door of this folder: plans become statements.

import type { DuckDBValue } from '@duckdb/node-api';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { idsOf } from '#query/model/columns.ts';
import { chartKeysSql } from '#query/nodes/chart-columns.ts';
import { cutRows } from '#query/nodes/picks.ts';
import type { Pivot, PlanNode, Rollup, Stats, Timechart, Top } from '#query/nodes/plan.ts';
import { alias, BEHIND, type CompileContext, PlanCompiler, type Source } from '#query/nodes/sql-compiler.ts';
import { hostTextSql, rowTextSql } from '#query/rows/row-texts.ts';
import { type Statement, statementOf } from '#query/sql/statement.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

/** A statement in which the names of its sources stand where their SELECTs go. */
export class PlanStatement {
  readonly sources: readonly Source[];
  readonly #text: string;
  readonly #compiler: PlanCompiler;

  constructor(text: string, compiler: PlanCompiler) {
    this.#text = text;
    this.#compiler = compiler;
    this.sources = compiler.sources;
  }

  /** Ready to run. */
  filled(duck: DuckdbModule, select: (source: Source) => string): Statement {
    const selects = new Map(this.sources.map((source) => [source.name, `(${select(source)})`]));
    return statementOf(duck, this.#text, this.#compiler.bindings, selects);
  }
}

/** The first and how many of the rows. */
export interface RowsPage {
  readonly offset: bigint;
  readonly limit: bigint;
}

/** All rows of a node in their order, or a page of them, as one column of texts that `RowTexts` reads. */
export function rowsStatement(root: PlanNode, around: CompileContext, page?: RowsPage): PlanStatement {
  return orderedRows(root, around, page ? { page } : {});
}

/** As `rowsStatement`, of rows that the host goes on with (`hostRowOf`). */
export function hostRowsStatement(root: PlanNode, around: CompileContext): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.everything(root.rows));
  const from = compiler.node(root);
  const order = compiler.order(root.rows);
  const tail = order === undefined ? '' : ` order by ${order}`;
  return new PlanStatement(`select ${hostTextSql(root, compiler)} as row_text from (${from})${tail}`, compiler);
}

/** As `stageStatement`, of rows that the host has written line by line (`hostLineOf`). */
export function hostStageStatement(
  root: PlanNode,
  around: CompileContext,
  { table, path, longest }: { table: string; path: string; longest: number },
): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.everything(root.rows));
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
  );
}

/** As `rowsStatement`, with a second column: how many rows of its input each row was made of, null where that is not known. */
export function countedRowsStatement(root: CountingNode, around: CompileContext): PlanStatement {
  return orderedRows(root, around, { counted: root });
}

/** As `rowsStatement`, with two more columns: how many rows `counted` has, and how many its input (`stageCountsOf`). */
export function steppedRowsStatement(
  root: PlanNode,
  around: CompileContext,
  { counted, page }: { counted: CountingNode; page?: RowsPage | undefined },
): PlanStatement {
  return orderedRows(root, around, page ? { counted, page } : { counted });
}

interface RowsAsked {
  /** What is to count its input: the root itself, or a node that becomes a step of the statement. */
  readonly counted?: CountingNode;
  readonly page?: RowsPage;
}

function orderedRows(root: PlanNode, around: CompileContext, { counted, page }: RowsAsked): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.wholeRows(root.rows), counted);
  if (page) cutRows(root, { offset: page.offset, count: page.limit }, compiler);
  const from = compiler.node(root);
  const order = compiler.order(root.rows);
  const list = [`${rowTextSql(root, compiler)} as row_text`, ...(counted ? countsOf(counted, root, compiler) : [])];
  const step = compiler.step ? `with ${compiler.step.name} as materialized (${compiler.step.text}) ` : '';
  const tail = order === undefined ? '' : ` order by ${order}`;
  return new PlanStatement(`${step}select ${list.join(', ')} from (${from})${tail}`, compiler);
}

function countsOf(counted: CountingNode, root: PlanNode, { step }: PlanCompiler): string[] {
  if (counted === root) return [BEHIND];
  if (!step) throw new Error('what is counted is no part of the rows');
  return stageCountsList(counted).map((count) => `(select ${count} from ${step.name})`);
}

/**
 * The rows of a node as a table of which other statements go on: give it to them as a stage. A stage that counts has one
 * more column, of which `stageCountsStatement` reads.
 */
export function stageStatement(root: PlanNode, around: CompileContext, table: string): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.everything(root.rows), root);
  const from = `(${compiler.node(root)})`;
  const select = compiler.select(root.rows, { from, more: isCounting(root) ? [BEHIND] : [] });
  return new PlanStatement(`create temp table ${table} as ${select}`, compiler);
}

/** How many rows a node hands on. */
export function countStatement(node: PlanNode, around: CompileContext): PlanStatement {
  const compiler = new PlanCompiler(around, node, () => {});
  return new PlanStatement(`select count(*) from (${compiler.node(node)})`, compiler);
}

/** A node whose stage tells how many rows it was made of. */
export type CountingNode = Stats | Rollup | Top | Timechart | Pivot;

export const isCounting = (node: PlanNode): node is CountingNode => COUNTING.includes(node.kind);

const COUNTING: readonly PlanNode['kind'][] = ['stats', 'rollup', 'top', 'timechart', 'pivot'];

/** One row, which `stageCountsOf` reads; `table` is what `stageStatement` has made of the node. Has nothing to fill in. */
export function stageCountsStatement(node: CountingNode, table: string): string {
  return `select ${stageCountsList(node).join(', ')} from ${table}`;
}

const stageCountsList = (node: CountingNode): string[] => [
  'count(*)',
  `coalesce(sum(${BEHIND}), ${inputOfNone(node) ?? 'null'})::bigint`,
];

/** Where a timechart has no row all of its input may be in no bucket; without rows the others had no input. */
export const inputOfNone = ({ kind }: CountingNode): bigint | null => (kind === 'timechart' ? null : 0n);

export function stageCountsOf([rows, input]: readonly DuckDBValue[]): StageCounts {
  if (typeof rows !== 'bigint') throw new Error('the counts of a stage are numbers');
  return { rows, input: typeof input === 'bigint' ? input : null };
}

/** What `chartColumnsOf` makes columns of. */
export function chartStatement(node: Timechart | Pivot, around: CompileContext): PlanStatement {
  const compiler = new PlanCompiler(around, node, () => {});
  return new PlanStatement(chartKeysSql(node, compiler), compiler);
}
