// Plans as SQL of DuckDB (15.3): one node, one nested SELECT. Every column is called `c` and its id, wherever it stands:
// no name of a query or of a field is ever an alias. An order travels as columns like all others.

import { idsOf, type Rows, type SortKey } from '#query/model/columns.ts';
import {
  type AggregateCall,
  type ColumnId,
  type Expression,
  type LeafRead,
  someWithin,
} from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { declarationOf, inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler, SelectParts } from '#query/plan-nodes/plan-compiler.ts';
import { firstRowsOf, isMadeBy, lowestToCut, tableBelow } from '#query/plan-nodes/row-walks.ts';
import {
  type CompileContext,
  type FurtherTypes,
  isInTable,
  keptGroupsOf,
  type LeafTypes,
  NO_LEAF_TYPES,
  type ReadTable,
  type Source,
  type SourceSelect,
  type SourceUnion,
} from '#query/plan-nodes/shared/compile-context.ts';
import { CondensedInputs } from '#query/plan-nodes/shared/condensed.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { Reading } from '#query/plan-nodes/shared/reading.ts';
import type { RecordSteps } from '#query/plan-nodes/shared/row-scope.ts';
import { leafPartTypes, type Scan } from '#query/plan-nodes/shared/scans.ts';
import { alias, BEHIND, type Cut, cut, partAlias } from '#query/plan-nodes/shared/sql-text.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';
import { Compiler } from '#query/sql/compiler.ts';
import { asType } from '#query/sql/conversion.ts';
import { expressionSql, groupKey, sortKeys } from '#query/sql/expressions.ts';
import { Bindings, type MixedParts, type PartName, type Sql, type SqlScope, type SqlType } from '#query/sql/scope.ts';
import { bound } from '#query/sql/statement.ts';
import { quotedName, typed } from '#query/sql/writer.ts';
import { RowLengths } from './row-lengths.ts';

interface CompilerOptions {
  readonly context: CompileContext;
  readonly root: PlanNode;
  /** Marks the columns that are read of the root's rows. */
  readonly want: (reading: Reading) => void;
  /** The node that counts its input (`behind`). */
  readonly counted?: PlanNode | undefined;
  readonly recordSteps: RecordSteps;
}

const MAX_DEPTH = 192;

/** Beyond the ids of all columns of a plan. */
const FIRST_OWN_ID = 2 ** 40;

export class StatementCompiler implements PlanCompiler {
  readonly context: CompileContext;
  readonly recordSteps: RecordSteps;
  readonly condensed: CondensedInputs;
  readonly bindings = new Bindings();
  readonly sources: Source[] = [];
  readonly unions: SourceUnion[] = [];
  readonly #storedColumns = new Map<string, ReadonlyMap<string, ColumnType>>();
  readonly #furtherTypes = new Map<string, ReadonlyMap<string, FurtherTypes>>();
  readonly reading = new Reading();
  readonly #leafTypes = new Map<string, LeafTypes>();
  readonly #types = new Map<ColumnId, SqlType>();
  readonly #scans: Scan[] = [];
  /** By overflow of a scan. */
  readonly #leaves = new Map<ColumnId, readonly LeafRead[]>();
  #ownIds = 0;
  /** Columns of several types whose parts are in columns beside them, with the types of these. */
  readonly #mixed = new Map<ColumnId, PartTypes>();
  /** Whether the rows that are read have the parts of mixed columns. */
  #hasParts = false;
  readonly lengths: RowLengths;
  /** Columns that others read of a node, without those that it reads itself. */
  readonly #wanted = new Map<PlanNode, readonly ColumnId[]>();
  readonly #cuts = new Map<PlanNode, Cut>();
  /** Columns of one value in all rows: nothing is sorted by them. */
  readonly #constant = new Set<ColumnId>();
  readonly #made = new Map<PlanNode, boolean>();
  /** Counts of the rows of a node, by their names, where aggregates over them call seq(). */
  readonly #sequences = new Map<PlanNode, string>();
  readonly #counted: PlanNode | undefined;
  /** The rows of the node that counts, where it is not the root: a step of the statement, of which others read. */
  step: { readonly name: string; readonly text: string } | undefined;
  readonly root: PlanNode;
  #names = 0;
  #depth = 0;

