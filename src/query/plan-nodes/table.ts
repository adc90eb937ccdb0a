// The rows of stored tables in the order of their times.

import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { cutScan, namesOf, readCut, type StoredRows, scanSql } from './shared/scans.ts';

export interface TableScan extends StoredRows {
  readonly kind: 'table';
}

export const table: PlanNodeDeclaration<TableScan> = {
  kind: 'table',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: readCut,
  pushdown: 'lost',
  counts: 'counted',
  cut: ({ offset, limit }) => ({ offset, limit }),
  scan: { of: (node) => node, range: ({ range }) => range, isFiltered: false },
  uses: ({ tables }) => ({ tables: namesOf(tables) }),
  sql: (node, compiler) => cutScan(node, scanSql(node, compiler), compiler),
};
