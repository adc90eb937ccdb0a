// Plans as SQL of DuckDB (15.3): one node, one nested SELECT. Every column is called `c` and its id, wherever it stands:
// no name of a query or of a field is ever an alias. An order travels as columns like all others.

import { inputsOf, Reading, type Scan } from '#query/analysis/needs.ts';
import { readByNode } from '#query/analysis/needs-of-nodes.ts';
import type { RunFacts } from '#query/functions/function.ts';
import { idsOf } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType, MapValue, Value } from '#query/model/values.ts';
import { Compiler } from '#query/sql/compiler.ts';
import { asType } from '#query/sql/conversion.ts';
import { expressionSql, groupKey, sortKeys } from '#query/sql/expressions.ts';
import { Bindings, type Sql, type SqlScope } from '#query/sql/scope.ts';
import { bound } from '#query/sql/statement.ts';
import { quotedName, typed } from '#query/sql/writer.ts';
import { aggregatesOf, learnTypes, readsSequence } from './column-types.ts';
import { nodeSql } from './nodes.ts';
import type { LookupName, PlanNode, Rows, SortKey, TableSource } from './plan.ts';

/** What a plan is compiled against. */
export interface CompileContext {
  /** Must be held until the statement has ended. */
  readonly run: RunFacts;
  readonly constants?: ReadonlyMap<string, Value>;
  /** How the declared columns of a table are stored; values of other types are in its `_rest`. */
  readonly storedColumns: (table: string) => ReadonlyMap<string, ColumnType>;
  /** Types of the columns of a lookup. */
  readonly lookupColumns: (lookup: LookupName) => ReadonlyMap<string, ColumnType>;
  readonly systemRows: (object: string, account?: string) => readonly MapValue[];
  /** Nodes whose rows are in a table already, made by `stageStatement`; each with the quoted name of that table. */
  readonly stages?: ReadonlyMap<PlanNode, string>;
}

/** What the caller puts into a statement under a name: a SELECT. */
export type Source =
  | TableSelect
  /** Of the columns of the lookup by their names. */
  | ({ readonly kind: 'lookup'; readonly name: string } & LookupName);

/** Of `_id bigint, _time timestamp, <stored columns>, _rest json`; what `scanNeeds` leaves out may be left out. */
export interface TableSelect {
  readonly kind: 'table';
  readonly name: string;
  readonly scan: Scan;
  readonly table: TableSource;
  /** No more than so many first rows of the scan's range matter, in its order; absent: all may. */
  readonly first?: bigint;
}

interface SelectParts {
  readonly from: string;
  readonly tail?: string;
  readonly more?: readonly string[];
}

export interface Cut {
  readonly count: bigint;
  readonly offset: bigint;
}

export const alias = (id: ColumnId): string => `c${id}`;

/** Of a stage: how many rows of its input are behind a row. No alias of a column. */
export const BEHIND = 'behind';

const MAX_DEPTH = 192;

export class PlanCompiler {
  readonly around: CompileContext;
  readonly bindings = new Bindings();
  readonly sources: Source[] = [];
  readonly reading = new Reading();
  readonly #types = new Map<ColumnId, ColumnType>();
  /** What others read of a node, not counting what it reads itself. */
  readonly #wanted = new Map<PlanNode, readonly ColumnId[]>();
  /** Of one value in all rows: nothing is sorted by them. */
  readonly #cuts = new Map<PlanNode, Cut>();
  readonly #constant = new Set<ColumnId>();
  /** Counts of the rows of a node, by their names, where aggregates over them call seq(). */
  readonly #sequences = new Map<PlanNode, string>();
  readonly #counted: PlanNode | undefined;
  /** The rows of the node that counts, where it is not the root: a step of the statement, of which others read. */
  step: { readonly name: string; readonly text: string } | undefined;
  readonly #root: PlanNode;
  #names = 0;
  #depth = 0;

