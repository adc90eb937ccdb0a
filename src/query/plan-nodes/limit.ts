// The first rows after some that are skipped.

import { unchanged } from './local-form.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

interface Limit extends Step {
  readonly kind: 'limit';
  readonly offset: bigint;
  readonly count: bigint;
}

export const limit: PlanNodeDeclaration<Limit> = {
  kind: 'limit',
  takes: 'as-needed',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.order(input.rows),
  pushdown: 'lost',
  parts: 'carried',
  counts: 'some-of-input',
  cut: (node) => ({
    offset: node.offset,
    limit: node.count,
    firstRows: (count) => ({ ...node, offset: 0n, count }),
  }),
  // A limit that has its rows ends the work before it; one that has not has seen all there were.
  taken: ({ offset, count }, rows) =>
    rows > 0n || count === 0n ? { rows: offset + rows, isCut: rows === count } : undefined,

  /** Rows are cut as far down as they stay the same: later columns are then computed for few (15.3). */
  sql(node, compiler) {
    const { input, offset, count } = node;
    const within = compiler.takenCut(node) ?? { offset: 0n, count };
    const skipped = lesser(within.offset, count);
    compiler.cutRows(input, { offset: offset + skipped, count: lesser(within.count, count - skipped) });
    return compiler.planNode(input);
  },

  local: unchanged,
};

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);
