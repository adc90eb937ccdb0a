// Messages between the main thread and a thread that decodes lines. Lines and files are in memory that both share, places of records
// are handed over without a copy; a list of fields is sent once and then grows on both sides.

import type { DecodedLines, LineLimits } from '#ingest/decode/line-decode.ts';
import type { Arrival } from '#ingest/decode/record.ts';
import type { RunPlaces } from '#logs/lines/run-builder.ts';
import type { Field, LogRecord, RecordRun } from '#logs/log-store.ts';
import type { WrittenRunFile } from '#logs/parquet/run-file.ts';

/** Lines that are scanned at once: about a millisecond of work. */
export const RUN_BYTES = 256 * 1024;

/** Lines, each with an end: in a slot, or handed over where they are too many for one. */
export type OrderedLines = { readonly memory: SharedArrayBuffer; readonly bytes: number } | Uint8Array<ArrayBuffer>;

export interface DecodeOrder extends RunOrder {
  /** Lines of one source mostly have the same names. */
  readonly source: string;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  readonly lines: OrderedLines;
}

/** What a thread is told about the run that it is to make of the records of a source. */
export interface RunOrder {
  /** Which fields of the source the main thread knows. */
  readonly known: KnownFields;
  /** Columns of the known fields, for a file of the records in the slot; see `FileColumns`. */
  readonly numbers?: Uint16Array<ArrayBuffer>;
  /** `FileLeaves` of the table as JSON, with `numbers`. */
  readonly leaves?: string;
  /** Whether places are needed beside a file. */
  readonly wantsPlaces: boolean;
}

export interface KnownFields {
  /** Of the scanner that has found them. */
  readonly serial: number;
  readonly count: number;
}

export interface DecodeResult extends Omit<DecodedLines, 'parts'>, RunAnswer {
  /** Lines that were handed over. */
  readonly handedBack: Uint8Array<ArrayBuffer> | undefined;
  /** Records by themselves, and between them the number of records of runs. */
  readonly sequence: readonly (number | readonly LogRecord[])[];
}

/** The records of a run, as a thread tells of them. */
export interface RunAnswer {
  /** Of all records of runs; absent where there is a file of all records and they were not asked for. */
  readonly places: RunPlaces | undefined;
  readonly file: WrittenRunFile | undefined;
  readonly serial: number;
  /** All behind the first `fieldsFrom`. */
  readonly fields: readonly Field[];
  readonly fieldsFrom: number;
}

export type DecodeAnswer = { readonly result: DecodeResult } | { readonly failure: 'too-many-lines' | Error };

/** The records from one place to before another. */
export function partOf(run: RecordRun, from: number, to: number): RecordRun {
  if (from === 0 && to === run.count) return run;
  return {
    ...run,
    count: to - from,
    begins: run.begins.subarray(from, to),
    ends: run.ends.subarray(from, to),
    times: run.times.subarray(from, to),
    firstMembers: run.firstMembers.subarray(from, to + 1),
    records: (first = 0, end = to - from) => run.records(from + first, from + end),
  };
}
