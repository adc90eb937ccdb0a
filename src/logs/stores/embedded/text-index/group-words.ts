// Collects the words of one row group and makes its filter, no larger than it may be: grams are left out first, then cells get
// fewer bits, and a group with too many words has no filter.

import { cellBytes, fuseFilter } from './fuse-filter.ts';
import { type GroupFilter, UNDECIDED } from './group-filter.ts';
import { KeySet } from './key-set.ts';
import {
  capitalizedKey,
  characterKey,
  GRAM,
  gramAt,
  gramKey,
  LETTERS,
  lengthOf,
  letterPair,
  letterPairKey,
  lettersInto,
  MAX_LENGTH,
  pairKey,
  scanWords,
  type WordSink,
  wordKey,
} from './words.ts';

/** Of one row group. They bound the memory of a builder to some 50 MB. */
const MAX_WORDS = 1_500_000;
/** Of the words of one length in one column. Where there are more, as in random identifiers, they tell little. */
const MAX_GRAMS = 16_384;
const MAX_GRAM_CLASSES = 512;

/** Of the cells of a tiny file: with its head it takes a block of a disk, so saving more would save nothing. */
const MIN_BYTES = 4032;

/** Words that were seen lately, so that the usual ones of a log do not reach the set. */
const RECENT = 8192;

/** Of the words of one length in one column. */
interface GramClass {
  readonly column: number;
  readonly length: number;
  readonly grams: KeySet;
  /** Pairs of letters, for when there are too many grams. */
  readonly pairs: Uint8Array;
}

export class GroupWords implements WordSink {
  readonly #words = new KeySet(MAX_WORDS);
  readonly #recent = new Int32Array(RECENT);
  readonly #classes: GramClass[] = [];
  /** Those of the present column, by the length of their words. */
  #ofColumn: (GramClass | undefined)[] = [];
  /** Room for the letters of one word. */
  #letters = new Uint8Array(64);
  #hasAllGrams = true;
  /** A bit for each length of words. */
  #lengths = 0;
  #bytes: Uint8Array = new Uint8Array();
  #column = 0;

  /** Takes texts of a column, one after the other, with any character that belongs to no word between them. */
  add(bytes: Uint8Array, column: number): void {
    this.#bytes = bytes;
    if (column !== this.#column) this.#ofColumn = this.#classesOf(column);
    this.#column = column;
    scanWords(bytes, this);
  }

  word(hash: number, begin: number, end: number, isPlain: boolean): void {
    const key = wordKey(hash, this.#column);
    if (!isPlain && this.#words.add(capitalizedKey(hash, this.#column, 0)))
      this.#words.add(capitalizedKey(hash, this.#column, 1));
    const slot = key & (RECENT - 1);
    if (this.#recent[slot] === key) return;
    this.#recent[slot] = key;
    if (this.#words.add(key)) this.#addGrams(begin, end);
  }

  character(code: number, before: number): void {
    const key = before === 0 ? characterKey(code, this.#column) : pairKey(before, code, this.#column);
    const slot = key & (RECENT - 1);
    if (this.#recent[slot] === key) return;
    this.#recent[slot] = key;
    this.#words.add(key);
    if (before !== 0) this.#words.add(characterKey(code, this.#column));
  }

  /** Ends the group. */
  filter(rows: number, maxBytes: number): GroupFilter {
    const words = this.#words;
    if (words.isFull) return { ...UNDECIDED, rows };
    const most = Math.max(maxBytes, MIN_BYTES);
    const fits = (count: number) => (bits: number) => cellBytes(count, bits) <= most;
    const grams = this.#hasAllGrams ? this.#classes.map(keysOf) : [];
    const count = grams.reduce((sum, { length }) => sum + length, words.size);
    const bitsWithGrams = this.#hasAllGrams ? [8, 7, 6].find(fits(count)) : undefined;
    const bits = bitsWithGrams ?? [8, 7, 6, 5, 4].find(fits(words.size));
    // Keys of several kinds may be the same by chance, so that they become one set.
    if (bitsWithGrams) for (const keys of grams) for (const key of keys) words.add(key);
    const fuse = bits && fuseFilter(words.keys(), bits);
    if (!fuse) return { ...UNDECIDED, rows };
    return { rows, fuse, lengths: this.#lengths, hasGrams: bitsWithGrams !== undefined };
  }

  #addGrams(begin: number, end: number): void {
    if (end - begin > this.#letters.length) this.#letters = new Uint8Array(end - begin);
    const length = lettersInto(this.#letters, this.#bytes, begin, end);
    this.#lengths |= 1 << lengthOf(length);
    const found = length < GRAM ? undefined : (this.#ofColumn[lengthOf(length)] ?? this.#newClass(lengthOf(length)));
    if (!found) return;
    const letters = this.#letters;
    for (let at = 1; at < length; at += 1) found.pairs[letterPair(letters, at - 1)] = 1;
    for (let at = 0; at + GRAM <= length && !found.grams.isFull; at += 1) {
      found.grams.add(gramKey(gramAt(letters, at), length, this.#column));
    }
  }

  #classesOf(column: number): (GramClass | undefined)[] {
    const classes: (GramClass | undefined)[] = Array.from({ length: MAX_LENGTH + 1 });
    for (const one of this.#classes) if (one.column === column) classes[one.length] = one;
    return classes;
  }

  #newClass(length: number): GramClass | undefined {
    if (this.#classes.length === MAX_GRAM_CLASSES) {
      this.#hasAllGrams = false;
      return undefined;
    }
    const made = { column: this.#column, length, grams: new KeySet(MAX_GRAMS), pairs: new Uint8Array(LETTERS ** 2) };
    this.#classes.push(made);
    this.#ofColumn[length] = made;
    return made;
  }
}

function keysOf({ column, length, grams, pairs }: GramClass): Int32Array {
  if (!grams.isFull) return grams.keys();
  const found = [...pairs.keys()].filter((pair) => pairs[pair] === 1);
  return Int32Array.from(found, (pair) => letterPairKey(pair, length, column));
}
