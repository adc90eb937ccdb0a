// The offsets of the members of one record, found while its text is written: a line whose members are known need not be scanned
// again. Members that records share keep their offsets from record to record.

import { isStorable } from '#kernel/time/storable-time.ts';
import { type FieldName, FieldNames, LONG, STRING } from '#logs/lines/field-names.ts';
import { JsonScanner, NOT_PLAIN } from '#logs/lines/json-scanner.ts';
import type { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import type { KnownName } from './record-names.ts';

const FIRST_MEMBERS = 64;
/** Of a member: its field, where it begins, where its value does, and the offset after it. */
const NUMBERS = 4;
const QUOTE = 0x22;
const COMMA = 0x2c;
const TIME = Buffer.from('"_time"');
/** The scanner of lines leaves longer ones to the parser. */
export const MAX_LOCATED_BYTES = 64 * 1024;

/** The fields of a source, as far as they were met: bodies of a source mostly have the same. */
export class SourceNames {
  readonly names = new FieldNames();
  /** Counts records, so that each name knows whether the record has it already. */
  record = 0;
}

export class MemberOffsets {
  /** So far. Fewer where members were taken back. */
  count = 0;
  /** False once a member was met that the scanner of lines would leave to the parser, or that cannot be among the fields. */
  isWhole = true;
  /** Of the record, in epoch milliseconds. */
  time = 0;
  readonly source: SourceNames;
  readonly #scanner = new JsonScanner();
  #numbers = new Uint32Array(NUMBERS * FIRST_MEMBERS);
  #openName: KnownName | undefined;
  #openBegin = 0;
  #openValue = 0;
  #isOpen = false;

  constructor(source: SourceNames) {
    this.source = source;
  }

  /** Says that a member begins, whose value is to be written next; a name that is kept apart has no offset. */
  open(name: KnownName | undefined, begin: number, value: number): void {
    this.#openName = name;
    this.#openBegin = begin;
    this.#openValue = value;
    this.#isOpen = true;
  }

  /** Ends the member that is open, if there is one: its value ends at `end`, behind which there is room. */
  close(bytes: Buffer, end: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const name = this.#openName;
    const value = this.#openValue;
    if (!name?.isPlain || end === value) {
      this.isWhole = false;
      return;
    }
    const type = bytes[value] === QUOTE ? STRING : this.#typeOf(bytes, value, end);
    this.addKnown(name, type, this.#openBegin, value, end);
  }

  addKnown(name: KnownName, type: number, begin: number, value: number, end: number): void {
    const { names } = this.source;
    const { key } = name;
    name.field ??= names.find(Buffer.from(key.buffer, key.byteOffset, key.length), 0, key.length);
    if (!name.field || type === NOT_PLAIN) this.isWhole = false;
    else this.add(names.field(name.field, type), begin, value, end);
  }

  /** Forgets the member that is open: its record has a fault. */
  drop(): void {
    this.#isOpen = false;
  }

  /** The member of the time, in digits. */
  addTime(time: number, begin: number, value: number, end: number): void {
    const { names } = this.source;
    const name = names.find(TIME, 0, TIME.length);
    if (!(name && Number.isSafeInteger(time) && isStorable(time))) this.isWhole = false;
    else this.add(names.field(name, LONG), begin, value, end);
    this.time = time;
  }

  /** A member that is copied as it stands. */
  addCopied(name: FieldName, type: number, begin: number, value: number, end: number): void {
    this.add(this.source.names.field(name, type), begin, value, end);
  }

  add(field: number, begin: number, value: number, end: number): void {
    const at = NUMBERS * this.count;
    if (at === this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    numbers[at] = field;
    numbers[at + 1] = begin;
    numbers[at + 2] = value;
    numbers[at + 3] = end;
    this.count += 1;
  }

  /** Adds the record to a batch, in which its text begins at `from`. */
  addTo(batch: LineBatchBuilder, from: number, end: number): void {
    const numbers = this.#numbers;
    const last = NUMBERS * this.count;
    for (let at = 0; at < last; at += NUMBERS) {
      batch.member(
        numbers[at] ?? 0,
        from + (numbers[at + 1] ?? 0),
        from + (numbers[at + 2] ?? 0),
        from + (numbers[at + 3] ?? 0),
      );
    }
    batch.line(from, end, this.time);
  }

  /** What stands behind the value may be older text: the scanner must not go on into it. */
  #typeOf(bytes: Buffer, value: number, end: number): number {
    const scanner = this.#scanner;
    bytes[end] = COMMA;
    scanner.bytes = bytes;
    scanner.at = value;
    const type = scanner.value();
    return scanner.at === end ? type : NOT_PLAIN;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#numbers.length);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
