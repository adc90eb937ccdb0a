// The door of this folder: plans become statements, and rows of their results become values again.

import type { DuckDBValue } from '@duckdb/node-api';
import { type Statement, statementOf } from '#query/dialects/duckdb/bound.ts';
import { taggedValue } from '#query/dialects/duckdb/tagged-json.ts';
import type { ColumnId } from '#query/expression.ts';
import type { Reading } from '#query/needs.ts';
import type { Column, Overflow, Pivot, PlanNode, Stats, Timechart, Top } from '#query/plan.ts';
import type { StageCounts } from '#query/push-counts.ts';
import type { ColumnType, Value } from '#query/values.ts';
import { chartKeysSql } from './chart-columns.ts';
import { alias, BEHIND, PlanCompiler, type PlanSurroundings, type Source } from './plan-compiler.ts';
import { keysOf } from './steps.ts';

export { chartColumnsOf } from './chart-columns.ts';
export type { PlanSurroundings, Source, TableSelect } from './plan-compiler.ts';

type DuckModule = typeof import('@duckdb/node-api');

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

  /** Ready to run. SELECTs and names come last, so that nothing in them is taken for a place of a value. */
  filled(duck: DuckModule, select: (source: Source) => string): Statement {
    const statement = statementOf(duck, this.#text, this.#compiler.bindings);
    const selects = this.sources.map((source) => [source.name, `(${select(source)})`] as const);
    const texts = new Map([...selects, ...this.#compiler.storedNames]);
    const text = statement.text.replace(/\bvigil_(?:source|name)_\d+\b/g, (name) => texts.get(name) ?? name);
    return { ...statement, text };
  }
}

/** All rows of a node in their order, the columns of `resultColumns` side by side. */
export function resultStatement(root: PlanNode, around: PlanSurroundings): PlanStatement {
  const { compiler, from } = compiled(root, around, (reading) => reading.wholeRows(root.rows));
  const order = compiler.order(root.rows);
  const list = resultIds(root).map(alias).join(', ') || '1 as nothing';
  return new PlanStatement(`select ${list} from (${from})${order === undefined ? '' : ` order by ${order}`}`, compiler);
}

/**
 * The rows of a node as a table of which other statements go on: give it to them as a stage. A stage that counts has one
 * more column, of which `stageCountsStatement` reads.
 */
export function stageStatement(root: PlanNode, around: PlanSurroundings, table: string): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.wholeRows(root.rows), root);
  const from = `(${compiler.node(root)})`;
  const select = compiler.select(root.rows, { from, more: isCounting(root) ? [BEHIND] : [] });
  return new PlanStatement(`create temp table ${table} as ${select}`, compiler);
}

/** How many rows a node hands on. */
export function countStatement(node: PlanNode, around: PlanSurroundings): PlanStatement {
  const compiler = new PlanCompiler(around, node, () => {});
  return new PlanStatement(`select count(*) from (${compiler.node(node)})`, compiler);
}

/** A node whose stage tells how many rows it was made of. */
export type CountingNode = Stats | Top | Timechart | Pivot;

export const isCounting = (node: PlanNode): node is CountingNode => COUNTING.includes(node.kind);

const COUNTING: readonly PlanNode['kind'][] = ['stats', 'top', 'timechart', 'pivot'];

/** One row, which `stageCountsOf` reads; `table` is what `stageStatement` has made of the node. Has nothing to fill in. */
export function stageCountsStatement(node: CountingNode, table: string): string {
  // Where a timechart has no row all of its input may be in no bucket; without rows the others had no input.
  const none = node.kind === 'timechart' ? 'null' : '0';
  return `select count(*), coalesce(sum(${BEHIND}), ${none})::bigint from ${table}`;
}

export function stageCountsOf([rows, input]: readonly DuckDBValue[]): StageCounts {
  if (typeof rows !== 'bigint') throw new Error('the counts of a stage are numbers');
  return { rows, input: typeof input === 'bigint' ? input : null };
}

