// The texts among the needs of rows: an index of words may leave out rows that do not hold them.

import { hasOddCase } from '#query/functions/clues.ts';
import type { Term } from '#query/functions/text-tests.ts';
import { allOf, type RowNeed, someOf, type ValueNeed } from './row-needs.ts';

export type TextNeed = { readonly kind: 'and' | 'or'; readonly operands: readonly TextNeed[] } | Term | FieldNeed;

/** The text of a field contains the text in any case, or is the text where `isWhole`. */
export interface FieldNeed {
  readonly kind: 'text';
  /** Undefined for a field that is no column. */
  readonly column: string | undefined;
  readonly text: string;
  readonly isWhole: boolean;
  /** Values of other types cannot match. */
  readonly isOnlyText: boolean;
}

/** Undefined where no text is needed. */
export function textNeed(need: RowNeed | undefined): TextNeed | undefined {
  switch (need?.kind) {
    case 'and':
      return allOf(need.operands.map(textNeed));
    case 'or':
      return someOf(need.operands.map(textNeed));
    case 'value':
      return fieldNeed(need);
    default:
      return need;
  }
}

function fieldNeed({ clue, isOnlyText }: ValueNeed): FieldNeed | undefined {
  const column = clue.of.isColumn ? clue.of.name : undefined;
  if (clue.kind === 'equal' && typeof clue.constant === 'string') {
    return { kind: 'text', column, text: clue.constant, isWhole: true, isOnlyText };
  }
  if (clue.kind !== 'text' || (clue.ignoresCase && hasOddCase(clue.text))) return undefined;
  // A list contains an element without its text.
  return { kind: 'text', column, text: clue.text, isWhole: false, isOnlyText: false };
}
