// The names that the parts of an event of Splunk get in a record.

import { isStorable } from '#kernel/time/storable-time.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { millisecondsOfSeconds } from '#senders/times.ts';

export const LINE = Buffer.from('line');
export const EVENT = Buffer.from('event');
/** Members of an event that keep their names. */
export const ORIGIN = ['host', 'source', 'sourcetype'].map((name) => Buffer.from(name));
export const EVENT_PREFIX = Buffer.from('event.');
export const FIELD_PREFIX = Buffer.from('field.');

/** Writes a time in epoch seconds; absent and 0 stand for the arrival. */
export function writeTime(record: RecordText, seconds: string | undefined, arrival: number): void {
  const time = seconds === undefined || seconds === '' ? 0 : millisecondsOfSeconds(seconds);
  if (time === undefined || !isStorable(time)) record.fail('invalid-time');
  record.time(time || arrival);
}
