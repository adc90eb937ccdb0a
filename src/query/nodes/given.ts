// Records from outside, at the bottom of a pipeline without a driver.

import { type Node, type NodeDeclaration, nothing } from './node.ts';

interface InlineRows extends Node {
  readonly kind: 'given';
}

export const given: NodeDeclaration<InlineRows> = {
  kind: 'given',
  takes: 'records',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  sql() {
    throw new Error('records from outside are not read by a statement');
  },
};
