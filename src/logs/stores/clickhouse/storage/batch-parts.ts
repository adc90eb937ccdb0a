// Records of one push as they wait for their insert.

import type { RecordBatch, SourceOffset } from '#logs/log-store.ts';
import type { DayBatch } from './group-writer.ts';
import type { NumberedRecords } from './rows.ts';

/** Records of one push, or of one collector, all of one day. */
export interface Batch extends DayBatch {
  readonly parts: RecordBatch['parts'];
  readonly firstId: number;
  readonly rows: number;
  readonly offsets: readonly SourceOffset[];
}

export const countOf = (part: RecordBatch['parts'][number]): number => ('count' in part ? part.count : part.length);

export function numbered({ parts, firstId }: Batch): NumberedRecords[] {
  let next = firstId;
  return parts.map((part) => {
    next += countOf(part);
    return { part, firstId: next - countOf(part) };
  });
}

export function* timesOf(parts: RecordBatch['parts']): Generator<number> {
  for (const part of parts) {
    if ('count' in part) yield* part.times.subarray(0, part.count);
    else for (const { time } of part) yield time;
  }
}

export function bytesOf(parts: RecordBatch['parts']): number {
  let bytes = 0;
  for (const part of parts) {
    if ('count' in part) bytes += (part.ends[part.count - 1] ?? 0) - (part.begins[0] ?? 0);
    else for (const { text } of part) bytes += text.length;
  }
  return bytes;
}
