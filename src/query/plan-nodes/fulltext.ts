// The rows of stored tables whose fields hold terms (7.1).

import { type ColumnId, columnRead } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Plan } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { Reading } from './shared/reading.ts';
import { cutScan, namesOf, readCut, type StoredRows } from './shared/scans.ts';
import { searchSql, type TextCondition, type TextSearch } from './shared/text-condition.ts';
import { narrowed, rangeBy } from './shared/time-bounds.ts';

export interface FulltextScan extends StoredRows, TextSearch {
  readonly kind: 'fulltext';
  /** Of the condition, in the order of the text. */
  readonly subqueries: readonly Plan[];
}

export const fulltext: PlanNodeDeclaration<FulltextScan> = {
  kind: 'fulltext',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads(node, reading) {
    readCondition(node.condition, node, reading);
    readCut(node, reading);
  },
  pushdown: 'lost',
  counts: 'counted',
  cut: ({ offset, limit }) => ({ offset, limit }),
  subqueries: { plans: ({ subqueries }) => subqueries, taken: 'all' },
  scan: {
    of: (node) => node,
    range({ range, condition, rows }, zone) {
      const time = rows.columns.find(({ name }) => name === '_time');
      return time ? narrowed(range, conditionRange(condition, time.id, zone)) : range;
    },
    isFiltered: true,
    search: ({ condition, anywhere }) => ({ condition, anywhere }),
  },
  uses: ({ tables }) => ({ tables: namesOf(tables) }),
  sql: (node, compiler) => cutScan(node, searchSql(node, compiler), compiler),
};

function readCondition(condition: TextCondition, { rows }: Pick<FulltextScan, 'rows'>, reading: Reading): void {
  if ('operands' in condition) for (const one of condition.operands) readCondition(one, { rows }, reading);
  else if (condition.kind === 'not') readCondition(condition.operand, { rows }, reading);
  else if (condition.kind === 'term' || !condition.field) reading.searchedFields(rows);
  else reading.expression(condition.field);
  if (condition.kind === 'found' && condition.value) reading.expression(condition.value);
}

/** The range of times that the comparisons of an `and` leave. */
function conditionRange(condition: TextCondition, time: ColumnId, zone: string): TimeRange {
  if (condition.kind === 'and') {
    return condition.operands.map((operand) => conditionRange(operand, time, zone)).reduce(narrowed, {});
  }
  if (condition.kind !== 'comparison' || columnRead(condition.field) !== time) return {};
  return rangeBy(condition.operator, condition.value, zone) ?? {};
}
