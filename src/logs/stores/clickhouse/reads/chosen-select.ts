// Which rows of a table ClickHouse chooses itself: those that fulfil conditions exactly, and of these the first ones, of all or of
// each combination of keys.

import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { ChosenRows } from '#query/analysis/chosen-rows.ts';
import type { SelectedRows } from '#query/analysis/condensed-rows.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { constantOf, exactColumn, type StoredTable } from './condensed-select.ts';
import { exactCondition } from './exact-condition.ts';

interface ChosenSelect {
  readonly filter: Condition;
  /** The end of a statement. */
  readonly first: string;
  readonly isOfEach: boolean;
}

/** Undefined where ClickHouse might choose others. */
export function chosenSelect(chosen: ChosenRows, table: StoredTable, facts: RunFacts): ChosenSelect | undefined {
  const filter = selectedCondition(chosen, table, facts);
  const keys = chosen.keys
    .filter((key) => constantOf(key, table) === undefined)
    .map((key) => exactColumn(key, table)?.text);
  if (!filter || keys.includes(undefined)) return undefined;
  const { direction } = chosen.scan;
  const by = keys.length === 0 ? '' : ` by ${keys.join(', ')}`;
  const first = `order by _time ${direction}, _id ${direction} limit ${chosen.first}${by}`;
  return { filter, first, isOfEach: keys.length > 0 };
}

/** The conditions of rows of a scan on one of its tables; undefined where ClickHouse might see some of them otherwise. */
export function selectedCondition(
  { scan, conditions }: SelectedRows,
  table: StoredTable,
  facts: RunFacts,
): Condition | undefined {
  const { columns, unlisted = [] } = scan.rows;
  const known = new Map([...columns, ...unlisted].map((column) => [column.id, column]));
  const columnSql = (id: ColumnId) => {
    const column = known.get(id);
    return column && exactColumn(column, table);
  };
  return exactCondition(conditions, columnSql, facts);
}
