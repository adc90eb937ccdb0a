// The filter of one row group, and what it knows of a text: that no row can hold it, or that some may. Nothing is ever left out
// that could match; a question that the filter cannot decide is answered with yes.

import { type FuseFilter, mayContain } from './fuse-filter.ts';
import {
  capitalizedKey,
  characterKey,
  GRAM,
  gramAt,
  gramKey,
  hasNoCase,
  lengthOf,
  letterPair,
  letterPairKey,
  lettersInto,
  MAX_LENGTH,
  pairKey,
  scanWords,
  wordKey,
} from './words.ts';

export interface GroupFilter {
  readonly rows: number;
  /** Absent where the group has too many words: every question is undecided then. */
  readonly fuse?: FuseFilter;
  /** A bit for each length that its words have. */
  readonly lengths: number;
  readonly hasGrams: boolean;
}

export const UNDECIDED: GroupFilter = { rows: 0, lengths: 0, hasGrams: false };

/** A text that is sought, cut like the texts of rows. */
export interface Sought {
  readonly words: readonly SoughtWord[];
  /** Characters beyond ASCII, each with the one directly before it, or 0. */
  readonly characters: readonly { readonly code: number; readonly before: number }[];
}

interface SoughtWord {
  readonly hash: number;
  readonly letters: Uint8Array;
  /** Whether a longer word of a row may hold it, because the text may begin or end within a word. */
  readonly isPart: boolean;
}

interface Ends {
  /** Whether a word may go on before the text, and after it. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

export function soughtText(text: string, { openStart, openEnd }: Ends): Sought {
  const bytes = new TextEncoder().encode(text);
  const words: SoughtWord[] = [];
  const characters: { code: number; before: number }[] = [];
  scanWords(bytes, {
    word(hash, begin, end) {
      const isPart = (openStart && begin === 0) || (openEnd && end === bytes.length);
      const letters = new Uint8Array(end - begin);
      words.push({ hash, letters: letters.subarray(0, lettersInto(letters, bytes, begin, end)), isPart });
    },
    character: (code, before) => void characters.push({ code, before }),
  });
  return { words, characters };
}

/** False where no text of the column in this group holds the sought one, in any case of letters. */
export function mayHold(group: GroupFilter, column: number, { words, characters }: Sought): boolean {
  const { fuse } = group;
  if (!fuse) return true;
  const has = (key: number) => mayContain(fuse, key);
  return (
    words.every((word) => has(wordKey(word.hash, column)) || (word.isPart && mayBePart(group, column, word, has))) &&
    characters.every(({ code, before }) =>
      has(before === 0 ? characterKey(code, column) : pairKey(before, code, column)),
    )
  );
}

/**
 * Whether every text of the column in this group that holds the sought words in lower case, each of them whole, holds them as
 * they are.
 */
export function isPlainIn({ fuse }: GroupFilter, column: number, { words, characters }: Sought): boolean {
  if (!fuse) return false;
  const isCapitalized = (hash: number) =>
    mayContain(fuse, capitalizedKey(hash, column, 0)) && mayContain(fuse, capitalizedKey(hash, column, 1));
  return (
    words.every(({ hash, isPart }) => !isPart && !isCapitalized(hash)) &&
    characters.every(({ code }) => hasNoCase(code))
  );
}

/** All grams of the part, or all pairs of letters where there are too many grams, must stand in words of one longer length. */
function mayBePart(
  { lengths, hasGrams }: GroupFilter,
  column: number,
  { letters }: SoughtWord,
  has: (key: number) => boolean,
): boolean {
  if (!hasGrams || letters.length < GRAM) return true;
  const starts = [...letters.keys()];
  const grams = starts.slice(0, 1 - GRAM).map((at) => gramAt(letters, at));
  const pairs = starts.slice(0, -1).map((at) => letterPair(letters, at));
  for (let length = Math.min(letters.length + 1, MAX_LENGTH); length <= MAX_LENGTH; length += 1) {
    const isThere = (lengths & (1 << lengthOf(length))) !== 0;
    if (isThere && grams.every((gram) => has(gramKey(gram, length, column)))) return true;
    if (isThere && pairs.every((pair) => has(letterPairKey(pair, length, column)))) return true;
  }
  return false;
}