  constructor({ context, root, want, counted, recordSteps }: CompilerOptions) {
    this.context = context;
    this.condensed = new CondensedInputs(context);
    this.lengths = new RowLengths(context);
    this.recordSteps = recordSteps;
    this.#counted = counted;
    this.root = root;
    this.#expectLeaves(root);
    want(this.reading);
    this.#visit(root);
    this.#learnTypes(root);
    this.#decideLeaves();
  }

  #visit(node: PlanNode): void {
    const { reads, aggregates } = declarationOf(node);
    this.#wanted.set(node, this.outputs(node.rows));
    const scan = scanOf(node);
    if (scan && scan.tables.length <= 1) this.#learnConstant(scan);
    if (isInTable(node, this.context)) return;
    this.reading.begin(node);
    reads(node, this.reading);
    if (this.condensed.takes(node)) return;
    if (node.input && aggregates?.(node).some(readsSequence)) this.#sequences.set(node.input, this.name('seq'));
    for (const input of inputsOf(node)) this.#visit(input);
  }

  #expectLeaves(node: PlanNode): void {
    const scan = scanOf(node);
    const { overflow } = scan?.rows ?? {};
    if (scan && overflow && scan.tables.some(({ name }) => this.leafTypes(name).columns.length > 0)) {
      this.#scans.push(scan);
      this.reading.expectLeaves(overflow.id);
    }
    for (const input of inputsOf(node)) this.#expectLeaves(input);
  }

  /** Only nodes that take the parts of columns apart read leaves as columns. */
  #decideLeaves(): void {
    const isApart = (node: PlanNode) => scanOf(node) === undefined && this.#readsParts(node);
    for (const scan of this.#scans) {
      const { overflow } = scan.rows;
      if (!overflow) continue;
      const kept = this.reading.decideLeaves(
        overflow.id,
        ({ path, readers }) => readers.values().every(isApart) && leafPartTypes(scan, path, this) !== undefined,
      );
      const leaves = kept.map(({ path }) => ({ id: this.#newId(), path }));
      for (const { id } of leaves) this.reading.id(id);
      this.#leaves.set(overflow.id, leaves);
    }
  }

  #newId(): ColumnId {
    this.#ownIds += 1;
    return FIRST_OWN_ID + this.#ownIds;
  }

  leavesOf(overflow: ColumnId): readonly LeafRead[] {
    return this.#leaves.get(overflow) ?? [];
  }

  #leaf({ id: overflow, path }: LeafRead): Sql | undefined {
    const key = JSON.stringify(path);
    const known = this.leavesOf(overflow).find((leaf) => JSON.stringify(leaf.path) === key);
    if (!known) return undefined;
    if (!this.#hasParts) throw new Error(`a leaf is read of rows that have none: ${key}`);
    return this.column(known.id);
  }

  #learnConstant({ rows: { columns } }: Scan): void {
    for (const { id, name } of columns) if (name === '_table') this.#constant.add(id);
  }

  /** Of all columns, hidden ones among them. */
  #learnTypes(node: PlanNode): void {
    const { columns, unlisted = [], parameters = [], overflow } = node.rows;
    for (const { id, type } of [...columns, ...unlisted, ...parameters, ...declarationOf(node).makes(node)]) {
      this.#types.set(id, type);
    }
    for (const { id, isNumber } of scanOf(node)?.rows.columns ?? []) if (isNumber) this.#types.set(id, 'number');
    if (overflow) this.#types.set(overflow.id, 'map');
    for (const input of inputsOf(node)) this.#learnTypes(input);
  }

  withParts<T>(hasParts: boolean, compile: () => T): T {
    const before = this.#hasParts;
    this.#hasParts = hasParts;
    try {
      return compile();
    } finally {
      this.#hasParts = before;
    }
  }

  /** Whether the rows of a node have the parts of mixed columns. */
  carriesParts(node: PlanNode): boolean {
    let below: PlanNode | undefined = node;
    while (below) {
      if (isInTable(below, this.context) || this.condensed.has(below)) return false;
      if (scanOf(below)) return true;
      below = declarationOf(below).parts === 'carried' ? below.input : undefined;
    }
    return false;
  }

  #readsParts(node: PlanNode): boolean {
    if (scanOf(node)) return true;
    return declarationOf(node).parts !== undefined && node.input !== undefined && this.carriesParts(node.input);
  }

  #isStage = (node: PlanNode): boolean => this.context.stages?.has(node) ?? false;

  keptGroups(node: PlanNode): string | undefined {
    return keptGroupsOf(node, this.context);
  }

  deepen(selects: number, { begin, end }: PlanNode): void {
    this.#depth += selects;
    if (this.#depth > MAX_DEPTH)
      throw new QueryError(90009, { begin, end }, { what: { term: 'depth' }, n: this.#depth, max: MAX_DEPTH });
  }

  planNode(node: PlanNode): string {
    return this.withParts(this.carriesParts(node), () => this.#planNodeSql(node));
  }

  #planNodeSql(node: PlanNode): string {
    if (this.condensed.has(node)) return this.condensed.rows(node, this.outputs(node.rows));
    const stage = this.context.stages?.get(node);
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

  sequenceOf(node: PlanNode): string[] {
    const name = this.#sequences.get(node);
    return name === undefined ? [] : [name];
  }

  carriedOf(input: PlanNode): string[] {
    return this.condensed.has(input) ? this.condensed.carried(input) : this.sequenceOf(input);
  }

  #ownSql(node: PlanNode): string {
    const text = this.withParts(this.#readsParts(node), () => declarationOf(node).sql(node, this));
    if (node !== this.#counted || node === this.root) return text;
    this.step = { name: this.name('step'), text };
    return this.select(node.rows, { from: this.step.name });
  }

  cutRows(node: PlanNode, taken: Cut): void {
    this.#cuts.set(lowestToCut(node, this.#isStage), taken);
  }

  tableBelow(node: PlanNode): TableScan | undefined {
    return tableBelow(node, this.#isStage);
  }

  isMadeBy(fits: (expression: Expression) => boolean, node: PlanNode): boolean {
    return isMadeBy(fits, node, this.#made);
  }

  takenCut(node: PlanNode): Cut | undefined {
    const taken = this.#cuts.get(node);
    this.#cuts.delete(node);
    return taken;
  }

  typeOf(id: ColumnId): SqlType {
    return this.#types.get(id) ?? 'any';
  }

  column(id: ColumnId): Sql {
    const own = { text: alias(id), type: this.typeOf(id), isPlain: true } as const;
    const types = this.#hasParts ? this.#mixed.get(id) : undefined;
    return types ? { ...own, parts: partColumns(id, types) } : own;
  }

  isRead(id: ColumnId): boolean {
    return this.reading.isRead(id) || this.reading.isOverflowRead(id);
  }

  outputs(rows: Rows): ColumnId[] {
    const ids = idsOf(rows).filter((id) => this.isRead(id));
    const leaves = this.#hasParts && rows.overflow ? this.leavesOf(rows.overflow.id) : [];
    return leaves.length === 0 ? ids : [...ids, ...leaves.map(({ id }) => id)];
  }

  wanted(node: PlanNode): readonly ColumnId[] {
    return this.#wanted.get(node)?.filter((id) => this.isRead(id)) ?? this.outputs(node.rows);
  }

  select(
    rows: Rows | readonly ColumnId[],
    { from, computed, tail, more = [] }: SelectParts & { readonly computed?: ReadonlyMap<ColumnId, string | Sql> },
  ): string {
    const ids = 'columns' in rows ? this.outputs(rows) : rows;
    const list = ids.flatMap((id) => {
      const made = computed?.get(id);
      return made === undefined ? [alias(id), ...this.#partNames(id)] : this.#madeColumn(id, made);
    });
    return `select ${[...list, ...more].join(', ') || '1 as nothing'} from ${from}${tail ? ` ${tail}` : ''}`;
  }

  #partNames(id: ColumnId): string[] {
    const types = this.#hasParts ? this.#mixed.get(id) : undefined;
    return types ? [...types.keys()].map((part) => partAlias(id, part)) : [];
  }

  /** With its parts beside it. */
  #madeColumn(id: ColumnId, made: string | Sql): string[] {
    if (typeof made === 'string') return [`${made} as ${alias(id)}`];
    const parts = this.#hasParts ? Object.entries(made.parts ?? {}) : [];
    if (parts.length > 0) this.#mixed.set(id, new Map(parts.map(([part, { type }]) => [part as PartName, type])));
    return [`${made.text} as ${alias(id)}`, ...parts.map(([part, { text }]) => `${text} as ${partAlias(id, part)}`)];
  }

  readonly isCounted = (node: PlanNode): boolean => node === this.#counted;

  behind(node: PlanNode, count: string): string[] {
    return this.isCounted(node) ? [`${count} as ${BEHIND}`] : [];
  }

  name(what: string): string {
    this.#names += 1;
    return `${what}_${this.#names}`;
  }

  table(source: ReadTable): string {
    return this.#source({
      ...source,
      ...firstRowsOf(source.scan, this.#cuts.get(source.scan)),
      name: this.name('vigil_source'),
    });
  }

  union(selects: readonly SourceSelect[]): string {
    const [only] = selects;
    if (only && selects.length === 1) return only.text;
    const union = { name: this.name('vigil_union'), selects };
    this.unions.push(union);
    return union.name;
  }

  storedColumns(table: string): ReadonlyMap<string, ColumnType> {
    const known = this.#storedColumns.get(table) ?? this.context.storedColumns(table);
    this.#storedColumns.set(table, known);
    return known;
  }

  furtherTypes(table: string): ReadonlyMap<string, FurtherTypes> {
    const known = this.#furtherTypes.get(table) ?? this.context.furtherTypes?.(table) ?? new Map();
    this.#furtherTypes.set(table, known);
    return known;
  }

  leafTypes(table: string): LeafTypes {
    const known = this.#leafTypes.get(table) ?? this.context.leafTypes?.(table) ?? NO_LEAF_TYPES;
    this.#leafTypes.set(table, known);
    return known;
  }

  lookup(lookup: LookupName): string {
    return this.#source({ ...lookup, name: this.name('vigil_source') });
  }

  #source(source: Source): string {
    this.sources.push(source);
    return source.name;
  }

  stored(name: string): string {
    return this.bindings.name(quotedName(name));
  }

  bind(value: Value): Sql {
    return bound(this.bindings, value);
  }

  scope({ order, sequence, window }: Pick<SqlScope, 'order' | 'sequence' | 'window'> = {}): SqlScope {
    return {
      run: this.context.run,
      constants: this.context.constants ?? new Map(),
      bindings: this.bindings,
      column: (id) => this.column(id),
      leaf: (leaf) => this.#leaf(leaf),
      ...(order === undefined ? {} : { order }),
      ...(sequence ? { sequence } : {}),
      ...(window === undefined ? {} : { window }),
    };
  }

  writer(): Compiler {
    return new Compiler(this.scope());
  }

  expression(expression: Expression, as?: ColumnType, scope = this.scope()): Sql {
    const { double, ...compiled } = expressionSql(expression, scope, as);
    return compiled.type === 'null' ? { text: `null::${typed('null')}`, type: 'null', isPlain: true } : compiled;
  }

  converted(value: Sql, as: SqlType): string {
    const made = asType(value, as, this.writer());
    return made.type === 'null' ? `null::${typed('null')}` : made.text;
  }

  keys(value: Sql): readonly string[] {
    return sortKeys(value, this.scope());
  }

  group(value: Sql): string {
    return groupKey(value, this.scope());
  }

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

type PartTypes = ReadonlyMap<PartName, SqlType>;

const partColumns = (id: ColumnId, types: PartTypes): MixedParts =>
  Object.fromEntries(types.entries().map(([part, type]) => [part, { text: partAlias(id, part), type, isPlain: true }]));

const readsSequence = ({ args }: AggregateCall): boolean =>
  args.some((arg) => someWithin(arg, (inner) => inner.kind === 'call' && inner.called.name === 'seq'));
