// Events for Splunk's HTTP Event Collector: JSON objects one after another, with or without line ends, or one list of them.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { STRING } from '#logs/lines/field-names.ts';
import { BodyRefused, type SenderRequest } from '#senders/decoded.ts';
import { writeMembers } from '#senders/records/json-members.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsOfDigits } from '#senders/times.ts';
import { ABSENT, JsonText, MalformedText } from '#senders/wire/json-text.ts';
import { EVENT, EVENT_PREFIX, FIELD_PREFIX, LINE, ORIGIN, writeTime } from './event-fields.ts';

const MEMBERS = [...ORIGIN, ...['time', 'index', 'event', 'fields'].map((name) => Buffer.from(name))];
/** In the list of members. */
const TIME_INDEX = 3;
const INDEX_INDEX = 4;
const EVENT_INDEX = 5;
const FIELDS_INDEX = 6;
const SLICE_EVENTS = 32;
/** A string without letters. */
const EMPTY_STRING_BYTES = 2;

/** First letters of the members that keep their names. */
const SMALL_H = 0x68;
const SMALL_S = 0x73;

interface WaitingMember {
  readonly name: Buffer;
  readonly offset: number;
}

export class HecEvents {
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #json: JsonText;
  /** Of the event that is read, the values of its members. */
  readonly #offsets = MEMBERS.map(() => ABSENT);
  /** Members inside of it that are written later. */
  readonly #waiting: WaitingMember[] = [];

  constructor(bytes: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#request = request;
    this.#lines = new RecordLines(request.limits, bytes.length + bytes.length / 4, target);
    this.#record = this.#lines.newRecord();
    this.#json = new JsonText(bytes);
  }

  /** An event that cannot be kept is rejected by itself; behind text that is not JSON nothing can be read. */
  *decode(): SlicedWork<RecordLines> {
    const json = this.#json;
    const lines = this.#lines;
    try {
      yield* this.#events();
    } catch (error) {
      if (!(error instanceof MalformedText)) throw error;
      lines.reject('malformed-json');
    }
    if (json.isOdd) lines.giveUpOffsets();
    return lines;
  }

  *#events(): SlicedWork<void> {
    const json = this.#json;
    const lines = this.#lines;
    json.skipBlanks();
    const { isList } = json;
    let more = isList ? json.begin() : json.at < json.bytes.length;
    if (!more) throw new BodyRefused('empty');
    while (more) {
      this.#event();
      if (lines.items % SLICE_EVENTS === 0) yield;
      if (!isList) json.skipBlanks();
      more = isList ? json.next(false) : json.at < json.bytes.length;
    }
    json.requireEnd();
  }

  #event(): void {
    const json = this.#json;
    const record = this.#record;
    json.fault = undefined;
    if (!json.isMap) {
      json.value();
      this.#lines.reject('not-an-object');
      return;
    }
    record.begin();
    this.#offsets.fill(ABSENT);
    this.#waiting.length = 0;
    for (let more = json.begin(); more; more = json.next(true)) {
      json.readName();
      this.#member();
    }
    const end = json.at;
    if (this.#offsets[EVENT_INDEX] === ABSENT) record.fail('event-missing');
    else this.#finish();
    if (json.fault !== undefined) record.fail(json.fault);
    const table = json.scalarAt(this.#offsets[INDEX_INDEX] ?? ABSENT);
    json.at = end;
    this.#lines.addRecord(table || undefined, record);
  }

  /** The event is written at once, all else when it is known. */
  #member(): void {
    const json = this.#json;
    const index = MEMBERS.findIndex((name) => json.isName(name));
    if (index !== -1 && !json.isNull) this.#offsets[index] = json.at;
    if (index === EVENT_INDEX && !json.isNull) this.#eventValue();
    else json.value();
  }

  readonly #eventRules = {
    isSkipped: (): boolean => {
      const json = this.#json;
      const first = json.nameBytes[json.nameFrom];
      const name = first === SMALL_H || first === SMALL_S ? ORIGIN.find((one) => json.isName(one)) : undefined;
      if (name) this.#waiting.push({ name, offset: json.at });
      return name !== undefined;
    },
  };

  #eventValue(): void {
    const json = this.#json;
    const record = this.#record;
    const offset = json.at;
    if (json.isMap) {
      // These names may be taken by members of the event that are still to come.
      writeMembers(json, record, EVENT_PREFIX, this.#eventRules);
      return;
    }
    const type = json.value();
    if (type === STRING && json.at - offset === EMPTY_STRING_BYTES) this.#record.fail('event-blank');
    if (record.ownName(type === STRING ? LINE : EVENT)) this.#copy(offset, json.at);
  }

  #finish(): void {
    const record = this.#record;
    this.#time(this.#offsets[TIME_INDEX] ?? ABSENT);
    for (let origin = 0; origin < ORIGIN.length; origin += 1) {
      const offset = this.#offsets[origin] ?? ABSENT;
      if (offset !== ABSENT) this.#value(ORIGIN[origin] ?? EVENT, offset, EVENT_PREFIX);
    }
    for (const { name, offset } of this.#waiting) this.#value(name, offset, EVENT_PREFIX);
    this.#fields(this.#offsets[FIELDS_INDEX] ?? ABSENT);
    record.end();
  }

  #time(offset: number): void {
    const json = this.#json;
    const record = this.#record;
    const { at: arrival } = this.#request.arrival;
    const isNumber = offset !== ABSENT && !json.isStringAt(offset);
    if (isNumber) {
      json.at = offset;
      json.value();
    }
    const usual = isNumber ? millisecondsOfDigits(json.bytes, offset, json.at) : undefined;
    if (usual !== undefined && isStorable(usual)) record.time(usual || arrival);
    else writeTime(record, json.scalarAt(offset), arrival);
  }

  #fields(offset: number): void {
    const json = this.#json;
    if (offset === ABSENT) return;
    json.at = offset;
    if (json.isMap) writeMembers(json, this.#record, FIELD_PREFIX);
    else this.#record.fail('malformed-json');
  }

  #value(name: Buffer, offset: number, prefix: Uint8Array): void {
    const json = this.#json;
    const record = this.#record;
    json.at = offset;
    json.value();
    if (record.name(name, 0, name.length, prefix)) this.#copy(offset, json.at);
  }

  #copy(from: number, end: number): void {
    this.#record.json(this.#json.bytes, from, end, this.#json.hasLineFeed(from, end));
  }
}