/** What `chartColumnsOf` makes columns of. */
export function chartStatement(node: Timechart | Pivot, around: PlanSurroundings): PlanStatement {
  const compiler = new PlanCompiler(around, node, () => {});
  return new PlanStatement(chartKeysSql(node, compiler), compiler);
}

function compiled(root: PlanNode, around: PlanSurroundings, want: (reading: Reading) => void) {
  const compiler = new PlanCompiler(around, root, want);
  return { compiler, from: compiler.node(root) };
}

const resultIds = ({ rows: { columns, overflow } }: PlanNode): ColumnId[] => [
  ...columns.map(({ id }) => id),
  ...(overflow ? [overflow.id] : []),
];

/** As resultStatement, each row as one text. */
export function rowsStatement(root: PlanNode, around: PlanSurroundings, page?: { offset: bigint; limit: bigint }): PlanStatement {
  const compiler = new PlanCompiler(around, root, (reading) => reading.wholeRows(root.rows));
  if (page) compiler.cutBelow(root, { count: page.limit, offset: page.offset });
  const from = compiler.node(root);
  const order = compiler.order(root.rows);
  const cells = root.rows.columns.map(({ id, type }) => type === 'date' ? `epoch_ms(${alias(id)})` : type === 'binary' ? `to_base64(${alias(id)})` : alias(id));
  if (root.rows.overflow) cells.push(alias(root.rows.overflow.id));
  return new PlanStatement(`select json_array(${cells.join(', ')})::varchar from (${from})${order === undefined ? '' : ` order by ${order}`}`, compiler);
}

export class RowTexts {
  readonly #columns: readonly Column[];
  readonly #overflow: Overflow | undefined;
  constructor({ rows: { columns, overflow } }: PlanNode) {
    this.#columns = columns;
    this.#overflow = overflow;
  }
  fields(text: string): Map<string, Value> {
    const cells = taggedValue(text) as readonly Value[];
    const fields = new Map(this.#columns.map(({ name, type }, index) => [name, type === 'date' && cells[index] != null ? Temporal.Instant.fromEpochMilliseconds(Number(cells[index])) : (cells[index] ?? null)] as const));
    if (this.#overflow) for (const [name, value] of keysOf(cells.at(-1) ?? null)) if (value !== null && !fields.has(name) && !this.#overflow.without.includes(name)) fields.set(name, value);
    return fields;
  }
}

/** Reads rows of a result. */
export class ResultRows {
  readonly #columns: readonly Column[];
  readonly #names: ReadonlySet<string>;
  readonly #overflow: Overflow | undefined;

  constructor({ rows: { columns, overflow } }: PlanNode) {
    this.#columns = columns;
    this.#overflow = overflow;
    this.#names = new Set([...columns.map(({ name }) => name), ...(overflow?.without ?? [])]);
  }

  /** Fields in the order of columns, then those of the overflow that have a value, by code point. */
  fields(row: readonly DuckDBValue[]): Map<string, Value> {
    const fields = new Map(this.#columns.map(({ name, type }, index) => [name, hostValue(row[index] ?? null, type)]));
    if (!this.#overflow) return fields;
    for (const [name, value] of keysOf(hostValue(row[this.#columns.length] ?? null, 'map'))) {
      if (value !== null && !this.#names.has(name)) fields.set(name, value);
    }
    return fields;
  }
}

function hostValue(value: DuckDBValue, type: ColumnType): Value {
  if (value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'string') return type === 'string' ? value : taggedValue(value);
  if (typeof value === 'object' && 'micros' in value && typeof value.micros === 'bigint') {
    return Temporal.Instant.fromEpochMilliseconds(Number(value.micros / 1000n));
  }
  if (typeof value === 'object' && 'bytes' in value && value.bytes instanceof Uint8Array) return value.bytes;
  throw new Error(`a value of type ${type} came back as ${typeof value}`);
}
