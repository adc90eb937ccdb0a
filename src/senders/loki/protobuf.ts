// PushRequest of Loki as protobuf.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import type { SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { ProtobufReader } from '#senders/wire/protobuf-reader.ts';
import { parseLabels } from './labels.ts';
import { LABEL_PREFIX, LINE, META_PREFIX, SLICE_ENTRIES, TABLE_LABEL } from './stream-fields.ts';

export class ProtobufStreams {
  readonly #bytes: Buffer;
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  /** For entries, of which there are many, and for what is in them. */
  readonly #entry: ProtobufReader;
  readonly #inner: ProtobufReader;

  constructor(bytes: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#bytes = bytes;
    this.#request = request;
    this.#lines = new RecordLines(request.limits, 2 * bytes.length, target);
    this.#record = this.#lines.newRecord();
    this.#entry = new ProtobufReader(bytes);
    this.#inner = new ProtobufReader(bytes);
  }

  /** Throws MalformedProtobuf. */
  *decode(): SlicedWork<RecordLines> {
    const reader = new ProtobufReader(this.#bytes);
    while (reader.next()) if (reader.field === 1 && reader.isBytes) yield* this.#stream(reader.from, reader.end);
    return this.#lines;
  }

  *#stream(from: number, end: number): SlicedWork<void> {
    const lines = this.#lines;
    const record = this.#record;
    lines.countHolder();
    const table = this.#labels(from, end);
    const reader = new ProtobufReader(this.#bytes, from, end);
    while (reader.next()) {
      if (reader.field !== 2 || !reader.isBytes) continue;
      record.begin();
      this.#entryRecord(reader.from, reader.end);
      record.end();
      lines.addRecord(table, record);
      if (lines.items % SLICE_ENTRIES === 0) yield;
    }
    yield;
  }

  /** Writes the labels of the stream; gives the table that they name. */
  #labels(from: number, end: number): string | undefined {
    const record = this.#record;
    const reader = new ProtobufReader(this.#bytes, from, end);
    let text = '{}';
    while (reader.next()) {
      if (reader.field === 1 && reader.isBytes) text = decodeUtf8(this.#bytes.subarray(reader.from, reader.end));
    }
    record.beginShared(0);
    const labels = parseLabels(text);
    if (!labels) record.fail('parse-failed');
    let table: string | undefined;
    for (const [name, value] of labels ?? []) {
      if (name === TABLE_LABEL) table = value;
      else if (this.#labelName(Buffer.from(name))) record.string(value);
    }
    return table;
  }

  /** The name of the line is taken in every record. */
  #labelName(name: Buffer): boolean {
    const record = this.#record;
    return name.equals(LINE)
      ? record.prefixedName(LABEL_PREFIX, name, 0, name.length, LABEL_PREFIX)
      : record.name(name, 0, name.length, LABEL_PREFIX);
  }

  #entryRecord(from: number, end: number): void {
    const record = this.#record;
    const entry = this.#entry;
    let time = 0;
    let lineFrom = from;
    let lineEnd = from;
    entry.seek(from, end);
    while (entry.next()) {
      if (!entry.isBytes) continue;
      if (entry.field === 1) time = this.#time(entry.from, entry.end);
      else if (entry.field === 2) [lineFrom, lineEnd] = [entry.from, entry.end];
    }
    if (!isStorable(time)) record.fail('invalid-time');
    record.time(time === 0 ? this.#request.arrival.at : time);
    record.ownName(LINE);
    record.text(this.#bytes, lineFrom, lineEnd);
    entry.seek(from, end);
    while (entry.next()) if (entry.field === 3 && entry.isBytes) this.#metadata(entry.from, entry.end);
  }

  /** Of a Timestamp: seconds, and nanoseconds that are never negative. */
  #time(from: number, end: number): number {
    const inner = this.#inner;
    let time = 0;
    inner.seek(from, end);
    while (inner.next()) {
      if (!inner.isVarint) continue;
      if (inner.field === 1) time += Number(inner.int64()) * 1000;
      else if (inner.field === 2) time += Math.floor((inner.low | 0) / 1e6);
    }
    return time;
  }

  #metadata(from: number, end: number): void {
    const inner = this.#inner;
    let nameFrom = from;
    let nameEnd = from;
    let valueFrom = from;
    let valueEnd = from;
    inner.seek(from, end);
    while (inner.next()) {
      if (!inner.isBytes) continue;
      if (inner.field === 1) [nameFrom, nameEnd] = [inner.from, inner.end];
      else if (inner.field === 2) [valueFrom, valueEnd] = [inner.from, inner.end];
    }
    if (this.#record.name(this.#bytes, nameFrom, nameEnd, META_PREFIX)) {
      this.#record.text(this.#bytes, valueFrom, valueEnd);
    }
  }
}
