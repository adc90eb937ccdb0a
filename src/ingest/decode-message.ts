// Messages between the main thread and a thread that decodes lines. Places of records and the bytes are handed over without
// a copy; a list of fields is sent once and then grows on both sides.

import type { Field, LogRecord, RecordRun } from '#engines/engine.ts';
import type { DecodedLines, LineLimits } from './line-decode.ts';
import type { Arrival } from './record.ts';
import type { RunPlaces } from './run-builder.ts';

export interface DecodeOrder {
  readonly id: number;
  /** Lines of one source mostly have the same names. */
  readonly source: string;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  /** Every line has an end. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Which fields of the source the main thread knows. */
  readonly known: KnownFields;
}

/** The answer is no longer wanted. */
export interface DecodeCancel {
  readonly cancelled: number;
}

export interface KnownFields {
  /** Of the scanner that has found them. */
  readonly serial: number;
  readonly count: number;
}

export interface DecodeResult extends Omit<DecodedLines, 'parts'> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of all records of runs. */
  readonly places: RunPlaces;
  /** Records by themselves, and between them the number of records of runs. */
  readonly sequence: readonly (number | readonly LogRecord[])[];
  readonly serial: number;
  /** All behind the first `fieldsFrom`. */
  readonly fields: readonly Field[];
  readonly fieldsFrom: number;
}

export type DecodeAnswer =
  | { readonly id: number; readonly result: DecodeResult }
  | { readonly id: number; readonly failure: 'too-many-lines' | Error };

export function placesOf(runs: readonly RecordRun[]): RunPlaces {
  const [only] = runs;
  if (only && runs.length === 1) {
    const { count, begins, ends, times, firstMembers, memberBegins, memberEnds, memberFields } = only;
    return { count, begins, ends, times, firstMembers, memberBegins, memberEnds, memberFields };
  }
  const total = (of: (run: RecordRun) => number) => runs.reduce((sum, run) => sum + of(run), 0);
  const [count, members] = [total((run) => run.count), total((run) => run.memberFields.length)];
  const places = {
    count,
    begins: new Uint32Array(count),
    ends: new Uint32Array(count),
    times: new Float64Array(count),
    firstMembers: new Uint32Array(count + 1),
    memberBegins: new Uint32Array(members),
    memberEnds: new Uint32Array(members),
    memberFields: new Uint16Array(members),
  };
  let [record, member] = [0, 0];
  for (const run of runs) {
    places.begins.set(run.begins, record);
    places.ends.set(run.ends, record);
    places.times.set(run.times, record);
    for (let at = 0; at <= run.count; at += 1) places.firstMembers[record + at] = member + (run.firstMembers[at] ?? 0);
    places.memberBegins.set(run.memberBegins, member);
    places.memberEnds.set(run.memberEnds, member);
    places.memberFields.set(run.memberFields, member);
    record += run.count;
    member += run.memberFields.length;
  }
  return places;
}

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
    records: () => run.records().slice(from, to),
  };
}
