// Plans in plain TypeScript: slow, obvious, and made of nothing that the SQL is made of but the expressions of the local evaluator.

import { LocalPipeline } from '#query/local/local-pipeline.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { elements } from '#query/plan-nodes/explode.ts';
import { inputOf, isOpened, isSink } from '#query/plan-nodes/facts.ts';
import type { KnownPlanNode, OpenedPlanNode } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { RowCut } from '#query/plan-nodes/plan-node.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { RowScope } from '#query/plan-nodes/shared/row-scope.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { TextCondition } from '#query/plan-nodes/shared/text-condition.ts';
import { textTest } from '#query/plan-nodes/shared/text-search.ts';
import { readField as localField } from '#query/rows/row.ts';
import { compactJson, textOf } from '#query/values/conversions.ts';
import { binned } from '#query/values/dates/bins.ts';
import { equals } from '#query/values/equality.ts';
import { lower } from '#query/values/text/strings.ts';
import { known } from '#test/support/known-plan-node.ts';
import { chart } from './local-charts.ts';
import { correlation, eventstats, facets, sorted, stats, top } from './local-groups.ts';
import { join, union } from './local-merges.ts';
import {
  copyingStep,
  fieldsOf,
  LocalRows,
  listed,
  mapped,
  type Pair,
  type PlanNodeOf,
  type Row,
  readField,
  recordRow,
  type StoredRow,
  withValues,
} from './local-rows.ts';
import { prev, rollup, streamstats } from './local-windows.ts';

export interface LocalWorld {
  readonly run: RunFacts;
  /** With `_table`, `_time` and `_id`. */
  readonly tables: (name: string) => readonly StoredRow[];
  readonly lookups: (name: LookupName) => readonly StoredRow[];
}

type Made = Scan['kind'] | 'json' | 'proc' | 'remote' | 'union' | 'lookuptable' | 'memlookup-drop' | 'given' | 'window';

type Found = Extract<TextCondition, { kind: 'found' }>;

const lowered = (value: Value): Value => (typeof value === 'string' ? lower(value) : value);

export class LocalPlan extends LocalRows {
  readonly #world: LocalWorld;

  constructor(world: LocalWorld) {
    super(world.run);
    this.#world = world;
  }

