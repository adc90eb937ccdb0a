// Writes the text of one record after the other under the rules of names that all protocols share: a name that is taken
// gets a prefix, a name of the service's own and an empty one are dropped. Members that begin every record of a group are
// written once.

import { cutNameBytes } from '#ingest/decode/repair.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import { MAX_NAME_BYTES, REPAIRED, RESERVED } from '#logs/log-store.ts';
import type { DecodeReason } from '#senders/decoded.ts';
import { JsonOutput, MAX_ESCAPE_BYTES } from '#senders/wire/json-output.ts';
import { CopiedNames } from './copied-names.ts';
import type { MemberOffsets } from './member-offsets.ts';
import { type KnownName, LEVELS, RecordNames } from './record-names.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const OPENING_BRACE = 0x7b;
const NO_PREFIX: Uint8Array = new Uint8Array(0);
const OWN_TIME = '_time';
const TIME = Buffer.from('"_time":');
const MAX_TIME_BYTES = 24;
const REPAIRED_NAME = Buffer.from(REPAIRED);
/** A value that no text may hold: the reader of lines marks the record, and drops the member. */
const UNSTORABLE = Buffer.from([0]);
/** Times of twelve and thirteen digits are written in two halves: those from 1973 to 2286. */
const MIN_DIVIDED = 1e11;
const MAX_DIVIDED = 1e13;
const DIVISOR = 1e6;
const OWN_NAMES = [...RESERVED, REPAIRED].map((name) => ({ name, bytes: Buffer.from(name) }));

/** Where a level begins. */
interface Level {
  readonly length: number;
  readonly fault: DecodeReason | undefined;
  /** Whether a name before it is another than the one that was sent. */
  readonly hasRepairedName: boolean;
  /** Members before it. */
  readonly members: number;
}

const RECORD = LEVELS - 1;
const FIRST_LEVEL: Level = { length: 1, fault: undefined, hasRepairedName: false, members: 0 };

export class RecordText extends JsonOutput {
  readonly #names = new RecordNames();
  readonly #levels: Level[] = Array.from({ length: LEVELS }, () => FIRST_LEVEL);
  #level = RECORD;
  #hasRepairedName = false;
  /** Set if the offsets of members are wanted. */
  readonly offsets: MemberOffsets | undefined;
  readonly copied: CopiedNames | undefined;

  /** A record of more bytes has the fault `line-too-long`. */
  constructor(maxBytes: number, offsets?: MemberOffsets) {
    super(maxBytes);
    this.offsets = offsets;
    this.copied = offsets && new CopiedNames(offsets);
    this.bytes[0] = OPENING_BRACE;
  }

  /** Members from here on begin every record, until this level or the one below it begins anew. */
  beginShared(level: 0 | 1): void {
    this.#begin(level);
  }

  begin(): void {
    this.#begin(RECORD);
  }

  end(): void {
    if (this.#hasRepairedName && this.#member(REPAIRED_NAME, 0, REPAIRED_NAME.length)) {
      this.text(UNSTORABLE, 0, UNSTORABLE.length);
    }
    this.#close();
    this.endMap();
  }

  /** In epoch milliseconds. */
  time(time: number): void {
    this.#close();
    if (!this.reserve(TIME.length + MAX_TIME_BYTES)) return;
    if (this.length > 1) this.put(COMMA);
    const begin = this.length;
    for (let at = 0; at < TIME.length; at += 1) this.put(TIME[at] ?? 0);
    const value = this.length;
    this.#digits(time);
    this.offsets?.addTime(time, begin, value, this.length);
  }

  /** Begins a member; its value is to be written next. False where it is dropped. */
  name(source: Uint8Array, from: number, end: number, prefix: Uint8Array): boolean {
    if (from === end) return false;
    const known = this.#names.takeNext(source, from, end);
    if (known) return this.#knownMember(known);
    const own = source[from] === UNDERSCORE ? ownNameAt(source, from, end) : undefined;
    if (own !== undefined && own !== OWN_TIME) return false;
    // Every record has a time.
    const isTaken = own === OWN_TIME || !this.#member(source, from, end);
    return !isTaken || this.#member(source, from, end, prefix);
  }

  /** A name that the prefix begins in any case; where it is taken, another one stands before both. */
  prefixedName(prefix: Uint8Array, source: Uint8Array, from: number, end: number, further: Uint8Array): boolean {
    if (from === end) return false;
    return this.#member(source, from, end, prefix) || this.#member(source, from, end, further, prefix);
  }

  /** False where the name is taken. */
  ownName(name: Uint8Array): boolean {
    return this.#member(name, 0, name.length);
  }

