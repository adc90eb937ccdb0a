// A record as one line of the journal: our own fields first, then the fields that fit their columns, then `_rest` with
// the others. The text of a record that fits is taken over as it was sent.

import type { LogRecord, RecordRun } from '#engines/engine.ts';
import { nameOf, scanSliced } from '#kernel/json-members.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { ColumnRegistry } from './columns.ts';

/** Of our own fields in a line: two names, two numbers and punctuation. */
const MAX_OWN_BYTES = 64;

/** Undefined where some of its fields do not fit their columns. */
export function columnarLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): string | undefined {
  if (!registry.verdict(shape).fitsWhole) return undefined;
  const own = ownFields(id, time);
  return shape.names.length === 0 ? `${own}}\n` : `${own},${text.slice(1)}\n`;
}

const ownFields = (id: number, time: number): string => `{"_id":${id},"_time":${time}`;

const SLICE_MEMBERS = 4096;

/** The line of any record, in slices: there may be a hundred thousand fields that do not fit. */
export function* dividedLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): SlicedWork<string> {
  const fitting = new Set(registry.verdict(shape).fitting);
  yield;
  const kept: string[] = [];
  const rest: string[] = [];
  for (const [key, source] of (yield* scanSliced(text)).members) {
    (fitting.has(nameOf(key)) ? kept : rest).push(`${key}:${source}`);
    if (rest.length % SLICE_MEMBERS === SLICE_MEMBERS - 1) yield;
  }
  yield;
  return `${[ownFields(id, time), ...kept, `"_rest":{${rest.join(',')}}`].join(',')}}\n`;
}

/** A buffer that is used again and again: gigabytes of short-lived ones would make the process swell. */
export class Room {
  #bytes = Buffer.allocUnsafeSlow(0);

  /** Invalidates the buffer that was handed out before. */
  of(sizeBytes: number): Buffer {
    if (this.#bytes.length < sizeBytes) this.#bytes = Buffer.allocUnsafeSlow(2 * sizeBytes);
    return this.#bytes;
  }
}

/** The lines of records that fit their columns, each with its id in front. */
export function runLines(
  { bytes, begins, ends, times, isTimed, count }: RecordRun,
  firstId: number,
  room: Room,
): Buffer {
  const first = begins[0] ?? 0;
  const lines = room.of((ends[count - 1] ?? first) - first + count * MAX_OWN_BYTES);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    at += lines.write(`{"_id":${firstId + index},`, at, 'latin1');
    if (!isTimed) at += lines.write(`"_time":${times[index]},`, at, 'latin1');
    at += bytes.copy(lines, at, (begins[index] ?? 0) + 1, ends[index]);
  }
  return lines.subarray(0, at);
}

/** The row layout keeps the record whole. */
export const rowLine = ({ text, time }: LogRecord, id: number): string =>
  `{"_id":${id},"_time":${time},"_doc":${text}}\n`;
