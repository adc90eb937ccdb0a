// Rows about objects of the service itself.

import { type Node, type NodeDeclaration, nothing } from './node.ts';
import { writtenRows } from './shared/written-rows.ts';

export interface SystemRows extends Node {
  readonly kind: 'system';
  readonly object: string;
  /** The account whose rights decide which rows there are; absent: the account that runs the query. */
  readonly account?: string;
}

export const system: NodeDeclaration<SystemRows> = {
  kind: 'system',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  bounds: 'lost',
  counts: 'counted',
  isCountedFast: true,
  uses: (node) => ({ system: node }),
  sql: (node, compiler) =>
    writtenRows(node, { values: compiler.context.systemRows(node.object, node.account) }, compiler),
};
