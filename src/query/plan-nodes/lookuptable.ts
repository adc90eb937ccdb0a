// The rows of a lookup in the order of its key, which need not be among its columns.

import type { Column } from '#query/model/columns.ts';
import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration, type RowCut } from './plan-node.ts';
import { type LookupName, lookupRecords } from './shared/lookup-rows.ts';
import { cut as cutSql } from './shared/sql-text.ts';

interface LookupRows extends PlanNode, LookupName {
  readonly kind: 'lookuptable';
  readonly key: LookupField;
  readonly fields: readonly LookupField[];
  /** Absent: all rows. */
  readonly cut?: Pick<RowCut, 'offset' | 'limit'>;
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
  reads: ({ cut, rows }, reading) => {
    if (cut) reading.order(rows);
  },
  pushdown: 'lost',
  counts: 'counted',
  cut: ({ cut }) => cut,
  uses: (node) => ({ lookup: node }),
  sql(node, compiler) {
    const { key, fields, rows, cut } = node;
    const { select, stored } = lookupRecords(node, compiler);
    const computed = new Map(
      [key, ...fields].map(({ from, column }) => [column.id, compiler.converted(stored(from), column.type)]),
    );
    const all = compiler.select(rows, { from: select, computed });
    if (!cut) return all;
    const tail = `order by ${compiler.order(rows)} ${cutSql(cut.limit, cut.offset)}`;
    return compiler.select(rows, { from: `(${all})`, tail });
  },
};
