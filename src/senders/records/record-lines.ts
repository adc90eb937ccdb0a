// Gathers the records of a body as lines of JSON, by the table that they name. Items are counted in the order in which they
// are added or rejected. Limits are checked before memory is taken: a few bytes of some protocols stand for many of text.

import { cutName } from '#ingest/decode/repair.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import {
  BodyRefused,
  type Decoded,
  type DecodeReason,
  FATES,
  MAX_NAMES,
  type RecordGroup,
  type RecordLimits,
} from '#senders/decoded.ts';
import { GrowingBytes, GrowingNumbers } from './growing.ts';
import type { LineTarget } from './line-target.ts';
import { RecordText } from './record-text.ts';

const LINE_FEED = 0x0a;

export class RecordLines {
  readonly #limits: RecordLimits;
  readonly #groups = new Map<string | undefined, LineGroup>();
  /** The table that the last record named, and its group: most records name the same. */
  #last: { readonly name: string | undefined; readonly group: LineGroup } | undefined;
  readonly #fates = new GrowingBytes();
  #holders = 0;
  #rejected = 0;
  #firstRejected = Number.POSITIVE_INFINITY;
  #bytes = 0;
  readonly #expectedBytes: number;
  readonly #target: LineTarget | undefined;

  /** `expectedBytes` are taken for the records of the first table at once, unless there is a target for them. */
  constructor(limits: RecordLimits, expectedBytes = 0, target?: LineTarget) {
    this.#limits = limits;
    this.#expectedBytes = Math.min(expectedBytes, limits.bytes);
    this.#target = target;
  }

  /** For the records that are going to be added. */
  newRecord(): RecordText {
    return new RecordText(this.#limits.lineBytes, this.#target?.members);
  }

  /** Items so far: the next one has this number. */
  get items(): number {
    return this.#fates.length;
  }

  /** Blank lines, and messages around items, so far. */
  get holders(): number {
    return this.#holders;
  }

  /** Counts one of them: a body of empty ones alone takes as long as one of records. */
  countHolder(): void {
    this.#holders += 1;
    if (this.#holders > this.#limits.items) throw new BodyRefused('too-many-items');
  }

  /** `text` is one JSON object without line ends. A record that is too long is rejected. */
  add(name: string | undefined, text: string): void {
    if (this.#isTooLong(text.length)) return;
    const group = this.#groupOf(name);
    this.#count(group.add(text, this.items));
    this.#next('kept');
  }

  /** A record whose text is `head` and then some bytes of JSON. */
  addBytes(name: string | undefined, head: string, { bytes, from, end }: ByteRange): void {
    if (this.#isTooLong(head.length + end - from)) return;
    const group = this.#groupOf(name);
    this.#count(group.addBytes(head, bytes.subarray(from, end), this.items));
    this.#next('kept');
  }

  /** The record that was written last, or its fault. */
  addRecord(name: string | undefined, record: RecordText): void {
    if (record.fault !== undefined) {
      this.#next(record.fault);
      return;
    }
    const group = this.#groupOf(name);
    const bytes = group.addRecord(record, this.items);
    this.#count(bytes);
    this.#target?.add(group.length - bytes, group.length);
    this.#next('kept');
  }

  /** Says that some record is one which the scanner of lines would leave to the parser. */
  giveUpOffsets(): void {
    this.#target?.giveUp();
  }

  reject(reason: DecodeReason): void {
    this.#next(reason);
  }

  decoded<Facts>(facts: Facts): Decoded<Facts> {
    const groups = [...this.#groups.values()].map((group) => group.finished());
    const rejected = { count: this.#rejected, first: this.#firstRejected };
    return { groups, fates: this.#fates.finished(), rejected, facts };
  }

  #isTooLong(atLeast: number): boolean {
    if (atLeast <= this.#limits.lineBytes) return false;
    this.#next('line-too-long');
    return true;
  }

  #next(fate: 'kept' | DecodeReason): void {
    if (this.items >= this.#limits.items) throw new BodyRefused('too-many-items');
    if (fate !== 'kept') {
      this.#firstRejected = Math.min(this.#firstRejected, this.items);
      this.#rejected += 1;
    }
    this.#fates.push(FATES.indexOf(fate));
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw new BodyRefused('too-long');
  }

  #groupOf(name: string | undefined): LineGroup {
    if (this.#last && this.#last.name === name) return this.#last.group;
    // No table has such a name: a text that can be stored, and is short, takes its place.
    const group = this.#groupNamed(name === undefined ? undefined : cutName(repairText(name)));
    this.#last = { name, group };
    return group;
  }

  #groupNamed(name: string | undefined): LineGroup {
    const known = this.#groups.get(name);
    if (known) return known;
    if (this.#groups.size >= MAX_NAMES) throw new BodyRefused('too-many-names');
    if (this.#groups.size > 0) this.#target?.giveUp();
    const first = this.#target?.memory ?? this.#expectedBytes;
    const group = new LineGroup(name, this.#groups.size === 0 ? first : 0);
    this.#groups.set(name, group);
    return group;
  }
}

interface ByteRange {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
}

class LineGroup {
  readonly #name: string | undefined;
  readonly #lines: GrowingBytes;
  readonly #ends = new GrowingNumbers();
  readonly #items = new GrowingNumbers();

  constructor(name: string | undefined, first: number | Buffer) {
    this.#name = name;
    this.#lines = new GrowingBytes(first);
  }

  /** Of all lines. */
  get length(): number {
    return this.#lines.length;
  }

  /** Tells how many bytes the line has. */
  add(text: string, item: number): number {
    const before = this.#lines.length;
    this.#lines.pushText(text);
    return this.#endLine(before, item);
  }

  addBytes(head: string, bytes: Uint8Array, item: number): number {
    const before = this.#lines.length;
    this.#lines.pushText(head);
    this.#lines.pushAll(bytes);
    return this.#endLine(before, item);
  }

  addRecord({ bytes, length }: RecordText, item: number): number {
    const before = this.#lines.length;
    this.#lines.pushStart(bytes, length);
    return this.#endLine(before, item);
  }

  finished(): RecordGroup {
    return {
      name: this.#name,
      lines: this.#lines.finished(),
      ends: this.#ends.finished(),
      items: this.#items.finished(),
    };
  }

  #endLine(before: number, item: number): number {
    this.#lines.push(LINE_FEED);
    this.#ends.push(this.#lines.length);
    this.#items.push(item);
    return this.#lines.length - before;
  }
}
