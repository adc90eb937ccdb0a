// What an expression is compiled to: a function over a row and the elements of the foreach() calls around it.

import type { Value } from '#query/model/values.ts';

/** Elements of the innermost foreach() first. */
export interface Elements {
  readonly values: readonly Value[];
  readonly outer: Elements | undefined;
  /** Of the foreach() calls around, multiplied. */
  readonly positions: number;
}

export type Compiled<Row> = (row: Row, elements: Elements | undefined) => Value;
export type Test<Row> = (row: Row, elements: Elements | undefined) => boolean;
