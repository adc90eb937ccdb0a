// What a plan needs of the tables it scans: which columns, which keys of the overflow, and which span of time. Pure over
// the plan. A column id means one value per row wherever it is read, so one pass from the result down to the scans
// gathers the ids that anybody reads; whoever makes a column that is not read asks nothing for it.

import { type ColumnId, childrenOf, type Expression } from '#query/model/expression.ts';
import type {
  FulltextScan,
  Overflow,
  Plan,
  PlanNode,
  Rows,
  TableScan,
  TextCondition,
  TimeRange,
} from '#query/nodes/plan.ts';
import { readByNode } from './needs-of-nodes.ts';
import { subqueriesOf } from './sub-plans.ts';
import { timeBounds } from './time-bounds.ts';

export type Scan = TableScan | FulltextScan;

/** Keys of an overflow that are read: some by name, or the whole object. */
export type OverflowNeed = 'none' | 'all' | ReadonlySet<string>;

export interface ScanNeeds {
  readonly scan: Scan;
  /** Ids of `scan.rows.columns`; what orders the rows is among them only where somebody asks for the order. */
  readonly columns: ReadonlySet<ColumnId>;
  readonly overflow: OverflowNeed;
  /** No row outside it can reach the result: the range of the command, narrowed by comparisons of `_time` after it. */
  readonly range: TimeRange;
}

/** Of the scans of a plan and its subqueries, in the order of the text; those of setq are in plans of their own. */
export function scanNeeds(plan: Plan, zone: string): ScanNeeds[] {
  const reading = new Reading();
  reading.wholeRows(plan.result.rows);
  const scans = new Set<Scan>();
  visit(plan.result, reading, scans);
  const bounds = timeBounds(plan.result, zone);
  return [...scans]
    .map((scan) => ({
      scan,
      columns: new Set(scan.rows.columns.map(({ id }) => id).filter((id) => reading.isRead(id))),
      overflow: scan.rows.overflow ? reading.overflowNeed(scan.rows.overflow) : 'none',
      range: bounds.get(scan) ?? scan.range,
    }))
    .sort((one, other) => one.scan.begin - other.scan.begin);
}

function visit(node: PlanNode, reading: Reading, scans: Set<Scan>): void {
  readByNode(node, reading);
  if (node.kind === 'table' || node.kind === 'fulltext') scans.add(node);
  for (const input of inputsOf(node)) visit(input, reading, scans);
}

/** The nodes whose rows a node takes. */
export function inputsOf(node: PlanNode): PlanNode[] {
  const inputs = 'input' in node && node.input ? [node.input] : [];
  if (node.kind === 'lookup' && node.built) return [...inputs, node.built.records];
  return node.kind === 'proc' ? [node.body.result] : [...inputs, ...subqueriesOf(node).map(({ result }) => result)];
}

/** Ids and overflow keys that somebody reads. */
export class Reading {
  readonly #ids = new Set<ColumnId>();
  readonly #keys = new Map<ColumnId, Set<string> | 'all'>();

  isRead(id: ColumnId): boolean {
    return this.#ids.has(id);
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

  /** What rows carry along, too: for those who keep them for anybody. */
  everything(rows: Rows): void {
    this.wholeRows(rows);
    for (const { id } of rows.parameters ?? []) this.#ids.add(id);
    if (rows.exploded !== undefined) this.#ids.add(rows.exploded);
  }

  expression(expression: Expression): void {
    if (expression.kind === 'field') {
      const { source, name } = expression;
      if (source?.kind === 'column') this.#ids.add(source.id);
      if (source?.kind === 'overflow') this.#key(source.id, name);
      if (source?.kind === 'rest') this.#keys.set(source.id, 'all');
    }
    for (const inner of childrenOf(expression)) this.expression(inner);
  }

  text(condition: TextCondition, rows: Rows): void {
    if ('operands' in condition) for (const one of condition.operands) this.text(one, rows);
    else if (condition.kind === 'not') this.text(condition.operand, rows);
    else if (condition.kind === 'term' || !condition.field) this.#everyField(rows);
    else this.expression(condition.field);
    if (condition.kind === 'found' && condition.value) this.expression(condition.value);
  }

  /** What is read of one overflow is read of the one it is made from. */
  overflowFrom(made: ColumnId, from: Overflow | undefined): void {
    const need = this.#keys.get(made);
    if (!from || need === undefined) return;
    if (need === 'all') this.#keys.set(from.id, 'all');
    else for (const key of need) if (!from.without.includes(key)) this.#key(from.id, key);
  }

  isOverflowRead(id: ColumnId): boolean {
    return this.#keys.has(id);
  }

  overflowNeed({ id, without }: Overflow): OverflowNeed {
    const need = this.#keys.get(id) ?? new Set();
    if (need === 'all') return 'all';
    const keys = new Set([...need].filter((key) => !without.includes(key)));
    return keys.size === 0 ? 'none' : keys;
  }

  /** A term looks into every field whose name does not begin with `_`. */
  #everyField({ columns, overflow }: Rows): void {
    for (const { id, name } of columns) if (!name.startsWith('_')) this.#ids.add(id);
    if (overflow) this.#keys.set(overflow.id, 'all');
  }

  #key(id: ColumnId, name: string): void {
    const known = this.#keys.get(id);
    if (known === 'all') return;
    this.#keys.set(id, (known ?? new Set()).add(name));
  }
}
