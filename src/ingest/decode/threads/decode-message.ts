// Messages between the main thread and a thread that decodes lines. Lines and files are in memory that both share, offsets of records
// are handed over without a copy; a list of fields is sent once and then grows on both sides.

import type { DecodedLines, LineLimits } from '#ingest/decode/line-decode.ts';
import type { Arrival } from '#ingest/decode/record.ts';
import type { BatchOffsets } from '#logs/lines/line-batch-builder.ts';
import type { Field, LineBatch, LogRecord } from '#logs/log-store.ts';
import type { WrittenBatchFile } from '#logs/parquet/batch-file.ts';

/** Lines that are scanned at once: about a millisecond of work. */
export const BATCH_BYTES = 256 * 1024;

/** Lines, each with an end: in a slot, or handed over where they are too many for one. */
export type OrderedLines = { readonly memory: SharedArrayBuffer; readonly bytes: number } | Uint8Array<ArrayBuffer>;

export interface DecodeOrder extends BatchOrder {
  /** Lines of one source mostly have the same names. */
  readonly source: string;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  readonly lines: OrderedLines;
}

/** What a thread is told about the batch that it is to make of the records of a source. */
export interface BatchOrder {
  /** Which fields of the source the main thread knows. */
  readonly known: KnownFields;
  /** Columns of the known fields, for a file of the records in the slot; see `FileColumns`. */
  readonly numbers?: Uint16Array<ArrayBuffer>;
  /** `FileLeaves` of the table as JSON, with `numbers`. */
  readonly leaves?: string;
  /** Whether offsets are needed beside a file. */
  readonly wantsOffsets: boolean;
}

export interface KnownFields {
  /** Of the scanner that has found them. */
  readonly serial: number;
  readonly count: number;
}

export interface DecodeResult extends Omit<DecodedLines, 'parts'>, BatchAnswer {
  /** Lines that were handed over. */
  readonly handedBack: Uint8Array<ArrayBuffer> | undefined;
  /** Records by themselves, and between them the number of records of batches. */
  readonly sequence: readonly (number | readonly LogRecord[])[];
}

/** The records of a batch, as a thread tells of them. */
export interface BatchAnswer {
  /** Of all records of batches; absent where there is a file of all records and they were not asked for. */
  readonly offsets: BatchOffsets | undefined;
  readonly file: WrittenBatchFile | undefined;
  readonly serial: number;
  /** All behind the first `fieldsFrom`. */
  readonly fields: readonly Field[];
  readonly fieldsFrom: number;
}

export type DecodeAnswer = { readonly result: DecodeResult } | { readonly failure: 'too-many-lines' | Error };

/** The records from one offset to before another. */
export function partOf(batch: LineBatch, from: number, to: number): LineBatch {
  if (from === 0 && to === batch.count) return batch;
  return {
    ...batch,
    count: to - from,
    begins: batch.begins.subarray(from, to),
    ends: batch.ends.subarray(from, to),
    times: batch.times.subarray(from, to),
    firstMembers: batch.firstMembers.subarray(from, to + 1),
    records: (first = 0, end = to - from) => batch.records(from + first, from + end),
  };
}
