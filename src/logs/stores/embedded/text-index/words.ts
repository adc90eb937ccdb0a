// Words of UTF-8 texts as 32-bit keys, each together with the number of its column. Rows are written and questions are asked
// by the same scan, so that both cut texts alike.
//
// A word is a run of ASCII letters and digits in lower case. Every letter beyond ASCII ends it, because engines of different
// Unicode versions disagree on which of them belong to words: such characters are keys of their own, alone and in pairs.
// A search for a word with such letters asks for the pairs, and finds parts of Korean words as well.
// For searches of parts of words there are grams: four characters in a row, with the length of the word that they stand in.

import { lower } from '#query/values/text/strings.ts';
import { mixed } from './fuse-filter.ts';

/** Characters of a gram; a shorter part of a word cannot be searched for. */
export const GRAM = 4;

/** Longer words are of the last length. */
export const MAX_LENGTH = 31;

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The byte in lower case for ASCII letters and digits, 0 for other ASCII, 255 beyond. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return 255;
  const one = String.fromCharCode(byte);
  return /[0-9A-Za-z]/.test(one) ? one.toLowerCase().charCodeAt(0) : 0;
});

/**
 * Characters beyond ASCII that count as ASCII letters: DuckDB makes such of the dotted capital I and the sign of Kelvin, and
 * regular expressions that ignore case take the long s for one.
 */
const ASCII_LOWER: ReadonlyMap<number, number> = new Map([
  [0x130, 0x69],
  [0x17f, 0x73],
  [0x212a, 0x6b],
]);

/** What a scan finds. Hashes do not know the column yet, see `wordKey` and its kin. */
export interface WordSink {
  /** `begin` and `end` are its place in the bytes; `isPlain` where these are the word itself, without capital letters. */
  word(hash: number, begin: number, end: number, isPlain: boolean): void;
  /** A character beyond ASCII, folded; `before` is the one directly before it, or 0. */
  character(code: number, before: number): void;
}

export function scanWords(bytes: Uint8Array, sink: WordSink): void {
  const { length } = bytes;
  let before = 0;
  for (let at = 0; at < length; ) {
    const byte = bytes[at] as number;
    const kind = CLASSES[byte] as number;
    if (kind === 0) {
      before = 0;
      at += 1;
      continue;
    }
    const code = kind === 255 ? codeAt(bytes, at) : 0;
    if (kind === 255 && !ASCII_LOWER.has(code)) {
      const folded = foldedCode(code);
      sink.character(folded, before);
      before = folded;
      at += sizeOf(byte);
    } else {
      at = scanWord(bytes, at, sink);
      before = 0;
    }
  }
}

/** Gives the end of the word. Most bytes of a log are those of ASCII words: a loop that does nothing else is fast. */
function scanWord(bytes: Uint8Array, begin: number, sink: WordSink): number {
  const { length } = bytes;
  let hash = BASIS;
  let capitals = 0;
  for (let at = begin; ; ) {
    let kind = 0;
    for (; at < length; at += 1) {
      const byte = bytes[at] as number;
      kind = CLASSES[byte] as number;
      if (kind === 0 || kind === 255) break;
      capitals |= kind ^ byte;
      hash = Math.imul(hash ^ kind, PRIME);
    }
    const letter = at < length && kind === 255 ? (ASCII_LOWER.get(codeAt(bytes, at)) ?? 0) : 0;
    if (letter === 0) {
      sink.word(hash, begin, at, capitals === 0);
      return at;
    }
    capitals = 1;
    hash = Math.imul(hash ^ letter, PRIME);
    at += sizeOf(bytes[at] as number);
  }
}

/** Writes the letters of a word that `scanWords` found, and gives their number. */
export function lettersInto(letters: Uint8Array, bytes: Uint8Array, begin: number, end: number): number {
  let count = 0;
  for (let at = begin; at < end; at += 1) {
    const byte = bytes[at] as number;
    letters[count++] = byte < 0x80 ? (CLASSES[byte] as number) : (ASCII_LOWER.get(codeAt(bytes, at)) ?? 0);
    if (byte >= 0x80) at += sizeOf(byte) - 1;
  }
  return count;
}

const WORD = 0;
const CHARACTER = 1;
const PAIR = 2;
const GRAM_OF = 3;
const LETTER_PAIR_OF = GRAM_OF + MAX_LENGTH + 1;

const CAPITALIZED = LETTER_PAIR_OF + MAX_LENGTH + 1;

/** Kinds of keys, and lengths of the words of grams, in one number for each column. */
const KINDS = CAPITALIZED + 2;

/** Never 0, which is an empty slot of a set. */
const keyed = (hash: number, column: number, kind: number): number =>
  mixed(hash ^ Math.imul(column * KINDS + kind + 1, 0x9e3779b1)) || 1;

export const wordKey = (hash: number, column: number): number => keyed(hash, column, WORD);

/**
 * Of a word that stands somewhere with a capital letter. It has two of them, numbered 0 and 1: such words are few, and a filter
 * that claims one wrongly makes a common search slow.
 */
export const capitalizedKey = (hash: number, column: number, number: 0 | 1): number =>
  keyed(hash, column, CAPITALIZED + number);

export const characterKey = (code: number, column: number): number => keyed(code, column, CHARACTER);

export const pairKey = (first: number, second: number, column: number): number =>
  keyed(Math.imul(first, 0x2c1b3c6d) ^ second, column, PAIR);

/** Four letters from a place on. */
export const gramAt = (letters: Uint8Array, at: number): number =>
  ((letters[at] ?? 0) << 24) | ((letters[at + 1] ?? 0) << 16) | ((letters[at + 2] ?? 0) << 8) | (letters[at + 3] ?? 0);

export const gramKey = (gram: number, length: number, column: number): number =>
  keyed(gram, column, GRAM_OF + lengthOf(length));

/** Digits and letters. */
export const LETTERS = 36;

const ordinal = (letter: number): number => (letter < 0x3a ? letter - 0x30 : letter - 0x57);

/** Two letters from a place on, as a number below LETTERS². */
export const letterPair = (letters: Uint8Array, at: number): number =>
  ordinal(letters[at] as number) * LETTERS + ordinal(letters[at + 1] as number);

export const letterPairKey = (pair: number, length: number, column: number): number =>
  keyed(pair, column, LETTER_PAIR_OF + lengthOf(length));

export const lengthOf = (letters: number): number => Math.min(letters, MAX_LENGTH);

const sizeOf = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);

function codeAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  const next = (offset: number) => (bytes[at + offset] ?? 0) & 0x3f;
  if (byte >= 0xf0) return ((byte & 0x07) << 18) | (next(1) << 12) | (next(2) << 6) | next(3);
  if (byte >= 0xe0) return ((byte & 0x0f) << 12) | (next(1) << 6) | next(2);
  return ((byte & 0x1f) << 6) | next(1);
}

/** Characters of these scripts have no case, and are most of those that logs have beyond ASCII. */
const isCaseless = (code: number): boolean => code >= 0x2e80 && code <= 0xa63f;
const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;

/** Whether a character is of a script without case: it is the lower case of itself alone. */
export const hasNoCase = (code: number): boolean => isHangul(code) || isCaseless(code);

export function foldedCode(code: number): number {
  if (hasNoCase(code)) return code;
  return lower(String.fromCodePoint(code)).codePointAt(0) ?? code;
}
