// dboutput: writes fields of its rows to a table of a database; all of them go on. The rows of its input are a stage.

import type { RowSink } from './effect.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { DatabaseUse } from './shared/database.ts';
import { handedToSink } from './shared/local-rows.ts';

export interface DatabaseOutput extends Step, DatabaseUse {
  readonly kind: 'dboutput';
  readonly dialect: 'postgresql' | 'mysql';
  /** `NAME`, or schema and name. */
  readonly table: readonly string[];
  readonly columns: readonly { readonly field: string; readonly column: string }[];
  /** Columns that a row is found by and updated; none: rows are inserted. */
  readonly key: readonly string[];
  readonly batchSize: number;
  /** Whether the rows of a refused batch are sent once more one by one. */
  readonly isRetried: boolean;
  /** Whether a refused batch ends the query. */
  readonly stopsOnFailure: boolean;
}

interface DatabaseWrites {
  readonly databases: {
    /** Failures are QueryErrors at the position of the node. */
    sink(node: DatabaseOutput, signal: AbortSignal): RowSink;
  };
}

export const dboutput: PlanNodeDeclaration<DatabaseOutput, DatabaseWrites> = {
  kind: 'dboutput',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.wholeRows(input.rows),
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({
    kind: 'sink',
    reach: 'changes',
    isImmediate: true,
    open: async ({ databases }, signal) => databases.sink(node, signal),
  }),
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: handedToSink,
};
