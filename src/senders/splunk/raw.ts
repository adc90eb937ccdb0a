// Raw text for Splunk's HTTP Event Collector: one log per line; what else is known of them stands in the query string.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { BodyRefused, type SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import { LINE, ORIGIN, writeTime } from './event-fields.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLICE_LINES = 128;

export function* decodeRaw(
  body: Buffer,
  { params, arrival, limits }: SenderRequest,
  target?: LineTarget,
): SlicedWork<RecordLines> {
  const lines = new RecordLines(limits, body.length + body.length / 4, target);
  const record = lines.newRecord();
  record.beginShared(0);
  writeTime(record, params.time, arrival.at);
  for (const name of ORIGIN) {
    const value = params[name.toString()];
    if (value && record.ownName(name)) record.string(value);
  }
  let read = 0;
  for (let from = 0, end = 0; from < body.length; from = end + 1) {
    read += 1;
    if (read > limits.items) throw new BodyRefused('too-many-items');
    if (read % SLICE_LINES === 0) yield;
    const found = body.indexOf(LINE_FEED, from);
    end = found === -1 ? body.length : found;
    const contentEnd = end > from && body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (contentEnd === from) continue;
    record.begin();
    record.ownName(LINE);
    record.text(body, from, contentEnd);
    record.end();
    lines.addRecord(params.index || undefined, record);
  }
  if (lines.items === 0) throw new BodyRefused('empty');
  return lines;
}
