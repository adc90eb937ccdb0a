// The records of a batch as the bytes of a Parquet file: DuckDB reads it without parsing anything, in a tenth of the time that it
// takes for the same records in JSON. The values of all columns are written in one pass over the members of the batch.

import { hasBackslash } from '#kernel/text/byte-words.ts';
import { type BatchFileFacts, FIELD_FATES, type Field, type LineBatch } from '#logs/log-store.ts';
import { timeBounds, writeInt64 } from './file-rows.ts';
import {
  BOOLEAN,
  BYTE_ARRAY,
  DOUBLE,
  footer,
  INT64,
  MARK,
  MAX_HEAD_BYTES,
  type PlainColumn,
  pageHead,
  TIMESTAMP_MILLIS,
  UTF8,
} from './plain-file.ts';
import { numberAt } from './plain-number.ts';

/** Numbers of the columns that every record has. */
const [ID_COLUMN, TIME_COLUMN, REST_COLUMN] = [1, 2, FIELD_FATES.leftOver] as const;

const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SMALL_T = 0x74;

export type LocatedBatch = Omit<LineBatch, 'records' | 'begins' | 'ends' | 'file'>;

interface Column {
  readonly number: number;
  readonly type: number;
  values: number;
  valueBytes: number;
  /** Behind the head of its page. */
  begin: number;
  bitmap: number;
  /** Where the next value goes. */
  at: number;
  /** Booleans are bits. */
  bits: number;
}

/**
 * Writes the file to the beginning of `target`, see `RunFile`. `numbers` are those of `FileColumns`; undefined where the column of
 * a field is not decided yet, or `target` has no room.
 */
export function writeBatchFile(batch: LocatedBatch, numbers: Uint16Array, target: Buffer): BatchFileFacts | undefined {
  const isUsed = usedFields(batch);
  const fields = batch.fields.flatMap((field, index) =>
    isUsed[index] === 1 ? [{ ...field, index, number: numbers[index] ?? FIELD_FATES.undecided }] : [],
  );
  if (fields.some(({ number }) => number === FIELD_FATES.undecided)) return undefined;
  const written = new BatchFileWriter(batch, fields, target).write();
  if (!written) return undefined;
  const stored = fields.filter(({ number }) => number !== FIELD_FATES.dropped);
  return {
    ...written,
    ...timeBounds(batch),
    rows: batch.count,
    fields: stored.map(({ name, type, number }) => ({ name, type, number })),
  };
}

interface NumberedField extends Field {
  readonly index: number;
  readonly number: number;
}

class BatchFileWriter {
  readonly #batch: LocatedBatch;
  readonly #target: Buffer;
  readonly #view: DataView;
  /** Of the lines. */
  readonly #words: DataView;
  /** By the index of a field. */
  readonly #columns: (Column | undefined)[];
  readonly #all: readonly Column[];
  readonly #rest: Column;

  constructor(batch: LocatedBatch, fields: readonly NumberedField[], target: Buffer) {
    this.#batch = batch;
    this.#target = target;
    this.#view = new DataView(target.buffer, target.byteOffset, target.length);
    this.#words = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.length);
    const columns = new Map([[REST_COLUMN as number, newColumn(REST_COLUMN, BYTE_ARRAY)]]);
    for (const { number, type } of fields) {
      if (number <= REST_COLUMN) continue;
      const known = columns.get(number);
      // Whole numbers are exact among fractions.
      if (!known || type === 'double') columns.set(number, newColumn(number, TYPES[type]));
    }
    this.#all = [...columns.values()];
    this.#rest = this.#all[0] ?? newColumn(REST_COLUMN, BYTE_ARRAY);
    this.#columns = new Array(batch.fields.length);
    for (const { index, number } of fields) this.#columns[index] = columns.get(number);
  }

