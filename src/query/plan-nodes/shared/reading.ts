// Columns and overflow keys that are read. A column id means one value per row wherever it is read, so one pass from the
// result down to the scans gathers all of them; a node that makes a column that is not read reads nothing for it.

import type { Overflow, Rows } from '#query/model/columns.ts';
import {
  type AggregateCall,
  type ColumnId,
  childrenOf,
  type Expression,
  isOrdered,
  type LeafRead,
  leafRead,
} from '#query/model/expression.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

/** Keys of an overflow that are read: some by name, or the whole object. */
export type OverflowNeed = 'none' | 'all' | ReadonlySet<string>;

/** A value inside of an overflow, and the nodes that read it. */
interface LeafNeed extends LeafRead {
  readonly readers: Set<PlanNode>;
}

export class Reading {
  /** Of overflows of scans, by their paths, until it is decided how they are read. */
  readonly #leaves = new Map<ColumnId, Map<string, LeafNeed>>();
  #reader: PlanNode | undefined;
  readonly #ids = new Set<ColumnId>();
  /** Those that expressions and orders read. */
  readonly #computed = new Set<ColumnId>();
  readonly #keys = new Map<ColumnId, Set<string> | 'all'>();

  isRead(id: ColumnId): boolean {
    return this.#ids.has(id);
  }

  /** Whether something is computed of the column, and it is not merely handed on. */
  isComputed(id: ColumnId): boolean {
    return this.#computed.has(id);
  }

  id(id: ColumnId): void {
    this.#ids.add(id);
  }

  order({ order = [] }: Rows): void {
    for (const { column } of order) this.#ids.add(column);
  }

  /** All fields and their order. */
  wholeRows(rows: Rows): void {
    for (const { id } of rows.columns) this.#ids.add(id);
    if (rows.overflow) this.#keys.set(rows.overflow.id, 'all');
    this.order(rows);
  }

  /** With the hidden columns that rows carry along: for rows that are kept for any later use. */
  everything(rows: Rows): void {
    this.wholeRows(rows);
    for (const { id } of [...(rows.unlisted ?? []), ...(rows.parameters ?? [])]) this.#ids.add(id);
    if (rows.exploded !== undefined) this.#ids.add(rows.exploded);
  }

  /** The node whose reads follow. */
  begin(reader: PlanNode): void {
    this.#reader = reader;
  }

  /** Values inside of this overflow may have columns of their own. */
  expectLeaves(overflow: ColumnId): void {
    this.#leaves.set(overflow, new Map());
  }

  /** The values inside of an overflow that are read of columns; those that are not to be kept are read of the overflow. */
  decideLeaves(overflow: ColumnId, keep: (need: LeafNeed) => boolean): readonly LeafRead[] {
    const needs = [...(this.#leaves.get(overflow)?.values() ?? [])];
    this.#leaves.delete(overflow);
    const kept = new Set(needs.filter(keep));
    for (const need of needs) if (!kept.has(need)) this.#key(overflow, need.path[0] ?? '');
    return [...kept];
  }

  #isLeaf(expression: Expression): boolean {
    const leaf = leafRead(expression);
    const ofOverflow = leaf && this.#leaves.get(leaf.id);
    if (!ofOverflow || !this.#reader) return false;
    const key = JSON.stringify(leaf.path);
    const need = ofOverflow.get(key) ?? { ...leaf, readers: new Set() };
    need.readers.add(this.#reader);
    ofOverflow.set(key, need);
    return true;
  }

  expression(expression: Expression): void {
    if (this.#isLeaf(expression)) return;
    if (expression.kind === 'field') {
      const { source, name } = expression;
      if (source?.kind === 'column') {
        this.#ids.add(source.id);
        this.#computed.add(source.id);
      }
      if (source?.kind === 'overflow') this.#key(source.id, name);
      if (source?.kind === 'rest') this.#keys.set(source.id, 'all');
    }
    for (const inner of childrenOf(expression)) this.expression(inner);
  }

  expressions(expressions: Iterable<Expression>): void {
    for (const expression of expressions) this.expression(expression);
  }

  /** An aggregate over these rows. */
  aggregate({ called, args }: AggregateCall, rows: Rows): void {
    this.expressions(args);
    if (called.ordered || args.some(isOrdered)) this.order(rows);
  }

  /** A term is searched in every field whose name does not begin with `_`. */
  searchedFields({ columns, overflow }: Rows): void {
    for (const { id, name } of columns) if (!name.startsWith('_')) this.#ids.add(id);
    if (overflow) this.#keys.set(overflow.id, 'all');
  }

  /** Keys that are read of one overflow are read of the one it is made from. */
  overflowFrom(made: ColumnId, from: Overflow | undefined): void {
    const need = this.#keys.get(made);
    if (!from || need === undefined) return;
    if (need === 'all') this.#keys.set(from.id, 'all');
    else for (const key of need) if (!from.without.includes(key)) this.#key(from.id, key);
  }

  isOverflowRead(id: ColumnId): boolean {
    return this.#keys.has(id) || (this.#leaves.get(id)?.size ?? 0) > 0;
  }

  overflowNeed({ id, without }: Overflow): OverflowNeed {
    const need = this.#keys.get(id) ?? new Set();
    if (need === 'all') return 'all';
    const keys = new Set([...need].filter((key) => !without.includes(key)));
    return keys.size === 0 ? 'none' : keys;
  }

  #key(id: ColumnId, name: string): void {
    const known = this.#keys.get(id);
    if (known === 'all') return;
    this.#keys.set(id, (known ?? new Set()).add(name));
  }
}
