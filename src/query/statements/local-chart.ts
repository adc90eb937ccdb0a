// Charts of few groups, which the local evaluator makes into rows: one statement reads the groups, and no table is made. A table of them,
// their keys and a pivot are three statements that cost as much as grouping a hundred thousand records.

import type { DuckDBValue } from '@duckdb/node-api';
import { declarationOf, inputByRow, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import {
  type CellColumn,
  type ChartColumn,
  type ChartPlanNode,
  groupName,
  KEPT_KEY,
  valueName,
} from '#query/plan-nodes/shared/chart-cells.ts';
import { BEHIND } from '#query/plan-nodes/shared/sql-text.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { chartColumnsOf, chartGroupsSql, keepsGroups, MIN_KEY } from './chart-columns.ts';
import { writtenCell } from './row-text-sql.ts';

/** Groups that the main thread takes: some hundredths of a second of work. */
export const MAX_LOCAL_GROUPS = 16_384;

/** Rows are buckets of time, and nothing but rows of tables, each by itself, is below the chart. */
export const isLocalChart = (node: ChartPlanNode): boolean =>
  (declarationOf(node).chart?.hasTimeRows?.(node) ?? false) && keepsGroups(node) && readsRowsAlone(node.input);

const readsRowsAlone = (node: PlanNode): boolean => {
  const input = inputByRow(node);
  return scanOf(node) !== undefined || (input !== undefined && readsRowsAlone(input));
};

/** All groups, as `LocalChart` reads them, or one more than it takes; undefined where several values make one key. */
export function localGroupsSql(node: ChartPlanNode, compiler: PlanCompiler): string | undefined {
  const { select, least } = chartGroupsSql(node, compiler);
  if (!least || !LOCAL_KEY_TYPES.includes(least.type)) return undefined;
  const cells = node.aggregates.map(({ call }, index) =>
    call.type === 'long' ? valueName(index) : `json_array(${writtenCell(call.type, valueName(index))})::varchar`,
  );
  const list = [`epoch_ms(${groupName(0)})`, KEPT_KEY, MIN_KEY, `${BEHIND}::bigint`, ...cells];
  return `select ${list.join(', ')} from (${select}) limit ${MAX_LOCAL_GROUPS + 1}`;
}

const LOCAL_KEY_TYPES: readonly string[] = ['bool', 'long', 'string'];

export class LocalChart {
  readonly columns: readonly ChartColumn[];
  /** Rows of the input of the chart. */
  readonly input: bigint;
  /** Texts of cells by the key, by the bucket in epoch milliseconds. */
  readonly #buckets: ReadonlyMap<bigint, ReadonlyMap<string, readonly string[]>>;

  constructor(columns: readonly ChartColumn[], groups: Groups) {
    this.columns = columns;
    this.input = groups.input;
    this.#buckets = groups.buckets;
  }

  get rows(): number {
    return this.#buckets.size;
  }

  /** The rows of the planned chart, in order of time. */
  texts(columns: readonly CellColumn[]): string[] {
    const buckets = [...this.#buckets].sort(([one], [other]) => (one < other ? -1 : 1));
    return buckets.map(([at, cells]) => {
      const own = columns.map(({ cell }) => cells.get(cell?.key ?? '')?.[cell?.aggregate ?? 0] ?? 'null');
      return `[${[String(at), ...own].join(',')}]`;
    });
  }
}

/** Undefined where the groups are too many, or where values of several texts share a key. */
export function localChartOf(
  node: ChartPlanNode,
  rows: readonly (readonly DuckDBValue[])[],
  zone: string,
): LocalChart | undefined {
  if (rows.length > MAX_LOCAL_GROUPS) return undefined;
  const groups = groupsIn(rows);
  if (!groups) return undefined;
  const keys = [...groups.shown].map(([key, shown]) => [key, shown, groups.shown.size]);
  return new LocalChart(chartColumnsOf(node, keys, zone), groups);
}

interface Groups {
  readonly buckets: ReadonlyMap<bigint, ReadonlyMap<string, readonly string[]>>;
  /** The value of each key, as JSON. */
  readonly shown: ReadonlyMap<string, string>;
  readonly input: bigint;
}

function groupsIn(rows: readonly (readonly DuckDBValue[])[]): Groups | undefined {
  const buckets = new Map<bigint, Map<string, string[]>>();
  const shown = new Map<string, string>();
  let input = 0n;
  for (const [at, key, least, behind, ...cells] of rows) {
    if (typeof key !== 'string' || typeof behind !== 'bigint') throw new Error('a group has a key and rows');
    input += behind;
    // Rows that belong to no bucket are counted alone.
    if (typeof at !== 'bigint') continue;
    const value = `[${taggedJson(simpleValue(least))}]`;
    if ((shown.get(key) ?? value) !== value) return undefined;
    shown.set(key, value);
    const bucket = buckets.get(at) ?? new Map<string, string[]>();
    buckets.set(at, bucket.set(key, cells.map(cellText)));
  }
  return { buckets, shown, input };
}

/** Of the types that a key is made of. */
function simpleValue(value: DuckDBValue | undefined): string | bigint | boolean | null {
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' ? value : null;
}

/** A whole number, or an array of one. */
const cellText = (cell: DuckDBValue): string => (typeof cell === 'string' ? cell.slice(1, -1) : String(cell));