  /** Members of JSON as they stand in the source, their names unseen. */
  members(source: Buffer, from: number, end: number, hasLineFeeds: boolean): void {
    this.#close();
    if (this.length > 1) this.comma();
    this.json(source, from, end, hasLineFeeds);
  }

  /** Takes the name for a member that is to be copied as it stands; undefined where it needs more than a copy. */
  takeCopied(source: Uint8Array, from: number, end: number): KnownName | undefined {
    return from === end ? undefined : this.#names.takeNext(source, from, end);
  }

  /** Members that are copied come next. */
  beginCopied(): void {
    this.#close();
    this.copied?.begin();
  }

  /** Where the next member is going to begin. */
  get nextMember(): number {
    return this.length > 1 ? this.length + 1 : this.length;
  }

  /** Without a text of them. */
  #digits(time: number): void {
    if (time < MIN_DIVIDED || time >= MAX_DIVIDED) {
      this.ascii(String(time));
      return;
    }
    const upper = Math.floor(time / DIVISOR);
    this.lastDigits(upper, upper < 1e6 ? 6 : 7);
    this.lastDigits(time - upper * DIVISOR, 6);
  }

  /** What the levels below have written stays. */
  #begin(level: number): void {
    const { offsets } = this;
    this.#close();
    for (let next = this.#level + 1; next <= level; next += 1) {
      const { length, fault } = this;
      this.#levels[next] = { length, fault, hasRepairedName: this.#hasRepairedName, members: offsets?.count ?? 0 };
    }
    const { length, fault, hasRepairedName, members } = this.#levels[level] ?? FIRST_LEVEL;
    if (offsets) offsets.count = members;
    this.#level = level;
    this.length = length;
    this.fault = fault;
    this.#hasRepairedName = hasRepairedName;
    this.#names.begin(level);
  }

  #close(): void {
    const { offsets } = this;
    if (!offsets) return;
    // Only the reader of lines replaces what is marked.
    if (this.hasMarks) offsets.isWhole = false;
    // Room for what ends a value.
    if (this.reserve(0, 1)) offsets.close(this.bytes, this.length);
    else offsets.drop();
  }

  #knownMember(name: KnownName): boolean {
    const { key } = name;
    this.#close();
    if (!this.reserve(key.length + 2)) return false;
    const { bytes } = this;
    let to = this.length;
    if (to > 1) {
      bytes[to] = COMMA;
      to += 1;
    }
    const begin = to;
    for (let at = 0; at < key.length; at += 1) bytes[to + at] = key[at] ?? 0;
    to += key.length;
    bytes[to] = COLON;
    this.length = to + 1;
    this.offsets?.open(name, begin, to + 1);
    return true;
  }

  /** Writes the name with its colon; false, and nothing written, where it is taken. */
  #member(source: Uint8Array, from: number, end: number, prefix = NO_PREFIX, inner = NO_PREFIX): boolean {
    const prefixes = prefix.length + inner.length;
    if (end - from + prefixes > MAX_NAME_BYTES) {
      return this.#repairedMember(
        source,
        from,
        cutNameBytes(source, from, end, MAX_NAME_BYTES - prefixes),
        prefix,
        inner,
      );
    }
    const others = prefixes + 4;
    this.#close();
    if (!this.reserve(others + end - from, others + MAX_ESCAPE_BYTES * (end - from))) return false;
    const rewind = this.length;
    if (this.length > 1) this.put(COMMA);
    const begin = this.length;
    this.put(QUOTE);
    if (prefix.length > 0) this.escaped(prefix, 0, prefix.length);
    if (inner.length > 0) this.escaped(inner, 0, inner.length);
    const isStorable = this.escaped(source, from, end);
    this.put(QUOTE);
    if (!isStorable) {
      this.length = rewind;
      return this.#repairedMember(source, from, end, prefix, inner);
    }
    if (!this.#names.take(this.bytes, begin, this.length)) {
      this.length = rewind;
      return false;
    }
    this.put(COLON);
    this.offsets?.open(this.#names.taken, begin, this.length);
    return true;
  }

  /** Repaired before it is held against the other names: it may become equal to one of them. */
  #repairedMember(source: Uint8Array, from: number, end: number, prefix: Uint8Array, inner: Uint8Array): boolean {
    const name = repairedName(source, from, end);
    this.#hasRepairedName = true;
    return this.#member(name, 0, name.length, prefix, inner);
  }
}

function repairedName(source: Uint8Array, from: number, end: number): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset + from, end - from);
  return Buffer.from(repairText(decodeUtf8(bytes)));
}

function ownNameAt(source: Uint8Array, from: number, end: number): string | undefined {
  const isName = (bytes: Uint8Array) =>
    bytes.length === end - from && bytes.every((byte, at) => byte === source[from + at]);
  return OWN_NAMES.find(({ bytes }) => isName(bytes))?.name;
}
