// Events for Splunk's HTTP Event Collector: JSON objects one after another, with or without line ends, or one list of them.

import { isUtf8 } from 'node:buffer';
import { NULL, STRING } from '#ingest/field-names.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { type BodyFault, BodyRefused, type SenderRequest } from '#senders/decoded.ts';
import { writeMembers } from '#senders/json-members.ts';
import { RecordLines } from '#senders/record-lines.ts';
import { RecordText } from '#senders/record-text.ts';
import { ABSENT, JsonText, MalformedText } from '#senders/wire/json-text.ts';
import { EVENT, EVENT_PREFIX, FIELD_PREFIX, LINE, ORIGIN, writeTime } from './event-fields.ts';

const MEMBERS = [...ORIGIN, ...['time', 'index', 'event', 'fields'].map((name) => Buffer.from(name))];
const SLICE_EVENTS = 32;
/** A string without letters. */
const EMPTY_STRING_BYTES = 2;

export class HecEvents {
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #json: JsonText;
  readonly #isUtf8: boolean;

  constructor(bytes: Buffer, request: SenderRequest) {
    this.#request = request;
    this.#lines = new RecordLines(request.limits);
    this.#record = new RecordText(request.limits.lineBytes);
    this.#json = new JsonText(bytes);
    this.#isUtf8 = isUtf8(bytes);
  }

  *decode(): SlicedWork<RecordLines> {
    const [json, lines] = [this.#json, this.#lines];
    json.skipBlanks();
    const { isList } = json;
    let more = isList ? this.#step(() => json.begin()) : json.at < json.bytes.length;
    if (!more) throw new BodyRefused('empty');
    while (more) {
      this.#step(() => this.#event());
      if (lines.items % SLICE_EVENTS === 0) yield;
      more = this.#step(() => this.#hasNext(isList));
    }
    this.#step(() => json.requireEnd());
    return lines;
  }

  #hasNext(isList: boolean): boolean {
    const json = this.#json;
    if (isList) return json.next(false);
    json.skipBlanks();
    return json.at < json.bytes.length;
  }

  /** Names the event that is at fault. */
  #step<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof MalformedText) throw this.#refused('malformed', error.message);
      throw error;
    }
  }

  #refused(fault: BodyFault, detail?: string): BodyRefused {
    return new BodyRefused(fault, { item: this.#lines.items, ...(detail === undefined ? {} : { detail }) });
  }

  #event(): void {
    const [json, record] = [this.#json, this.#record];
    const from = json.at;
    if (!json.isMap) throw new MalformedText('an event is no map');
    json.fault = undefined;
    const [
      host = ABSENT,
      source = ABSENT,
      sourcetype = ABSENT,
      time = ABSENT,
      index = ABSENT,
      event = ABSENT,
      fields = ABSENT,
    ] = json.places(MEMBERS);
    const end = json.at;
    if (!this.#isUtf8 && !isUtf8(json.bytes.subarray(from, end))) throw new MalformedText('the text is no UTF-8');
    if (event === ABSENT) throw this.#refused('event-missing');
    record.begin();
    writeTime(record, json.scalarAt(time), this.#request.arrival.at);
    for (const [at, place] of [host, source, sourcetype].entries()) this.#value(ORIGIN[at] ?? EVENT, place);
    this.#eventValue(event);
    this.#fields(fields);
    record.end();
    const fault = record.fault ?? json.fault;
    if (fault !== undefined) throw this.#refused('malformed', fault);
    const table = json.scalarAt(index);
    json.at = end;
    this.#lines.addRecord(table || undefined, record);
  }

  #eventValue(place: number): void {
    const json = this.#json;
    json.at = place;
    if (json.isMap) {
      writeMembers(json, this.#record, EVENT_PREFIX);
      return;
    }
    const type = json.value();
    if (type === STRING && json.at - place === EMPTY_STRING_BYTES) throw this.#refused('event-blank');
    this.#value(type === STRING ? LINE : EVENT, place);
  }

  #fields(place: number): void {
    const json = this.#json;
    if (place === ABSENT) return;
    json.at = place;
    if (json.isMap) writeMembers(json, this.#record, FIELD_PREFIX);
    else if (json.value() !== NULL) throw new MalformedText('the fields are no map');
  }

  #value(name: Buffer, place: number): void {
    const [json, record] = [this.#json, this.#record];
    if (place === ABSENT) return;
    json.at = place;
    json.value();
    const { at } = json;
    if (record.ownName(name)) record.json(json.bytes, place, at, json.hasLineFeed(place, at));
  }
}
