// ExportLogsServiceRequest of OTLP as JSON. Text is read in place like protobuf: what stands behind the part that needs it is
// found first.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import type { SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsOf } from '#senders/times.ts';
import { ABSENT, JsonText } from '#senders/wire/json-text.ts';
import { JsonValues } from './json-values.ts';
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

/** Log records, or messages around them, between two slices. */
const SLICE_MESSAGES = 32;

const named = (...names: readonly string[]) => names.map((name) => Buffer.from(name));
const REQUEST = named('resourceLogs');
const RESOURCE_LOGS = named('resource', 'scopeLogs');
const SCOPE_LOGS = named('scope', 'logRecords');
const RESOURCE = named('attributes');
const SCOPE = named('name', 'version', 'attributes');
const LOG_RECORD = named(
  ...['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'traceId', 'spanId', 'flags'],
  ...['eventName', 'droppedAttributesCount', 'body', 'attributes'],
);

export class JsonLogs {
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #json: JsonText;
  readonly #values: JsonValues;

  constructor(bytes: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#request = request;
    this.#lines = new RecordLines(request.limits, bytes.length, target);
    this.#record = this.#lines.newRecord();
    this.#json = new JsonText(bytes);
    this.#values = new JsonValues(this.#json, this.#record);
  }

  /** Throws MalformedText. */
  *decode(): SlicedWork<RecordLines> {
    const json = this.#json;
    json.skipBlanks();
    const [resourceLogs = ABSENT] = json.offsets(REQUEST);
    json.requireEnd();
    for (const _ of json.elementsAt(resourceLogs)) yield* this.#resourceLogs();
    if (json.isOdd) this.#lines.giveUpOffsets();
    return this.#lines;
  }

  *#resourceLogs(): SlicedWork<void> {
    const json = this.#json;
    if (this.#isSliceDue()) yield;
    const [resource = ABSENT, scopeLogs = ABSENT] = json.offsets(RESOURCE_LOGS);
    const end = json.at;
    const [attributes = ABSENT] = json.offsetsAt(resource, RESOURCE);
    const table = this.#tableIn(attributes);
    this.#record.beginShared(0);
    this.#attributes(attributes, RESOURCE_PREFIX);
    for (const _ of json.elementsAt(scopeLogs)) yield* this.#scopeLogs(table);
    json.at = end;
  }

  *#scopeLogs(table: string | undefined): SlicedWork<void> {
    const json = this.#json;
    if (this.#isSliceDue()) yield;
    const [scope = ABSENT, logRecords = ABSENT] = json.offsets(SCOPE_LOGS);
    const end = json.at;
    const [name = ABSENT, version = ABSENT, attributes = ABSENT] = json.offsetsAt(scope, SCOPE);
    this.#record.beginShared(1);
    this.#scopeText(SCOPE_NAME, name);
    this.#scopeText(SCOPE_VERSION, version);
    this.#attributes(attributes, SCOPE_PREFIX);
    for (const _ of json.elementsAt(logRecords)) {
      this.#addRecord(table);
      if (this.#lines.items % SLICE_MESSAGES === 0) yield;
    }
    json.at = end;
  }

  #isSliceDue(): boolean {
    this.#lines.countHolder();
    return this.#lines.holders % SLICE_MESSAGES === 0;
  }

  #addRecord(table: string | undefined): void {
    const json = this.#json;
    const record = this.#record;
    json.fault = undefined;
    record.begin();
    this.#values.beginRecord();
    this.#logRecord();
    if (json.fault !== undefined) record.fail(json.fault);
    record.end();
    this.#lines.addRecord(table, record);
  }

  #logRecord(): void {
    const json = this.#json;
    const offsets = json.offsets(LOG_RECORD);
    const end = json.at;
    const [body = ABSENT, attributes = ABSENT] = offsets.slice(-2);
    writeLogFields(this.#record, this.#fieldsAt(offsets.slice(0, -2)), this.#request.arrival.at);
    this.#body(body);
    this.#pairsAt(attributes, (key, from, to) => this.#record.name(key, from, to, ATTRIBUTE_PREFIX));
    json.at = end;
  }

  #fieldsAt(offsets: readonly number[]): LogFields {
    const scalars = offsets.map((offset) => this.#json.scalarAt(offset));
    const [time, observed, severity, severityText, traceId, spanId, flags, eventName, dropped] = scalars;
    return {
      ...noFields(),
      time: this.#time(time),
      observedTime: this.#time(observed),
      severityNumber: wholeNumber(severity),
      severityText: severityText ?? '',
      traceId: idOf(traceId),
      spanId: idOf(spanId),
      flags: wholeNumber(flags),
      eventName: eventName ?? '',
      droppedAttributes: wholeNumber(dropped),
    };
  }

  #time(nanoseconds: string | undefined): number | undefined {
    if (nanoseconds === undefined || Number(nanoseconds) === 0) return undefined;
    const time = millisecondsOf(nanoseconds);
    if (time === undefined || !isStorable(time)) this.#record.fail('invalid-time');
    return time;
  }

  #body(offset: number): void {
    if (offset === ABSENT) return;
    const json = this.#json;
    const record = this.#record;
    const values = this.#values;
    json.at = offset;
    values.any((kind) => {
      if (kind === 'map') {
        values.inValues(() => values.pairs((key, from, end) => record.name(key, from, end, BODY_PREFIX)));
        return;
      }
      record.ownName(kind === 'text' ? LINE : BODY);
      values.writeKind(kind);
    });
  }

  #tableIn(attributes: number): string | undefined {
    let table: string | undefined;
    let service: string | undefined;
    const json = this.#json;
    this.#record.begin();
    this.#pairsAt(attributes, (key, from, end) => {
      const isTable = isEqual(key, from, end, TABLE_ATTRIBUTE);
      if (!isTable && !isEqual(key, from, end, SERVICE_ATTRIBUTE)) return false;
      const offset = json.at;
      const [text] = json.offsetsAt(offset, TEXT_VALUE).map((at) => json.scalarAt(at));
      if (isTable) table = text;
      else service = text;
      json.at = offset;
      return false;
    });
    return tableNameOf(table, service, this.#request);
  }

  /** Those of a resource or scope: their names begin with the prefix in any case. */
  #attributes(offset: number, prefix: Uint8Array): void {
    const json = this.#json;
    const record = this.#record;
    json.fault = undefined;
    this.#values.beginRecord();
    this.#pairsAt(offset, (key, from, end) => record.prefixedName(prefix, key, from, end, ATTRIBUTE_PREFIX));
    if (json.fault !== undefined) record.fail(json.fault);
  }

  #pairsAt(offset: number, begin: (key: Buffer, from: number, end: number) => boolean): void {
    if (offset === ABSENT) return;
    this.#json.at = offset;
    this.#values.pairs(begin);
  }

  #scopeText(name: Uint8Array, offset: number): void {
    const text = this.#json.scalarAt(offset);
    if (text && this.#record.ownName(name)) this.#record.string(text);
  }
}

const TEXT_VALUE = named('stringValue');

/** 0 for anything else. */
const wholeNumber = (text = '0'): number => (/^\d{1,10}$/.test(text) ? Number(text) : 0);

/** One that is not hexadecimal stays as it is. */
const idOf = (text = ''): string => (/^[\da-f]*$/i.test(text) ? text.toLowerCase() : text);

function isEqual(bytes: Buffer, from: number, end: number, expected: Uint8Array): boolean {
  if (end - from !== expected.length) return false;
  for (let at = 0; at < expected.length; at += 1) if (bytes[from + at] !== expected[at]) return false;
  return true;
}
