// The rows of a lookup in the order of its key, which need not be among its columns.

import type { Column } from '#query/model/columns.ts';
import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { type LookupName, lookupRecords } from './shared/lookup-rows.ts';

interface LookupRows extends PlanNode, LookupName {
  readonly kind: 'lookuptable';
  readonly key: LookupField;
  readonly fields: readonly LookupField[];
}

interface LookupField {
  readonly from: string;
  readonly column: Column;
}

export const lookuptable: PlanNodeDeclaration<LookupRows> = {
  kind: 'lookuptable',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ key }) => [key.column],
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  uses: (node) => ({ lookup: node }),
  sql(node, compiler) {
    const { key, fields, rows } = node;
    const { select, stored } = lookupRecords(node, compiler);
    const computed = new Map(
      [key, ...fields].map(({ from, column }) => [column.id, compiler.converted(stored(from), column.type)]),
    );
    return compiler.select(rows, { from: select, computed });
  },
};
