// ExportLogsServiceRequest of OTLP as protobuf. Messages are read in place, each as often as the order of a record needs it:
// the protocol lets their fields come in any order.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import type { SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsIn, ProtobufReader } from '#senders/wire/protobuf-reader.ts';
import {
  ATTRIBUTE_PREFIX,
  BODY,
  BODY_PREFIX,
  LINE,
  type LogFields,
  noFields,
  RESOURCE_PREFIX,
  SCOPE_NAME,
  SCOPE_PREFIX,
  SCOPE_VERSION,
  SERVICE_ATTRIBUTE,
  TABLE_ATTRIBUTE,
  tableNameOf,
  writeLogFields,
} from './log-fields.ts';
import { KVLIST_VALUE, NO_VALUE, ProtobufValues, STRING_VALUE } from './protobuf-values.ts';

/** Scopes and log records between two slices. */
const SLICE_MESSAGES = 32;

/** Of a message inside another one. */
interface Span {
  readonly from: number;
  readonly end: number;
}

const ABSENT: Span = { from: 0, end: 0 };

export class ProtobufLogs {
  readonly #bytes: Buffer;
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #values: ProtobufValues;
  /** For log records, of which there are many. */
  readonly #reader: ProtobufReader;
  #messages = 0;

  constructor(bytes: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#bytes = bytes;
    this.#request = request;
    this.#lines = new RecordLines(request.limits, 2 * bytes.length, target);
    this.#record = this.#lines.newRecord();
    this.#values = new ProtobufValues(bytes, this.#record);
    this.#reader = new ProtobufReader(bytes);
  }