  write(): Pick<BatchFileFacts, 'size' | 'idsAt' | 'timesAt'> | undefined {
    const { count } = this.#batch;
    this.#measure();
    const idsAt = MARK.length + MAX_HEAD_BYTES;
    const timesAt = idsAt + 8 * count + MAX_HEAD_BYTES;
    const end = this.#fileOffset(timesAt + 8 * count);
    if (end > this.#target.length) return undefined;
    MARK.copy(this.#target);
    this.#writeTimes(timesAt);
    this.#writeMembers();
    const columns = [
      this.#page({ number: ID_COLUMN, type: INT64 }, idsAt, idsAt + 8 * count),
      this.#page({ number: TIME_COLUMN, type: INT64, meaning: TIMESTAMP_MILLIS }, timesAt, timesAt + 8 * count),
      ...this.#all.map((column) => this.#columnPage(column)),
    ];
    const last = footer(count, columns);
    if (end + last.length > this.#target.length) return undefined;
    const begin = columns.at(-1)?.pageEnd ?? end;
    last.copy(this.#target, begin);
    return { size: begin + last.length, idsAt, timesAt };
  }

  /** How much room the values of each column take at most. */
  #measure(): void {
    const { memberFields, memberBegins, memberValues, memberEnds, firstMembers, count } = this.#batch;
    const last = firstMembers[count] ?? 0;
    for (let member = firstMembers[0] ?? 0; member < last; member += 1) {
      const column = this.#columns[memberFields[member] ?? 0];
      if (!column) continue;
      column.values += 1;
      // What is left over keeps its name, with a comma or braces.
      const begin = column === this.#rest ? (memberBegins[member] ?? 0) - 6 : (memberValues[member] ?? 0);
      column.valueBytes += (memberEnds[member] ?? 0) - begin;
    }
  }

  /** Gives each column its offset; returns the one after all of them. */
  #fileOffset(from: number): number {
    const bitmapBytes = Math.ceil(this.#batch.count / 8);
    let at = from;
    for (const column of this.#all) {
      column.begin = at + MAX_HEAD_BYTES;
      column.bitmap = column.begin + 4 + lengthOfHead(bitmapBytes);
      column.at = column.bitmap + bitmapBytes;
      at = column.at + roomOf(column);
    }
    return at;
  }

  #writeTimes(timesAt: number): void {
    const { times, count } = this.#batch;
    for (let row = 0; row < count; row += 1) writeInt64(this.#view, timesAt + 8 * row, times[row] ?? 0);
  }

  #writeMembers(): void {
    const { memberFields, memberValues, memberEnds, firstMembers, count } = this.#batch;
    const target = this.#target;
    for (const { begin, bitmap } of this.#all) target.fill(0, begin, bitmap + Math.ceil(count / 8));
    for (let row = 0, member = firstMembers[0] ?? 0; row < count; row += 1) {
      const last = firstMembers[row + 1] ?? 0;
      const bitmapByte = row >> 3;
      const bit = 1 << (row & 7);
      let restAt = 0;
      for (; member < last; member += 1) {
        const column = this.#columns[memberFields[member] ?? 0];
        if (!column) continue;
        if (column === this.#rest) {
          restAt = this.#writeLeftOver(member, restAt);
          continue;
        }
        const offset = column.bitmap + bitmapByte;
        target[offset] = (target[offset] ?? 0) | bit;
        this.#writeValue(column, memberValues[member] ?? 0, memberEnds[member] ?? 0);
      }
      if (restAt > 0) this.#endLeftOver(restAt, bitmapByte, bit);
    }
  }

  #writeValue(column: Column, from: number, end: number): void {
    const { bytes } = this.#batch;
    switch (column.type) {
      case BYTE_ARRAY:
        column.at = this.#writeText(column.at, from + 1, end - 1);
        return;
      case INT64:
        writeInt64(this.#view, column.at, numberAt(bytes, from, end));
        column.at += 8;
        return;
      case DOUBLE:
        this.#view.setFloat64(column.at, numberAt(bytes, from, end), true);
        column.at += 8;
        return;
      default:
        this.#writeBit(column, bytes[from] === SMALL_T);
    }
  }

  /** With its length before it. */
  #writeText(at: number, from: number, end: number): number {
    const { bytes } = this.#batch;
    const target = this.#target;
    const view = this.#view;
    const words = this.#words;
    let index = from;
    let offset = at + 4;
    for (; index + 4 <= end; index += 4, offset += 4) {
      const word = words.getInt32(index);
      if (hasBackslash(word)) return this.#writeEscaped(at, from, end);
      view.setInt32(offset, word);
    }
    for (; index < end; index += 1, offset += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === BACKSLASH) return this.#writeEscaped(at, from, end);
      target[offset] = byte;
    }
    view.setUint32(at, end - from, true);
    return offset;
  }

  #writeEscaped(at: number, from: number, end: number): number {
    const text: string = JSON.parse(this.#batch.bytes.toString('utf8', from - 1, end + 1));
    const length = this.#target.write(text, at + 4);
    this.#view.setUint32(at, length, true);
    return at + 4 + length;
  }

  #writeBit(column: Column, isTrue: boolean): void {
    const at = column.at + (column.bits >> 3);
    const others = (column.bits & 7) === 0 ? 0 : (this.#target[at] ?? 0);
    this.#target[at] = others | (isTrue ? 1 << (column.bits & 7) : 0);
    column.bits += 1;
  }

  /** A member as it came, in the map of what is left over; returns the offset after it. */
  #writeLeftOver(member: number, at: number): number {
    const { bytes, memberBegins, memberEnds } = this.#batch;
    const target = this.#target;
    const offset = at === 0 ? this.#rest.at + 4 : at;
    target[offset] = at === 0 ? OPENING_BRACE : COMMA;
    const begin = memberBegins[member] ?? 0;
    return offset + 1 + bytes.copy(target, offset + 1, begin, memberEnds[member] ?? 0);
  }

