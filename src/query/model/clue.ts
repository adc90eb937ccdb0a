// What a record must contain to fulfil a condition. A clue is never stricter than its condition, so records without it need not be
// looked at.

import type { Expression } from './expression.ts';

/** `of` is the expression that the clue reads from the record. */
export type Clue<Of = Expression> =
  /** The value equals the constant (4.2). */
  | { readonly kind: 'equal'; readonly of: Of; readonly constant: string | bigint | number | boolean }
  /**
   * The text of the value contains this text; if `ignoresCase`, after `foldedText` of both. Lists and maps may match
   * without it.
   */
  | { readonly kind: 'text'; readonly of: Of; readonly text: string; readonly ignoresCase: boolean }
  /** The value belongs to an address group. */
  | { readonly kind: 'group'; readonly of: Of; readonly guid: string }
  /** The value is a number, or the text of one, on this side of the bound. */
  | { readonly kind: 'order'; readonly of: Of; readonly is: Order; readonly bound: bigint | number }
  /** The value is not null. */
  | { readonly kind: 'present'; readonly of: Of };

export type Order = '<' | '<=' | '>' | '>=';

/** At least one of the clues must hold. */
export type Clues<Of = Expression> = readonly Clue<Of>[];
