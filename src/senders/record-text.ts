// Writes the text of one record after the other under the rules of names that all protocols share: a name that is taken
// gets a prefix, a name of the service's own and an empty one are dropped. Members that begin every record of a group are
// written once.

import { RESERVED } from '#engines/engine.ts';
import type { DecodeReason } from './decoded.ts';
import { LEVELS, RecordNames } from './record-names.ts';
import { JsonOutput, MAX_ESCAPE_BYTES } from './wire/json-output.ts';

const [QUOTE, COMMA, COLON, UNDERSCORE, OPENING_BRACE] = [0x22, 0x2c, 0x3a, 0x5f, 0x7b];
const NO_PREFIX: Uint8Array = new Uint8Array(0);
const OWN_TIME = '_time';
const TIME = Buffer.from('"_time":');
const MAX_TIME_BYTES = 24;
/** Times of twelve and thirteen digits are written in two halves: those from 1973 to 2286. */
const [MIN_DIVIDED, MAX_DIVIDED, DIVISOR] = [1e11, 1e13, 1e6];
const OWN_NAMES = RESERVED.map((name) => ({ name, bytes: Buffer.from(name) }));

/** Where a level begins. */
interface Level {
  readonly length: number;
  readonly fault: DecodeReason | undefined;
}

const RECORD = LEVELS - 1;
const FIRST_LEVEL: Level = { length: 1, fault: undefined };

export class RecordText extends JsonOutput {
  readonly #names = new RecordNames();
  readonly #levels: Level[] = Array.from({ length: LEVELS }, () => FIRST_LEVEL);
  #level = RECORD;

  /** A record of more bytes has the fault `line-too-long`. */
  constructor(maxBytes: number) {
    super(maxBytes);
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
    this.endMap();
  }

  /** In epoch milliseconds. */
  time(time: number): void {
    if (!this.reserve(TIME.length + MAX_TIME_BYTES)) return;
    if (this.length > 1) this.put(COMMA);
    for (let at = 0; at < TIME.length; at += 1) this.put(TIME[at] ?? 0);
    this.#digits(time);
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
    if (this.length > 1) this.comma();
    this.json(source, from, end, hasLineFeeds);
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
    for (let next = this.#level + 1; next <= level; next += 1) {
      this.#levels[next] = { length: this.length, fault: this.fault };
    }
    const { length, fault } = this.#levels[level] ?? FIRST_LEVEL;
    this.#level = level;
    this.length = length;
    this.fault = fault;
    this.#names.begin(level);
  }

  #knownMember(key: Uint8Array): boolean {
    if (!this.reserve(key.length + 2)) return false;
    const { bytes } = this;
    let to = this.length;
    if (to > 1) {
      bytes[to] = COMMA;
      to += 1;
    }
    for (let at = 0; at < key.length; at += 1) bytes[to + at] = key[at] ?? 0;
    to += key.length;
    bytes[to] = COLON;
    this.length = to + 1;
    return true;
  }

  /** Writes the name with its colon; false, and nothing written, where it is taken. */
  #member(source: Uint8Array, from: number, end: number, prefix = NO_PREFIX, inner = NO_PREFIX): boolean {
    const others = prefix.length + inner.length + 4;
    if (!this.reserve(others + end - from, others + MAX_ESCAPE_BYTES * (end - from))) return false;
    const rewind = this.length;
    if (this.length > 1) this.put(COMMA);
    const begin = this.length;
    this.put(QUOTE);
    if (prefix.length > 0) this.escaped(prefix, 0, prefix.length);
    if (inner.length > 0) this.escaped(inner, 0, inner.length);
    this.escaped(source, from, end);
    this.put(QUOTE);
    if (!this.#names.take(this.bytes, begin, this.length)) {
      this.length = rewind;
      return false;
    }
    this.put(COLON);
    return true;
  }
}

function ownNameAt(source: Uint8Array, from: number, end: number): string | undefined {
  const isName = (bytes: Uint8Array) =>
    bytes.length === end - from && bytes.every((byte, at) => byte === source[from + at]);
  return OWN_NAMES.find(({ bytes }) => isName(bytes))?.name;
}
