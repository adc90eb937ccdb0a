// The names of fields that were met in the lines of a log, found again by their bytes. A line mostly has the names of the
// line before in the same order, so each name remembers which ones came next.

import { type Field, type FieldType, REPAIRED } from '#logs/log-store.ts';

/** Lines with further names are for the parser: a log may have a name of its own in every line. */
const MAX_NAMES = 4096;
const MAX_NAME_BYTES = 256;
const SLOTS = 4 * MAX_NAMES;
/** Names that a search may pass by, whatever names a log chooses. */
const MAX_PROBES = 16;

/** Types of values by number. */
export const FIELD_TYPES = ['string', 'long', 'double', 'bool', 'null', 'other'] as const satisfies FieldType[];
export const [STRING, LONG, DOUBLE, BOOL, NULL, OTHER] = [0, 1, 2, 3, 4, 5] as const;
/** Stands for a field that is not in the list of fields yet. */
const NO_FIELD = -1;

export class FieldName {
  /** With the quotation marks. */
  readonly key: Uint8Array;
  readonly name: string;
  readonly isTime: boolean;
  /** By type, the index of the field in the list of fields. */
  readonly fields: Int32Array;
  /** The line that it was met in last. */
  line = 0;
  /** The names that came behind it most recently. */
  next: FieldName | undefined;
  afterNext: FieldName | undefined;

  constructor(key: Uint8Array, name: string) {
    this.key = key;
    this.name = name;
    this.isTime = name === '_time';
    this.fields = new Int32Array(FIELD_TYPES.length).fill(NO_FIELD);
  }
}

export class FieldNames {
  /** Only ever grows: a field keeps its index. */
  readonly fields: Field[] = [];
  /** Comes before the first name of a line. */
  readonly beginning = new FieldName(new Uint8Array(0), '');
  readonly #slots: (FieldName | undefined)[] = new Array(SLOTS);
  #count = 0;

  get isFull(): boolean {
    return this.#count >= MAX_NAMES;
  }

  /** The name whose key stands from `from` to `end`, learnt where it is new. Undefined where there is no room for it. */
  find(bytes: Buffer, from: number, end: number): FieldName | undefined {
    if (end - from > MAX_NAME_BYTES) return undefined;
    let hash = 0;
    for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const slot = (hash + probe) & (SLOTS - 1);
      const known = this.#slots[slot];
      if (!known) return this.#learn(bytes, from, end, slot);
      if (end - from === known.key.length && isAt(bytes, from, known.key)) return known;
    }
    return undefined;
  }

  /** The index of the field in the list of fields. */
  field(name: FieldName, type: number): number {
    const known = name.fields[type] ?? NO_FIELD;
    if (known !== NO_FIELD) return known;
    const index = this.fields.push({ name: name.name, type: FIELD_TYPES[type] ?? 'other' }) - 1;
    name.fields[type] = index;
    return index;
  }

  #learn(bytes: Buffer, from: number, end: number, slot: number): FieldName | undefined {
    const text = bytes.toString('utf8', from + 1, end - 1);
    // A sender's own mark is for the parser, which drops it.
    if (this.#count >= MAX_NAMES || text === REPAIRED) return undefined;
    this.#count += 1;
    const name = new FieldName(Uint8Array.from(bytes.subarray(from, end)), text);
    this.#slots[slot] = name;
    return name;
  }
}

/** Whether `expected` stands in the bytes at this offset. */
export function isAt(bytes: Buffer, from: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[from + index] !== expected[index]) return false;
  }
  return true;
}
