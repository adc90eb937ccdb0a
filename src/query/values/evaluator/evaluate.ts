// The type of a compiled expression: a function over a row and the elements of the enclosing foreach() calls. A file of
// its own, because both the compiler and its callers name it.

import type { Value } from '#query/model/values.ts';

/** A chain from the innermost foreach() outwards. */
export interface Elements {
  readonly values: readonly Value[];
  readonly outer: Elements | undefined;
  /** The product of the positions of all enclosing foreach() calls. */
  readonly positions: number;
}

export type Compiled<Row> = (row: Row, elements: Elements | undefined) => Value;
export type Test<Row> = (row: Row, elements: Elements | undefined) => boolean;