  /** Throws MalformedProtobuf. */
  *decode(): SlicedWork<RecordLines> {
    const reader = new ProtobufReader(this.#bytes);
    while (reader.next()) if (reader.field === 1 && reader.isBytes) yield* this.#resourceLogs(reader.from, reader.end);
    return this.#lines;
  }

  *#resourceLogs(from: number, end: number): SlicedWork<void> {
    this.#lines.countHolder();
    if (this.#lines.holders % SLICE_MESSAGES === 0) yield;
    const resource = this.#messageIn(from, end);
    const table = this.#tableOf(resource);
    this.#record.beginShared(0);
    this.#attributes(resource, 1, RESOURCE_PREFIX);
    const reader = new ProtobufReader(this.#bytes, from, end);
    while (reader.next()) {
      if (reader.field === 2 && reader.isBytes) yield* this.#scopeLogs(reader.from, reader.end, table);
    }
  }

  *#scopeLogs(from: number, end: number, table: string | undefined): SlicedWork<void> {
    this.#lines.countHolder();
    this.#record.beginShared(1);
    this.#scope(this.#messageIn(from, end));
    const reader = new ProtobufReader(this.#bytes, from, end);
    do {
      this.#messages += 1;
      if (this.#messages % SLICE_MESSAGES === 0) yield;
    } while (this.#nextRecord(reader, table));
  }

  /** False behind the last one. */
  #nextRecord(reader: ProtobufReader, table: string | undefined): boolean {
    if (!reader.next()) return false;
    if (reader.field !== 2 || !reader.isBytes) return true;
    const record = this.#record;
    record.begin();
    this.#logRecord(reader.from, reader.end);
    record.end();
    this.#lines.addRecord(table, record);
    return true;
  }

  /** The message in the first field; of several the last counts. */
  #messageIn(from: number, end: number): Span {
    const reader = new ProtobufReader(this.#bytes, from, end);
    let span = ABSENT;
    while (reader.next()) if (reader.field === 1 && reader.isBytes) span = { from: reader.from, end: reader.end };
    return span;
  }

  #tableOf({ from, end }: Span): string | undefined {
    const values = this.#values;
    const reader = new ProtobufReader(this.#bytes, from, end);
    let table: string | undefined;
    let service: string | undefined;
    while (reader.next()) {
      if (reader.field !== 1 || !reader.isBytes) continue;
      values.readPair(reader.from, reader.end);
      if (values.isKey(TABLE_ATTRIBUTE)) table = values.textOf(values.valueFrom, values.valueEnd);
      else if (values.isKey(SERVICE_ATTRIBUTE)) service = values.textOf(values.valueFrom, values.valueEnd);
    }
    return tableNameOf(table, service, this.#request);
  }

  /** Those of a resource or scope: their names begin with the prefix in any case. */
  #attributes({ from, end }: Span, field: number, prefix: Uint8Array): void {
    const values = this.#values;
    const record = this.#record;
    const reader = new ProtobufReader(this.#bytes, from, end);
    while (reader.next()) {
      if (reader.field !== field || !reader.isBytes) continue;
      values.readPair(reader.from, reader.end);
      const { keyFrom, keyEnd, valueFrom, valueEnd } = values;
      if (record.prefixedName(prefix, this.#bytes, keyFrom, keyEnd, ATTRIBUTE_PREFIX))
        values.write(valueFrom, valueEnd);
    }
  }

  #scope(span: Span): void {
    const record = this.#record;
    const reader = new ProtobufReader(this.#bytes, span.from, span.end);
    while (reader.next()) {
      if (!reader.isBytes || reader.from === reader.end) continue;
      const name = reader.field === 1 ? SCOPE_NAME : reader.field === 2 ? SCOPE_VERSION : undefined;
      if (name && record.ownName(name)) record.text(this.#bytes, reader.from, reader.end);
    }
    this.#attributes(span, 3, SCOPE_PREFIX);
  }

  #logRecord(from: number, end: number): void {
    const reader = this.#reader;
    let body = ABSENT;
    let attributes = end;
    const fields = noFields();
    reader.seek(from, end);
    for (let begin = from; reader.next(); begin = reader.at) {
      const { field } = reader;
      if (field === 5 && reader.isBytes) body = { from: reader.from, end: reader.end };
      else if (field === 6 && attributes === end) attributes = begin;
      else this.#readField(reader, fields);
    }
    writeLogFields(this.#record, fields, this.#request.arrival.at);
    this.#body(body);
    this.#members(attributes, end, 6, ATTRIBUTE_PREFIX);
  }

  #readField(reader: ProtobufReader, fields: LogFields): void {
    const { field, from, end } = reader;
    if (reader.isFixed64) {
      if (field !== 1 && field !== 11) return;
      if (reader.low === 0 && reader.high === 0) return;
      fields[field === 1 ? 'time' : 'observedTime'] = millisecondsIn(reader.low, reader.high);
    } else if (reader.isVarint) {
      if (field === 2) fields.severityNumber = reader.low | 0;
      else if (field === 7) fields.droppedAttributes = reader.low;
    } else if (reader.isFixed32) {
      if (field === 8) fields.flags = reader.low;
    } else if (field === 3) fields.severityText = decodeUtf8(this.#bytes.subarray(from, end));
    else if (field === 9) fields.traceId = this.#bytes.toString('hex', from, end);
    else if (field === 10) fields.spanId = this.#bytes.toString('hex', from, end);
    else if (field === 12) fields.eventName = decodeUtf8(this.#bytes.subarray(from, end));
  }

  #body(span: Span): void {
    if (span === ABSENT) return;
    const record = this.#record;
    const values = this.#values;
    const { kind, from, end } = values.kindOf(span.from, span.end);
    if (kind === NO_VALUE) return;
    if (kind === STRING_VALUE) {
      record.ownName(LINE);
      record.text(this.#bytes, from, end);
    } else if (kind === KVLIST_VALUE) this.#members(from, end, 1, BODY_PREFIX);
    else {
      record.ownName(BODY);
      values.write(span.from, span.end);
    }
  }

  /** Pairs as fields of the record. */
  #members(from: number, end: number, field: number, prefix: Uint8Array): void {
    const record = this.#record;
    const values = this.#values;
    const reader = this.#reader;
    reader.seek(from, end);
    while (reader.next()) {
      if (reader.field !== field || !reader.isBytes) continue;
      values.readPair(reader.from, reader.end);
      const { keyFrom, keyEnd, valueFrom, valueEnd } = values;
      if (record.name(this.#bytes, keyFrom, keyEnd, prefix)) values.write(valueFrom, valueEnd);
    }
  }
}