  override rows(given: PlanNode): Row[] {
    const node = known(given);
    if (isOpened(node)) return this.#opened(node);
    switch (node.kind) {
      case 'table':
        return this.#cut(node, this.#scan(node));
      case 'fulltext':
        return this.#cut(
          node,
          this.#scan(node).filter((row) => this.#holds(node.condition, row, node)),
        );
      case 'json':
        return node.values.map(
          (value, index) => new Map([...recordRow(value, node.rows), [node.sequence, BigInt(index)]]),
        );
      case 'proc':
        return this.rows(node.body.result);
      case 'remote':
        return this.rows(node.right.result);
      case 'union':
        return union(this, node);
      case 'lookuptable':
        return this.#cut(node.cut ?? { offset: 0n }, this.#lookupRows(node));
      case 'memlookup-drop':
        return [];
      case 'given':
      case 'window':
        throw new Error(`${node.kind} is not here`);
      default:
        return this.#step(node);
    }
  }

  /** Rows that are written go on. */
  #opened(node: OpenedPlanNode): Row[] {
    if (isSink(node)) return this.rows(inputOf(node));
    throw new Error(`${node.kind} is not here`);
  }

  #lookupRows(node: PlanNodeOf<'lookuptable'>): Row[] {
    const { key, fields } = node;
    const made = [key, ...fields];
    return this.#world
      .lookups(node)
      .map((record) =>
        withValues(new Map(), ...made.map(({ from, column }): Pair => [column.id, record.get(from) ?? null])),
      )
      .sort((one, other) => this.compare(one.get(key.column.id) ?? null, other.get(key.column.id) ?? null));
  }

  #step(node: Exclude<KnownPlanNode, OpenedPlanNode | { kind: Made }>): Row[] {
    const rows = this.rows(node.input);
    switch (node.kind) {
      case 'filter':
      case 'project':
        return this.#cut((node.kind === 'filter' && node.cut) || { offset: 0n }, this.#counted(node, rows));
      case 'rex':
      case 'parse':
      case 'parse-fields':
      case 'matchnet': {
        const step = copyingStep(node, this.facts);
        return rows.flatMap((row) => step(row) ?? []);
      }
      case 'pass':
      case 'block':
      case 'import':
      case 'memlookup':
        return rows;
      case 'geoip':
        return rows.map((row) => {
          const location = this.run.locations?.of(textOf(this.value(node.key)(row), this.run.zone) ?? '');
          return withValues(
            row,
            ...node.outputs.map(({ from, column }): Pair => [column.id, location?.get(from) ?? null]),
          );
        });
      case 'evalc': {
        const pipeline = new LocalPipeline([node], this.facts);
        return rows.flatMap((row) => [...pipeline.push(listed(row))].map(mapped));
      }
      case 'drop':
        return [];
      case 'explode':
        return rows.flatMap((row) =>
          elements(this.value(node.source)(row)).map((item, at) =>
            withValues(row, [node.column.id, item], [node.position, BigInt(at)]),
          ),
        );
      case 'repeat':
        return rows.flatMap((row) =>
          Array.from({ length: Number(node.count) }, (_, at) => withValues(row, [node.copy, BigInt(at)])),
        );
      case 'lookup':
        return this.#lookup(node, rows);
      case 'bin':
        return rows.map((row) =>
          withValues(row, [node.column.id, binned(this.value(node.source)(row), node, this.run.zone)]),
        );
      case 'tojson':
        return rows.map((row) => withValues(row, [node.column.id, this.#json(node, row)]));
      case 'stats':
        return stats(this, node, rows);
      case 'eventstats':
        return eventstats(this, node, rows);
      case 'streamstats':
        return streamstats(this, node, rows);
      case 'prev':
        return prev(this, node, rows);
      case 'rollup':
        return rollup(this, node, rows);
      case 'sort':
        return sorted(this, node, rows);
      case 'limit':
        return rows.slice(Number(node.offset), Number(node.offset + node.count));
      case 'dedup':
        return this.firsts(rows, (row) => node.keys.map((key) => this.value(key)(row)), Number(node.count));
      case 'top':
        return top(this, node, rows);
      case 'correlation':
        return correlation(this, node, rows);
      case 'facets':
        return facets(this, node, rows);
      case 'timechart':
      case 'pivot':
        return chart(this, node, rows);
      case 'join':
        return join(this, node, rows);
      case 'parser':
        throw new Error('parsers are not here');
    }
  }

  /** seq() is the row's index, whichever call asks. */
  #counted(node: PlanNodeOf<'filter' | 'project'>, rows: readonly Row[]): Row[] {
    return rows.flatMap((row, index) => {
      const run = { ...this.run, nextRow: () => BigInt(index + 1) };
      return copyingStep(node, { run, constants: new Map() })(row) ?? [];
    });
  }

  #scan({ tables, rows, range, direction, node }: Scan): Row[] {
    const sign = direction === 'desc' ? -1 : 1;
    const all = tables.flatMap(({ name, columns, isOpen }) => {
      const declared = new Set(['_table', '_time', '_id', ...columns.map((column) => column.name)]);
      return this.#world
        .tables(name)
        .filter((record) => {
          const at = record.get('_time') as Temporal.Instant; // Every stored row has one.
          return (
            (!range.from || Temporal.Instant.compare(at, range.from) >= 0) &&
            (!range.to || Temporal.Instant.compare(at, range.to) < 0)
          );
        })
        .map((record) => new Map([...record].filter(([field]) => isOpen || declared.has(field))));
    });
    const by = (one: StoredRow, other: StoredRow, name: string) =>
      this.compare(one.get(name) ?? null, other.get(name) ?? null);
    all.sort(
      (one, other) => by(one, other, '_time') * sign || by(one, other, '_table') || by(one, other, '_id') * sign,
    );
    return all.map((record) => recordRow(new Map([...record, ['_node', node]]), rows));
  }

  #cut({ offset, limit }: Pick<RowCut, 'offset' | 'limit'>, rows: Row[]): Row[] {
    return rows.slice(Number(offset), limit === undefined ? undefined : Number(offset + limit));
  }

  #holds(condition: TextCondition, row: Row, node: PlanNodeOf<'fulltext'>): boolean {
    if (condition.kind === 'and') return condition.operands.every((one) => this.#holds(one, row, node));
    if (condition.kind === 'or') return condition.operands.some((one) => this.#holds(one, row, node));
    if (condition.kind === 'not') return !this.#holds(condition.operand, row, node);
    if (condition.kind === 'found') return this.#found(condition, row, node);
    const sought = { condition, anywhere: node.anywhere };
    return textTest(sought, node.rows, new RowScope(this.facts, localField))(listed(row));
  }

  #wordsOf(value: Value): readonly string[] {
    return lower(textOf(value, this.run.zone) ?? '').match(/[\p{L}\p{Nd}]+/gu) ?? [];
  }

  #found({ field, value, query }: Found, row: Row, node: PlanNodeOf<'fulltext'>): boolean {
    const values = value ? this.rows(query.result).map(readField(value)) : [];
    if (!field) {
      return values.some((one) => {
        const words = this.#wordsOf(one);
        return words.length > 0 && this.#holds({ kind: 'term', words, openStart: false, openEnd: false }, row, node);
      });
    }
    const own = lowered(readField(field)(row));
    return values.some((one) => equals(own, lowered(one), this.run.zone));
  }

  #lookup(node: PlanNodeOf<'lookup'>, rows: readonly Row[]): Row[] {
    const { keyColumn, declaredKey, key, outputs, built } = node;
    const found = built
      ? this.rows(built.records).map((row) => fieldsOf(row, built.records.rows))
      : this.#world.lookups(node);
    const records = found.toSorted((one, other) =>
      this.compare(one.get(declaredKey) ?? null, other.get(declaredKey) ?? null),
    );
    const value = this.value(key);
    return rows.map((row) => {
      const found = records.find((record) => equals(value(row), record.get(keyColumn) ?? null, this.run.zone));
      return withValues(row, ...outputs.map(({ from, column }): Pair => [column.id, found?.get(from) ?? null]));
    });
  }

  #json({ fields, input }: PlanNodeOf<'tojson'>, row: Row): Value {
    const entries = fields
      ? fields.map(({ name, value }) => [name, this.value(value)(row)] as const)
      : [...fieldsOf(row, input.rows)].filter(([name]) => !['_table', '_time', '_id', '_node'].includes(name));
    return compactJson(new Map(entries.filter(([, value]) => value !== null)), this.run.zone);
  }
}
