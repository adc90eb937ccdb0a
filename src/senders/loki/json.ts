// Streams of Loki as JSON.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { NULL, STRING } from '#logs/lines/field-names.ts';
import type { SenderRequest } from '#senders/decoded.ts';
import { writeMembers } from '#senders/records/json-members.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsOf } from '#senders/times.ts';
import { ABSENT, JsonText } from '#senders/wire/json-text.ts';
import { LABEL_PREFIX, LINE, META_PREFIX, SLICE_ENTRIES, TABLE_LABEL } from './stream-fields.ts';

const REQUEST = [Buffer.from('streams')];
const STREAM = [Buffer.from('stream'), Buffer.from('values')];
const TABLE = Buffer.from(TABLE_LABEL);

export class JsonStreams {
  readonly #request: SenderRequest;
  readonly #lines: RecordLines;
  readonly #record: RecordText;
  readonly #json: JsonText;

  constructor(bytes: Buffer, request: SenderRequest, target?: LineTarget) {
    this.#request = request;
    this.#lines = new RecordLines(request.limits, bytes.length + bytes.length / 4, target);
    this.#record = this.#lines.newRecord();
    this.#json = new JsonText(bytes);
  }

  /** Throws MalformedText. */
  *decode(): SlicedWork<RecordLines> {
    const json = this.#json;
    json.skipBlanks();
    const [streams = ABSENT] = json.offsets(REQUEST);
    json.requireEnd();
    for (const _ of json.elementsAt(streams)) yield* this.#stream();
    if (json.isOdd) this.#lines.giveUpOffsets();
    return this.#lines;
  }

  *#stream(): SlicedWork<void> {
    const json = this.#json;
    const lines = this.#lines;
    const record = this.#record;
    lines.countHolder();
    const [labels = ABSENT, values = ABSENT] = json.offsets(STREAM);
    const end = json.at;
    const table = this.#labels(labels);
    for (const _ of json.elementsAt(values)) {
      json.fault = undefined;
      record.begin();
      this.#entry();
      if (json.fault !== undefined) record.fail(json.fault);
      record.end();
      lines.addRecord(table, record);
      if (lines.items % SLICE_ENTRIES === 0) yield;
    }
    json.at = end;
    yield;
  }

  /** Writes the labels of the stream; gives the table that they name. */
  #labels(offset: number): string | undefined {
    const json = this.#json;
    const record = this.#record;
    let table: string | undefined;
    json.fault = undefined;
    record.beginShared(0);
    if (offset === ABSENT) return undefined;
    json.at = offset;
    writeMembers(json, record, LABEL_PREFIX, {
      isSkipped: () => {
        if (json.isName(TABLE)) table = json.scalarAt(json.at);
        return json.isName(TABLE);
      },
      // The name of the line is taken in every record.
      isTaken: () => json.isName(LINE),
    });
    if (json.fault !== undefined) record.fail(json.fault);
    return table;
  }

  /** A list of the time, the line and perhaps metadata. */
  #entry(): void {
    const json = this.#json;
    const record = this.#record;
    if (!json.isList) {
      json.value();
      record.fail('malformed-json');
      return;
    }
    let part = 0;
    for (let more = json.begin(); more; more = json.next(false)) {
      if (part === 0) record.time(this.#time());
      else if (part === 1) this.#line();
      else if (part === 2 && json.isMap) writeMembers(json, record, META_PREFIX);
      else if (json.value() !== NULL && part === 2) record.fail('malformed-json');
      part += 1;
    }
    if (part < 2) record.fail('malformed-json');
  }

  #time(): number {
    const text = this.#json.scalarAt(this.#json.at) ?? '';
    const time = text === 'null' ? 0 : millisecondsOf(text);
    if (time === undefined || !isStorable(time)) this.#record.fail('invalid-time');
    return time || this.#request.arrival.at;
  }

  #line(): void {
    const json = this.#json;
    const record = this.#record;
    const from = json.at;
    if (json.value() !== STRING) record.fail('malformed-json');
    record.ownName(LINE);
    record.json(json.bytes, from, json.at);
  }
}
