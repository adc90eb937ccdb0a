// Rows that the text of the query writes out.

import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue } from '#query/model/values.ts';
import { counters, type Node, type NodeDeclaration, nothing } from './node.ts';
import { writtenRows } from './shared/written-rows.ts';

interface JsonRows extends Node {
  readonly kind: 'json';
  readonly values: readonly MapValue[];
  readonly sequence: ColumnId;
}

export const json: NodeDeclaration<JsonRows> = {
  kind: 'json',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  bounds: 'lost',
  counts: 'counted',
  isCountedFast: true,
  sql: (node, compiler) => writtenRows(node, node, compiler),
};
