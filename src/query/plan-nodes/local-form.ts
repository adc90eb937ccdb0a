// How a node runs locally (15.10): one row at a time, in order.

import type { Value } from '#query/model/values.ts';
import type { Row } from '#query/rows/row.ts';
import type { RowScope } from './shared/row-scope.ts';

export interface LocalForm<N> {
  /** Changes a row in place; false where it goes no further. A node without it has `rows`. */
  readonly row?: (node: N, scope: RowScope<Row>) => (row: Row) => boolean;
  /** Makes more than one row of one, or remembers values from row to row. */
  readonly rows?: (node: N, local: LocalContext) => LocalStep;
  /** Of a node that changes nothing: the test of a record as it came. Undefined where this node does more. */
  readonly test?: <In>(node: N, scope: RowScope<In>) => ((given: In) => boolean) | undefined;
  /** Whether a part of a plan that runs locally begins with this node, with threads or without. */
  readonly begins?: (node: N, isInThreads: boolean) => boolean;
  /** Its rows come from outside of the process and are made before a thread gets them: it always begins a part. */
  readonly isOutside?: true;
  /** Hands its rows to a sink on their way. Only rows that arrive are stored like that, so others do not reach it locally. */
  readonly isSink?: true;
}

/** Hands every row on as it came. */
export const unchanged = { row: () => () => true } as const;

/** Of rows, or fields of rows, that come from outside of the process. */
export const madeOutside = { ...unchanged, begins: () => true, isOutside: true } as const;

/** The row that goes on, or none; several where a step makes more of one. */
export type LocalStep = (row: Row) => Row | undefined | Generator<Row>;

interface LocalContext {
  readonly scope: RowScope<Row>;
  /** Parameters that evalc commands have set, by name. */
  readonly parameters: Map<string, Value>;
  /** The position of the present row at this node, from 1. */
  readonly position: () => bigint;
}
