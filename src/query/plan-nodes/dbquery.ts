// dbquery: rows of a statement that a database runs. Which columns they have is known only when it runs.

import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { madeOutside } from './local-form.ts';
import type { PlanNode } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { BoundSql, DatabaseUse } from './shared/database.ts';
import { onlyLocal } from './shared/local-rows.ts';

export interface DatabaseRows extends PlanNode, DatabaseUse {
  readonly kind: 'dbquery';
  readonly sql: BoundSql;
  /** In the order of the marks. */
  readonly values: readonly Value[];
  readonly limit?: bigint;
  readonly timeoutMs?: number;
  /** Hidden: the position of a row in the result of the database. */
  readonly sequence: ColumnId;
}

interface DatabaseQueries {
  readonly databases: {
    /** Rows in the order of the database. Failures are QueryErrors at the position of the node. */
    rows(node: DatabaseRows, signal: AbortSignal): AsyncIterable<readonly MapValue[]>;
  };
}

export const dbquery: PlanNodeDeclaration<DatabaseRows, DatabaseQueries> = {
  kind: 'dbquery',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  effect: (node) => ({
    kind: 'rows',
    reach: 'asks',
    sequence: node.sequence,
    open: ({ databases }, signal) => databases.rows(node, signal),
  }),
  sql: onlyLocal,
  local: madeOutside,
};