  #endLeftOver(end: number, bitmapByte: number, bit: number): void {
    const rest = this.#rest;
    this.#target[end] = CLOSING_BRACE;
    this.#view.setUint32(rest.at, end + 1 - rest.at - 4, true);
    rest.at = end + 1;
    this.#target[rest.bitmap + bitmapByte] = (this.#target[rest.bitmap + bitmapByte] ?? 0) | bit;
  }

  /** Says which records have a value, and gives the page its head. */
  #columnPage(column: Column): PlainColumn {
    const bitmapBytes = Math.ceil(this.#batch.count / 8);
    const head = lengthOfHead(bitmapBytes);
    this.#view.setUint32(column.begin, head + bitmapBytes, true);
    writeVarint(this.#target, column.begin + 4, (bitmapBytes << 1) | 1);
    const end = column.at + Math.ceil(column.bits / 8);
    const meaning = column.type === BYTE_ARRAY ? { meaning: UTF8 } : {};
    return this.#page({ number: column.number, type: column.type, ...meaning }, column.begin, end);
  }

  #page(column: Pick<PlainColumn, 'number' | 'type' | 'meaning'>, begin: number, end: number): PlainColumn {
    const head = pageHead(this.#batch.count, end - begin);
    this.#target.set(head, begin - head.length);
    return { ...column, isRequired: column.number < REST_COLUMN, pageBegin: begin - head.length, pageEnd: end };
  }
}

const TYPES = { string: BYTE_ARRAY, long: INT64, double: DOUBLE, bool: BOOLEAN, null: BYTE_ARRAY, other: BYTE_ARRAY };

const newColumn = (number: number, type: number): Column => ({
  number,
  type,
  values: 0,
  valueBytes: 0,
  begin: 0,
  bitmap: 0,
  at: 0,
  bits: 0,
});

function usedFields({ fields, memberFields, firstMembers, count }: LocatedBatch): Uint8Array {
  const isUsed = new Uint8Array(fields.length);
  for (const index of memberFields.subarray(firstMembers[0], firstMembers[count])) isUsed[index] = 1;
  return isUsed;
}

function roomOf({ type, values, valueBytes }: Column): number {
  if (type === BYTE_ARRAY) return 4 * values + valueBytes;
  return type === BOOLEAN ? Math.ceil(values / 8) : 8 * values;
}

/** Of the head of a bitmap, which tells its length. */
const lengthOfHead = (bitmapBytes: number): number => varintBytes((bitmapBytes << 1) | 1);

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

function writeVarint(target: Buffer, at: number, value: number): void {
  let offset = at;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) {
    target[offset] = (rest & 0x7f) | 0x80;
    offset += 1;
  }
  target[offset] = rest;
}
