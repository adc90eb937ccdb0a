// The names that a record has so far, found by their bytes. Those of members that records share stay taken from record to
// record. Records mostly have the names of the record before in the same order, so each name remembers which ones came next.
// Long names, and those that collide, are kept apart as texts, so that no choice of names makes a search long.

import type { FieldName } from '#logs/lines/field-names.ts';

const SLOTS = 1024;
const MAX_PROBES = 16;
const MAX_KEY_BYTES = 256;
const BACKSLASH = 0x5c;

/** What records share, then what some of them share beyond that, then the record itself. */
export const LEVELS = 3;

export class KnownName {
  /** With the quotation marks. */
  readonly key: Uint8Array;
  /** Whether it may be taken for its letters: they stand for themselves, and no other name has its slot. */
  isPlain: boolean;
  /** The number of the level that took it last. */
  owner = 0;
  /** The names that came behind it most recently. */
  next: KnownName | undefined;
  afterNext: KnownName | undefined;
  /** The same name among the fields of a source, once it is known there. */
  field: FieldName | undefined;

  constructor(key: Uint8Array) {
    this.key = key;
    this.isPlain = !key.includes(BACKSLASH);
  }

  evict(): void {
    this.isPlain = false;
    this.next = undefined;
    this.afterNext = undefined;
  }
}

const newBeginning = (): KnownName => new KnownName(new Uint8Array(0));

export class RecordNames {
  readonly #slots: (KnownName | undefined)[] = new Array(SLOTS);
  /** By level: its present number, which is new each time that it begins. */
  readonly #numbers = new Int32Array(LEVELS);
  readonly #collided = Array.from({ length: LEVELS }, () => new Set<string>());
  /** By level, what comes before its first name. */
  readonly #beginnings = Array.from({ length: LEVELS }, newBeginning);
  #previous = newBeginning();
  #last = 0;
  #level = 0;
  /** The name that was taken last; undefined for one that is kept apart. */
  taken: KnownName | undefined;

  constructor() {
    // No level has the number of names that were never taken.
    this.begin(0);
  }

  /** Forgets the names of this level and of those above it. */
  begin(level: number): void {
    this.#level = level;
    this.#previous = this.#beginnings[level] ?? this.#previous;
    for (let above = level; above < LEVELS; above += 1) {
      this.#last += 1;
      this.#numbers[above] = this.#last;
      const collided = this.#collided[above];
      if (collided && collided.size > 0) collided.clear();
    }
  }

  /** Takes the name whose key stands from `from` to `end`; false where the record has it already. */
  take(bytes: Buffer, from: number, end: number): boolean {
    if (end - from > MAX_KEY_BYTES) return this.#takeCollided(bytes, from, end);
    let hash = 0;
    for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    let free = -1;
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const slot = (hash + probe) & (SLOTS - 1);
      const known = this.#slots[slot];
      if (known && isKey(known.key, bytes, from, end)) return this.#takeKnown(known);
      if (free === -1 && !(known && this.#isTaken(known))) free = slot;
      if (!known) break;
    }
    if (free === -1) return this.#takeCollided(bytes, from, end);
    const name = new KnownName(Uint8Array.from(bytes.subarray(from, end)));
    this.#slots[free]?.evict();
    this.#slots[free] = name;
    return this.#takeKnown(name);
  }

  /** Takes the name whose letters stand here, where it is free and has followed the last one before. */
  takeNext(bytes: Uint8Array, from: number, end: number): KnownName | undefined {
    const { next, afterNext } = this.#previous;
    const name = next && isName(next, bytes, from, end) ? next : afterNext;
    if (!name || this.#isTaken(name) || (name === afterNext && !isName(name, bytes, from, end))) return undefined;
    this.#takeKnown(name);
    return name;
  }

  #takeKnown(name: KnownName): boolean {
    if (this.#isTaken(name)) return false;
    name.owner = this.#numbers[this.#level] ?? 0;
    const previous = this.#previous;
    if (previous.next !== name) {
      previous.afterNext = previous.next;
      previous.next = name;
    }
    this.#previous = name;
    this.taken = name;
    return true;
  }

  #isTaken({ owner }: KnownName): boolean {
    const numbers = this.#numbers;
    return owner === numbers[2] || owner === numbers[1] || owner === numbers[0];
  }

  #takeCollided(bytes: Buffer, from: number, end: number): boolean {
    const key = bytes.toString('utf8', from, end);
    if (this.#collided.some((names) => names.has(key))) return false;
    this.#collided[this.#level]?.add(key);
    this.taken = undefined;
    return true;
  }
}

function isKey(key: Uint8Array, bytes: Uint8Array, from: number, end: number): boolean {
  if (key.length !== end - from) return false;
  for (let at = 0; at < key.length; at += 1) if (key[at] !== bytes[from + at]) return false;
  return true;
}

/** Whether the letters are those of a name without escapes. */
function isName({ key, isPlain }: KnownName, bytes: Uint8Array, from: number, end: number): boolean {
  if (!isPlain || key.length !== end - from + 2) return false;
  for (let at = from; at < end; at += 1) if (bytes[at] !== key[at - from + 1]) return false;
  return true;
}
