// AnyValue and KeyValue of OTLP as protobuf, written as JSON. What was read last is kept here rather than in an object of its
// own: a record has a dozen of each.

import { decodeUtf8 } from '#kernel/text/utf8.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { ProtobufReader } from '#senders/wire/protobuf-reader.ts';

/** Lists and maps inside each other that a value may have. */
const MAX_DEPTH = 100;

/** Fields of AnyValue, of which one is set; of several the last counts. */
export const STRING_VALUE = 1;
export const KVLIST_VALUE = 6;
export const NO_VALUE = 0;
const BOOL_VALUE = 2;
const INT_VALUE = 3;
const DOUBLE_VALUE = 4;
const ARRAY_VALUE = 5;
const BYTES_VALUE = 7;
/** Of ArrayValue and KeyValueList. */
const VALUES = 1;

/** Fields of bytes with their numbers: of KeyValue, and of a string as AnyValue. */
const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;
const STRING_TAG = 0x0a;
const NO_TEXT = -1;

export class ProtobufValues {
  /** Of the pair that was read last, the places of its key and its value. */
  keyFrom = 0;
  keyEnd = 0;
  valueFrom = 0;
  valueEnd = 0;
  readonly #bytes: Buffer;
  readonly #record: RecordText;
  readonly #reader: ProtobufReader;

  constructor(bytes: Buffer, record: RecordText) {
    this.#bytes = bytes;
    this.#record = record;
    this.#reader = new ProtobufReader(bytes);
  }

  readPair(from: number, end: number): void {
    if (this.#readUsualPair(from, end)) return;
    const reader = this.#reader;
    reader.seek(from, end);
    this.keyFrom = this.keyEnd = this.valueFrom = this.valueEnd = from;
    while (reader.next()) {
      if (!reader.isBytes) continue;
      if (reader.field === 1) {
        this.keyFrom = reader.from;
        this.keyEnd = reader.end;
      } else if (reader.field === 2) {
        this.valueFrom = reader.from;
        this.valueEnd = reader.end;
      }
    }
  }

  /** A key and then a value, both short, and nothing else. */
  #readUsualPair(from: number, end: number): boolean {
    const bytes = this.#bytes;
    const keyEnd = from + 2 + (bytes[from + 1] ?? 0);
    if (keyEnd > end || bytes[from] !== KEY_TAG || keyEnd > from + 0x81) return false;
    const valueFrom = textFrom(bytes, keyEnd, end);
    if (valueFrom === NO_TEXT || bytes[keyEnd] !== VALUE_TAG) return false;
    this.keyFrom = from + 2;
    this.keyEnd = keyEnd;
    this.valueFrom = valueFrom;
    this.valueEnd = end;
    return true;
  }

  isKey(key: Uint8Array): boolean {
    const { keyFrom, keyEnd } = this;
    if (keyEnd - keyFrom !== key.length) return false;
    for (let at = 0; at < key.length; at += 1) if (this.#bytes[keyFrom + at] !== key[at]) return false;
    return true;
  }

  /** The field of the AnyValue that is set, and the place of its bytes. */
  kindOf(from: number, end: number): { readonly kind: number; readonly from: number; readonly end: number } {
    const reader = this.#find(from, end);
    return { kind: reader?.field ?? NO_VALUE, from: reader?.from ?? from, end: reader?.end ?? from };
  }

  /** The text of an AnyValue; undefined where it is none. */
  textOf(from: number, end: number): string | undefined {
    const reader = this.#find(from, end);
    return reader?.field === STRING_VALUE ? decodeUtf8(this.#bytes.subarray(reader.from, reader.end)) : undefined;
  }

  /** Writes the AnyValue as JSON; an empty one is null. */
  write(from: number, end: number, depth = 0): void {
    const record = this.#record;
    const text = this.#bytes[from] === STRING_TAG ? textFrom(this.#bytes, from, end) : NO_TEXT;
    if (text !== NO_TEXT) {
      record.text(this.#bytes, text, end);
      return;
    }
    const reader = this.#find(from, end);
    const field = reader?.field ?? NO_VALUE;
    if (!reader) record.null();
    else if (field === STRING_VALUE) record.text(this.#bytes, reader.from, reader.end);
    else if (field === BOOL_VALUE) record.ascii(reader.low === 0 && reader.high === 0 ? 'false' : 'true');
    else if (field === INT_VALUE) record.whole(reader.int64());
    else if (field === DOUBLE_VALUE) record.number(reader.double());
    else if (field === BYTES_VALUE) record.base64(this.#bytes, reader.from, reader.end);
    else if (depth === MAX_DEPTH) record.fail('nested-too-deep');
    else if (field === ARRAY_VALUE) this.#list(reader.from, reader.end, depth + 1);
    else this.#map(reader.from, reader.end, depth + 1);
  }

  #list(from: number, end: number, depth: number): void {
    const record = this.#record;
    const reader = new ProtobufReader(this.#bytes, from, end);
    record.beginList();
    let isFirst = true;
    while (record.fault === undefined && reader.next()) {
      if (reader.field !== VALUES || !reader.isBytes) continue;
      if (!isFirst) record.comma();
      isFirst = false;
      this.write(reader.from, reader.end, depth);
    }
    record.endList();
  }

  #map(from: number, end: number, depth: number): void {
    const record = this.#record;
    const reader = new ProtobufReader(this.#bytes, from, end);
    record.beginMap();
    let isFirst = true;
    while (record.fault === undefined && reader.next()) {
      if (reader.field !== VALUES || !reader.isBytes) continue;
      if (!isFirst) record.comma();
      isFirst = false;
      this.readPair(reader.from, reader.end);
      const { valueFrom, valueEnd } = this;
      record.text(this.#bytes, this.keyFrom, this.keyEnd);
      record.colon();
      this.write(valueFrom, valueEnd, depth);
    }
    record.endMap();
  }

  /** A reader at the field that is set; undefined where none is. */
  #find(from: number, end: number): ProtobufReader | undefined {
    const reader = this.#reader;
    reader.seek(from, end);
    while (reader.next()) {
      if (!isValue(reader)) continue;
      // Nearly every value has one field, and that is the last.
      if (reader.at === end) return reader;
      return this.#findLast(from, end);
    }
    return undefined;
  }

  #findLast(from: number, end: number): ProtobufReader | undefined {
    const reader = this.#reader;
    let last = from;
    reader.seek(from, end);
    for (let begin = from; reader.next(); begin = reader.at) if (isValue(reader)) last = begin;
    reader.seek(last, end);
    reader.next();
    return reader;
  }
}

/** Where the bytes of the field at `from` begin that goes up to `end`, if it has a length of one or two bytes. */
function textFrom(bytes: Buffer, from: number, end: number): number {
  if (from + 2 > end) return NO_TEXT;
  const low = bytes[from + 1] ?? 0;
  if (low <= 0x7f) return from + 2 + low === end ? from + 2 : NO_TEXT;
  const high = bytes[from + 2] ?? 0;
  return high <= 0x7f && from + 3 + high * 128 + low - 128 === end ? from + 3 : NO_TEXT;
}

function isValue(reader: ProtobufReader): boolean {
  const { field } = reader;
  if (field === BOOL_VALUE || field === INT_VALUE) return reader.isVarint;
  if (field === DOUBLE_VALUE) return reader.isFixed64;
  return field >= STRING_VALUE && field <= BYTES_VALUE && reader.isBytes;
}
