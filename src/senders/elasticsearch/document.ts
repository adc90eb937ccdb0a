// A document as a record: it stays as it is but for its time, an id beside it, and names that the service keeps for itself.

import type { Arrival } from '#ingest/decode/record.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { NULL, STRING } from '#logs/lines/field-names.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsOfText, wholeMilliseconds } from '#senders/times.ts';
import { ABSENT, type JsonText } from '#senders/wire/json-text.ts';

const DOC_ID_NAME = 'doc_id';
const DOC_ID = Buffer.from(DOC_ID_NAME);
const DOC_PREFIX = Buffer.from('doc.');
const TIME = Buffer.from('_time');
const TIMESTAMP = Buffer.from('@timestamp');
/** Names of the service's own that documents do not keep. */
const DROPPED = ['_id', '_table', '_node', '_repaired'].map((name) => Buffer.from(name));
const UNDERSCORE = 0x5f;
const AT_SIGN = 0x40;
const SMALL_D = 0x64;
/** Fewer digits are a year. The elasticsearch exporter of the OpenTelemetry Collector writes decimals, too. */
const EPOCH_DIGITS = /^-?\d{5,}(?:\.\d+)?$/;

/** Writes the map that the reader is at; `id` is empty for none. Names that repeat are left to the reader of lines. */
export function writeDocument(json: JsonText, record: RecordText, id: string, arrival: Arrival): void {
  record.begin();
  if (id !== '') {
    record.ownName(DOC_ID);
    record.string(id);
  }
  record.beginCopied();
  const offsets = copyMembers(json, record, id !== '');
  const end = json.at;
  const time = timeAt(json, offsets.time === ABSENT ? offsets.timestamp : offsets.time, arrival);
  if (time === undefined) record.fail('invalid-time');
  record.time(time ?? arrival.at);
  if (offsets.time !== ABSENT && offsets.timestamp !== ABSENT) writeValue(json, record, TIMESTAMP, offsets.timestamp);
  // A copied member may have the name that it gets.
  if (offsets.docId !== ABSENT && record.offsets) record.offsets.isWhole = false;
  if (offsets.docId !== ABSENT) writeValue(json, record, DOC_ID, offsets.docId);
  record.end();
  json.at = end;
}

interface SpecialOffsets {
  time: number;
  timestamp: number;
  /** Where another id takes its name. */
  docId: number;
}

/** Copies members in as few pieces as those leave that need more. */
function copyMembers(json: JsonText, record: RecordText, hasId: boolean): SpecialOffsets {
  const offsets = { time: ABSENT, timestamp: ABSENT, docId: ABSENT };
  const { offsets: members, copied } = record;
  let pieceFrom = ABSENT;
  let pieceEnd = ABSENT;
  let shift = 0;
  const flush = () => {
    if (pieceFrom !== ABSENT) record.members(json.bytes, pieceFrom, pieceEnd, json.hasLineFeed(pieceFrom, pieceEnd));
    pieceFrom = ABSENT;
  };
  for (let more = json.begin(); more; more = json.next(true)) {
    const from = json.at;
    let name = copied?.readNext(json);
    if (!name) json.readName();
    const offset = json.at;
    const type = json.value();
    if (hasId && name?.name === DOC_ID_NAME) {
      flush();
      offsets.docId = offset;
      continue;
    }
    if (name || !isSpecial(json, hasId)) {
      if (pieceFrom === ABSENT) [pieceFrom, shift] = [from, record.nextMember - from];
      pieceEnd = json.at;
      name ??= copied?.learn(json, from);
      if (name) members?.addCopied(name, type, from + shift, offset + shift, pieceEnd + shift);
      continue;
    }
    flush();
    if (json.isName(TIME)) {
      // A null is as good as no time.
      if (type !== NULL) offsets.time = offset;
    } else if (json.isName(TIMESTAMP)) offsets.timestamp = offset;
    else if (json.isName(DOC_ID)) offsets.docId = offset;
  }
  flush();
  return offsets;
}

/** Whether the member that was read last is not copied as it is. */
function isSpecial(json: JsonText, hasId: boolean): boolean {
  if (json.nameFrom === json.nameEnd) return true;
  const first = json.nameBytes[json.nameFrom];
  if (first === UNDERSCORE) return json.isName(TIME) || DROPPED.some((name) => json.isName(name));
  return first === AT_SIGN ? json.isName(TIMESTAMP) : hasId && first === SMALL_D && json.isName(DOC_ID);
}

/** Absent, null and 0 stand for the arrival; undefined for what is no time. */
function timeAt(json: JsonText, offset: number, { at, zone }: Arrival): number | undefined {
  if (offset === ABSENT) return at;
  json.at = offset;
  const type = json.value();
  if (type === NULL) return at;
  // What is not ASCII, or is escaped, is no time.
  const quotes = type === STRING ? 1 : 0;
  const text = json.bytes.toString('latin1', offset + quotes, json.at - quotes);
  const isNumber = type !== STRING || EPOCH_DIGITS.test(text);
  const time = isNumber ? wholeMilliseconds(text) : millisecondsOfText(text, zone);
  if (time === undefined || !isStorable(time)) return undefined;
  return time === 0 && isNumber ? at : time;
}

function writeValue(json: JsonText, record: RecordText, name: Buffer, offset: number): void {
  json.at = offset;
  json.value();
  const { at } = json;
  if (record.name(name, 0, name.length, DOC_PREFIX)) record.json(json.bytes, offset, at, json.hasLineFeed(offset, at));
}
