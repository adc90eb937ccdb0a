// dblookup: fields that a database gives for each row. The values that are asked for are hidden columns of its input, so that
// no expression is left to evaluate beside the database.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { FieldAnswers } from './effect.ts';
import { madeOutside } from './local-form.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { BoundSql, DatabaseUse } from './shared/database.ts';
import { onlyLocal } from './shared/local-rows.ts';

export interface DatabaseLookup extends Step, DatabaseUse {
  readonly kind: 'dblookup';
  readonly sql: BoundSql;
  /** Columns of the input, in the order of the marks. */
  readonly asked: readonly ColumnId[];
  /** A column of the input: rows for which it is true pass unchanged. */
  readonly bypass?: ColumnId;
  readonly timeoutMs?: number;
  /** Known columns of the input, and what becomes of them; all other fields of the database go into the overflow. */
  readonly fields: readonly { readonly column: Column; readonly before: ColumnId }[];
  readonly overflow: ColumnId;
}

interface DatabaseLookups {
  readonly databases: {
    /** Failures are QueryErrors at the position of the node. */
    lookup(node: DatabaseLookup, signal: AbortSignal): FieldAnswers;
  };
}

export const dblookup: PlanNodeDeclaration<DatabaseLookup, DatabaseLookups> = {
  kind: 'dblookup',
  takes: 'each',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.everything(input.rows),
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({
    kind: 'fields',
    reach: 'asks',
    asked: node.asked,
    ...(node.bypass === undefined ? {} : { bypass: node.bypass }),
    fields: node.fields,
    overflow: node.overflow,
    open: ({ databases }, signal) => databases.lookup(node, signal),
  }),
  sql: onlyLocal,
  local: madeOutside,
};
