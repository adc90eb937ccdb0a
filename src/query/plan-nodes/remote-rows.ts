// remote on other nodes: rows of a query that each of them runs by itself. Columns are those that it has when it is planned
// here; where they depend on values that only the node knows, all fields are in the overflow.

import type { ColumnId, Span } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { madeOutside } from './local-form.ts';
import type { Plan, PlanNode } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';

/** A query as another node gets it: with all that its text inherits from the one around it. */
export interface RemoteQuery {
  readonly text: string;
  readonly constants: ReadonlyMap<string, Value>;
  readonly now: Temporal.Instant;
  readonly zone: string;
  /** Of tables where the text has none. */
  readonly range: TimeRange;
}

export interface RemoteRows extends PlanNode {
  readonly kind: 'remote-rows';
  /** A name, or a star for all that live. */
  readonly node: string;
  readonly nodeAt: Span;
  readonly query: RemoteQuery;
  /** As planned here, for what it reads and writes; it runs elsewhere. */
  readonly planned: Plan;
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
  /** Accounts that called its text, the outermost first; undefined for the account that runs the query. */
  readonly callers: readonly (string | undefined)[];
  /** Hidden: the position of a row. */
  readonly sequence: ColumnId;
}

interface RemoteReading {
  readonly remotes: {
    /** Failures are QueryErrors at the position of the node. */
    rows(node: RemoteRows, signal: AbortSignal): AsyncIterable<readonly MapValue[]>;
  };
}

export const remoteRows: PlanNodeDeclaration<RemoteRows, RemoteReading> = {
  kind: 'remote-rows',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  effect: (node) => ({
    kind: 'rows',
    reach: 'reads',
    isOnce: true,
    sequence: node.sequence,
    planned: node.planned,
    open: ({ remotes }, signal) => remotes.rows(node, signal),
  }),
  sql: onlyLocal,
  local: madeOutside,
};
