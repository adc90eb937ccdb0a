// The grams of a block of entries while it is made. All of them are in typed arrays: a block has millions of postings, and
// objects for them would fill the heap of the thread.

import { forEachGram } from './grams.ts';
import { LIST, smallerForm } from './postings.ts';

const FIRST_SLOTS = 1 << 16;
const FIRST_BYTES = 1 << 22;
/** Postings of a gram are a chain of chunks; the last four bytes of a chunk are the offset of the next one. */
const CHUNK = 32;
const CHUNK_DATA = CHUNK - 4;

/** Fields of a slot. */
const FIRST = 0;
const END = 1;
const LAST_OFFSET = 2;
const BYTES = 3;
const SLOT_FIELDS = 4;

/** An open-addressing table of grams, each with its postings as a list of differences. */
export class GramBlock {
  #keys = new Float64Array(FIRST_SLOTS);
  #slots = new Int32Array(FIRST_SLOTS * SLOT_FIELDS);
  #used = 0;
  #chunks = new Uint8Array(FIRST_BYTES);
  #links = new Int32Array(this.#chunks.buffer);
  /** Offset 0 means none. */
  #chunksEnd = CHUNK;

  /** Offsets are added in ascending order. */
  add(offset: number, text: string): void {
    forEachGram(text, (key) => this.#addPosting(this.#ownSlotOf(key), offset));
  }

  /** Grams in the order of their keys. `length` is the number of entries in the block. */
  *rows(length: number): Generator<readonly [key: number, postings: Uint8Array]> {
    const keys = this.#keys.filter((key) => key !== 0).sort();
    for (const key of keys) yield [key, smallerForm(this.#listOf(this.#slotOf(key) * SLOT_FIELDS), length)];
  }

  #listOf(base: number): Uint8Array {
    const list = new Uint8Array(1 + this.#slot(base + BYTES));
    list[0] = LIST;
    let chunk = this.#slot(base + FIRST);
    for (let at = 1; at < list.length; at += CHUNK_DATA) {
      const size = Math.min(CHUNK_DATA, list.length - at);
      list.set(this.#chunks.subarray(chunk, chunk + size), at);
      chunk = this.#links[(chunk + CHUNK_DATA) >>> 2] ?? 0;
    }
    return list;
  }

  #addPosting(base: number, offset: number): void {
    // One more than the offset, so that a new slot has none.
    const last = this.#slot(base + LAST_OFFSET);
    if (last === offset + 1) return;
    this.#slots[base + LAST_OFFSET] = offset + 1;
    let rest = offset - last;
    for (; rest >= 0x80; rest >>>= 7) this.#addByte(base, (rest & 0x7f) | 0x80);
    this.#addByte(base, rest);
  }

  #addByte(base: number, byte: number): void {
    let slot = this.#slot(base + END);
    if (slot % CHUNK === CHUNK_DATA || slot === 0) {
      if (this.#chunksEnd === this.#chunks.length) this.#growChunks();
      if (slot === 0) this.#slots[base + FIRST] = this.#chunksEnd;
      else this.#links[slot >>> 2] = this.#chunksEnd;
      slot = this.#chunksEnd;
      this.#chunksEnd += CHUNK;
    }
    this.#chunks[slot] = byte;
    this.#slots[base + END] = slot + 1;
    this.#slots[base + BYTES] = this.#slot(base + BYTES) + 1;
  }

  #slot(at: number): number {
    return this.#slots[at] ?? 0;
  }

  /** The first field of the key's slot, which is taken if the key is new. */
  #ownSlotOf(key: number): number {
    const slot = this.#slotOf(key);
    if (this.#keys[slot] === key) return slot * SLOT_FIELDS;
    if (this.#used * 2 >= this.#keys.length) {
      this.#growTable();
      return this.#ownSlotOf(key);
    }
    this.#keys[slot] = key;
    this.#used += 1;
    return slot * SLOT_FIELDS;
  }

  /** The slot of the key, or the free one where it belongs. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = hashOf(key | 0, (key / 0x1_0000_0000) | 0) & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #growTable(): void {
    const keys = this.#keys;
    const slots = this.#slots;
    this.#keys = new Float64Array(keys.length * 2);
    this.#slots = new Int32Array(slots.length * 2);
    for (const [old, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.#slotOf(key);
      this.#keys[slot] = key;
      this.#slots.set(slots.subarray(old * SLOT_FIELDS, (old + 1) * SLOT_FIELDS), slot * SLOT_FIELDS);
    }
  }

  #growChunks(): void {
    const chunks = new Uint8Array(this.#chunks.length * 2);
    chunks.set(this.#chunks);
    this.#chunks = chunks;
    this.#links = new Int32Array(chunks.buffer);
  }
}

/** Spreads neighbouring numbers over the table. */
function hashOf(low: number, high: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