  /** `want` says what is read of the root's rows; `counted` is the node that counts its input (`behind`). */
  constructor(around: CompileContext, root: PlanNode, want: (reading: Reading) => void, counted?: PlanNode) {
    this.around = around;
    this.#counted = counted;
    this.#root = root;
    want(this.reading);
    this.#visit(root);
    learnTypes(root, this.#types);
  }

  #visit(node: PlanNode): void {
    this.#wanted.set(node, this.outputs(node.rows));
    if ((node.kind === 'table' || node.kind === 'fulltext') && node.tables.length <= 1) this.#learnConstant(node);
    if (this.around.stages?.has(node)) return;
    readByNode(node, this.reading);
    if ('input' in node && node.input && aggregatesOf(node).some(readsSequence)) {
      this.#sequences.set(node.input, this.name('seq'));
    }
    for (const input of inputsOf(node)) this.#visit(input);
  }

  #learnConstant({ rows: { columns } }: Scan): void {
    for (const { id, name } of columns) if (name === '_table') this.#constant.add(id);
  }

  /** What each reads of the one before is a SELECT around it, and DuckDB takes long to prepare deep ones. */
  deepen(selects: number, { begin, end }: PlanNode): void {
    this.#depth += selects;
    if (this.#depth > MAX_DEPTH) throw new QueryError(90009, { begin, end }, { n: this.#depth, max: MAX_DEPTH });
  }

  /** A SELECT with at least those columns of the node's rows that are read. */
  node(node: PlanNode): string {
    const stage = this.around.stages?.get(node);
    const text = stage === undefined ? this.#ownSql(node) : this.select(node.rows, { from: stage });
    const { count, offset } = this.#cuts.get(node) ?? {};
    const order = this.order(node.rows);
    const ordered = order === undefined ? '' : `order by ${order}`;
    const taken =
      count === undefined
        ? text
        : this.select(node.rows, { from: `(${text})`, tail: `${ordered} ${cut(count, offset)}` });
    const [sequence] = this.sequenceOf(node);
    return sequence === undefined ? taken : `select *, row_number() over (${ordered}) as ${sequence} from (${taken})`;
  }

  /** The name of the count of a node's rows, where there is one. */
  sequenceOf(node: PlanNode): string[] {
    const name = this.#sequences.get(node);
    return name === undefined ? [] : [name];
  }

  #ownSql(node: PlanNode): string {
    const text = nodeSql(node, this);
    if (node !== this.#counted || node === this.#root) return text;
    this.step = { name: this.name('step'), text };
    return this.select(node.rows, { from: this.step.name });
  }

  /** Only these of the node's rows, in their order, are handed on. */
  cutBelow(node: PlanNode, taken: Cut): void {
    this.#cuts.set(node, taken);
  }

  /** Of a node that cuts its rows itself. */
  takenCut(node: PlanNode): Cut | undefined {
    const taken = this.#cuts.get(node);
    this.#cuts.delete(node);
    return taken;
  }

  /** How many of the first rows of a scan can matter. */
  #firstOf(scan: Scan): { readonly first?: bigint } {
    const { limit, offset } = scan;
    const taken = this.#cuts.get(scan);
    const most = taken && taken.offset + taken.count;
    if (scan.kind === 'fulltext' || (limit === undefined && most === undefined)) return {};
    if (limit === undefined || most === undefined) return { first: offset + (limit ?? most ?? 0n) };
    return { first: offset + (limit < most ? limit : most) };
  }

  typeOf(id: ColumnId): ColumnType {
    return this.#types.get(id) ?? 'any';
  }

  column(id: ColumnId): Sql {
    return { text: alias(id), type: this.typeOf(id), isPlain: true };
  }

  isRead(id: ColumnId): boolean {
    return this.reading.isRead(id) || this.reading.isOverflowRead(id);
  }

  /** Columns of these rows that somebody reads, hidden ones among them. */
  outputs(rows: Rows): ColumnId[] {
    return idsOf(rows).filter((id) => this.isRead(id));
  }

  /** Columns that are read of a node's rows by those who take them. */
  wanted(node: PlanNode): readonly ColumnId[] {
    return this.#wanted.get(node) ?? this.outputs(node.rows);
  }

  /** What is not computed comes from below; `more` are entries of the list that are no columns of the plan. */
  select(
    rows: Rows | readonly ColumnId[],
    { from, computed, tail, more = [] }: SelectParts & { readonly computed?: ReadonlyMap<ColumnId, string> },
  ): string {
    const ids = 'columns' in rows ? this.outputs(rows) : rows;
    const list = ids.map((id) => (computed?.has(id) ? `${computed.get(id)} as ${alias(id)}` : alias(id)));
    return `select ${[...list, ...more].join(', ') || '1 as nothing'} from ${from}${tail ? ` ${tail}` : ''}`;
  }

  /** An entry of a list where the node is to tell how many rows of its input are behind each of its own, else none. */
  behind(node: PlanNode, count: string): string[] {
    return node === this.#counted ? [`${count} as ${BEHIND}`] : [];
  }

  /** A name for a step inside the statement. */
  name(what: string): string {
    this.#names += 1;
    return `${what}_${this.#names}`;
  }

  source(source: { kind: 'table'; scan: Scan; table: TableSource } | ({ kind: 'lookup' } & LookupName)): string {
    const name = this.name('vigil_source');
    this.sources.push(
      source.kind === 'table' ? { ...source, ...this.#firstOf(source.scan), name } : { ...source, name },
    );
    return name;
  }

  /** A column of a source by its own name. */
  stored(name: string): string {
    return this.bindings.name(quotedName(name));
  }

  bind(value: Value): Sql {
    return bound(this.bindings, value);
  }

  scope({ order, sequence, window }: Pick<SqlScope, 'order' | 'sequence' | 'window'> = {}): SqlScope {
    return {
      run: this.around.run,
      constants: this.around.constants ?? new Map(),
      bindings: this.bindings,
      column: (id) => this.column(id),
      ...(order === undefined ? {} : { order }),
      ...(sequence ? { sequence } : {}),
      ...(window === undefined ? {} : { window }),
    };
  }

  writer(): Compiler {
    return new Compiler(this.scope());
  }

  /** Typed also where it is always null: DuckDB would take a bare null for an integer. */
  expression(expression: Expression, as?: ColumnType, scope = this.scope()): Sql {
    const compiled = expressionSql(expression, scope, as);
    return compiled.type === 'null' ? { text: `null::${typed('null')}`, type: 'null', isPlain: true } : compiled;
  }

  converted(value: Sql, as: ColumnType): string {
    const made = asType(value, as, this.writer());
    return made.type === 'null' ? `null::${typed('null')}` : made.text;
  }

  /** What sorts and groups like a value (3.4). */
  keys(value: Sql): readonly string[] {
    return sortKeys(value, this.scope());
  }

  /** What groups like a value but does not sort like it. */
  group(value: Sql): string {
    return groupKey(value, this.scope());
  }

  /** The list of an ORDER BY; undefined where the order is not defined, or nobody asked for it. */
  order({ order }: Rows): string | undefined {
    if (!order?.every(({ column }) => this.isRead(column))) return undefined;
    const telling = order.filter(({ column }) => !this.#constant.has(column));
    return (telling.length > 0 ? telling : order).map((key) => this.sorted(this.column(key.column), key)).join(', ');
  }

  sorted(value: Sql, { descending }: Pick<SortKey, 'descending'>): string {
    return this.keys(value)
      .map((key) => `${key} ${descending ? 'desc nulls last' : 'asc nulls first'}`)
      .join(', ');
  }
}

/** A limit is a number of our own making; written out, so that DuckDB can plan by it. */
export function cut(limit: bigint | undefined, offset = 0n): string {
  return [
    ...(limit === undefined ? [] : [`limit ${most(limit)}`]),
    ...(offset === 0n ? [] : [`offset ${most(offset)}`]),
  ].join(' ');
}

const MAX_CUT = 2n ** 61n;

/** As much of a number as DuckDB can count. */
export const most = (count: bigint): bigint => (count > MAX_CUT ? MAX_CUT : count);
