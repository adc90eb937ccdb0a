// Records out of lines of JSON without parsing them: one pass over the bytes says that a line is valid, that no name
// repeats, where its members stand and of which types they are. Lines of a batch may differ in their members. A line that
// is not plain (see `JsonScanner`, and names with escapes) is for the parser.

import { fromTimeText } from '#contract/times.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import type { Field, LineBatch, LogRecord } from '#logs/log-store.ts';
import { BatchRecords } from '#logs/record-batch.ts';
import { type FieldName, FieldNames, isAt, LONG, NULL, STRING } from './field-names.ts';
import { JsonScanner, NOT_PLAIN } from './json-scanner.ts';
import { LineBatchBuilder } from './line-batch-builder.ts';

/** Longer lines are rare, and are read in slices. */
const MAX_LINE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Many lines of valid UTF-8, each with its end. */
export interface Lines {
  readonly bytes: Buffer;
  readonly begin: number;
  /** The offset behind the last line. */
  readonly end: number;
  /** The time of a record that brings none. */
  readonly arrival: number;
  readonly maxLineBytes: number;
  /** Gathers the offsets of all batches of an order: those of each batch are valid until the next. */
  readonly into?: LineBatchBuilder;
}

export class LineScanner {
  readonly #zone: string;
  readonly #names = new FieldNames();
  readonly #json = new JsonScanner();
  readonly #own = new LineBatchBuilder();
  #batch = this.#own;
  readonly #records = new BatchRecords();
  /** Of the line that is scanned; undefined where it brings none. */
  #time: number | undefined;
  /** Counts lines, so that each name knows whether the line has it already. */
  #line = 0;
  #single = Buffer.alloc(0);

  /** In `zone` times without an offset are read. */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Of all batches so far. Only ever grows. */
  get fields(): readonly Field[] {
    return this.#names.fields;
  }

  /** Whether lines with other names than those so far must be parsed. */
  get isFull(): boolean {
    return this.#names.isFull;
  }

  /** The records that follow each other from `begin` on; undefined when the first line must be parsed. */
  scan({ bytes, begin, end, arrival, maxLineBytes, into }: Lines): LineBatch | undefined {
    const json = this.#json;
    const builder = into ?? this.#own;
    const maxBytes = Math.min(maxLineBytes, MAX_LINE_BYTES);
    json.bytes = bytes;
    this.#batch = builder;
    if (!into) builder.begin();
    const first = builder.count;
    for (let from = begin; from < end; from = json.at) {
      json.at = from;
      if (!this.#scanLine() || json.at - from > maxBytes) {
        builder.drop();
        break;
      }
      builder.line(from, json.at, this.#time ?? arrival);
    }
    if (builder.count === first) return undefined;
    const batch = { ...(into ? builder.view(first) : builder.offsets()), bytes, fields: this.#names.fields };
    return { ...batch, records: (from, to) => this.#records.of(batch, from, to) };
  }

  /** `line` is valid text. Undefined when it must be parsed. */
  record(line: string, arrival: number): LogRecord | undefined {
    if (line.length > MAX_LINE_BYTES) return undefined;
    if (this.#single.length === 0) this.#single = Buffer.allocUnsafeSlow(3 * MAX_LINE_BYTES + 1);
    const end = this.#single.write(line);
    this.#single[end] = LINE_FEED;
    const lines = { bytes: this.#single, begin: 0, end: end + 1, arrival, maxLineBytes: MAX_LINE_BYTES };
    return this.scan(lines)?.records()[0];
  }

  #scanLine(): boolean {
    const json = this.#json;
    const names = this.#names;
    this.#time = undefined;
    this.#line += 1;
    if (!json.take(OPENING_BRACE)) return false;
    json.skipBlanks();
    if (json.take(CLOSING_BRACE)) return this.#endLine();
    for (let previous = names.beginning; ; ) {
      const begin = json.at;
      const name = this.#name(previous);
      if (!name || name.line === this.#line) return false;
      name.line = this.#line;
      if (!json.takeBetweenBlanks(COLON)) return false;
      const valueBegin = json.at;
      const type = json.value();
      if (type === NOT_PLAIN) return false;
      if (name.isTime && !this.#takeTime(type, valueBegin)) return false;
      this.#batch.member(names.field(name, type), begin, valueBegin, json.at);
      if (!json.takeBetweenBlanks(COMMA)) return json.take(CLOSING_BRACE) && this.#endLine();
      previous = name;
    }
  }

  /** The name that stands here, probably one that came after `previous` before. */
  #name(previous: FieldName): FieldName | undefined {
    const json = this.#json;
    const { bytes, at } = json;
    const { next, afterNext } = previous;
    let name = next && isAt(bytes, at, next.key) ? next : undefined;
    if (!name) {
      name = afterNext && isAt(bytes, at, afterNext.key) ? afterNext : this.#search(at);
      previous.afterNext = next;
      previous.next = name;
    }
    if (name) json.at = at + name.key.length;
    return name;
  }

  #search(at: number): FieldName | undefined {
    const json = this.#json;
    const { bytes } = json;
    if (bytes[at] !== QUOTE || json.string() === NOT_PLAIN) return undefined;
    for (let index = at; index < json.at; index += 1) if (bytes[index] === BACKSLASH) return undefined;
    return this.#names.find(bytes, at, json.at);
  }

  /** False for a time that nothing can be stored under, and for any that is written in an unusual way. */
  #takeTime(type: number, begin: number): boolean {
    if (type === NULL) return true;
    const { bytes, at } = this.#json;
    if (type === LONG) this.#time = wholeNumber(bytes, begin, at);
    else if (type === STRING) this.#time = fromTimeText(bytes.toString('latin1', begin + 1, at - 1), this.#zone);
    return this.#time !== undefined && isStorable(this.#time);
  }

  #endLine(): boolean {
    const json = this.#json;
    json.skipBlanks();
    json.take(CARRIAGE_RETURN);
    return json.take(LINE_FEED);
  }
}

/** Undefined unless all of it are digits. */
function wholeNumber(bytes: Buffer, from: number, end: number): number | undefined {
  const isNegative = bytes[from] === MINUS;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) return undefined;
    value = value * 10 + byte - ZERO;
  }
  return isNegative ? -value : value;
}
