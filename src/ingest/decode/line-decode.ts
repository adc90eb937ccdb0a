// Lines of JSON as records that are stored as they came: in batches as far as lines are plain, one by one otherwise. A line that
// is no record is reported and left out; its neighbours are stored.

import { isUtf8 } from 'node:buffer';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import type { LineBatch, LogRecord } from '#logs/log-store.ts';
import { CARRIAGE_RETURN, type JsonRecords, LINE_FEED, type LineReader, linesBy, type Outcome } from './line.ts';
import { LONG_TEXT, type Reason } from './record.ts';

export interface Rejection {
  readonly line: number;
  readonly reason: Reason;
}

export interface LineLimits {
  readonly lineBytes: number;
  /** How many lines, rejected and blank ones included. */
  readonly lines: number;
  /** How many rejected lines are named. */
  readonly reported: number;
}

export interface DecodedLines {
  /** In the order of their lines. */
  readonly parts: readonly (readonly LogRecord[] | LineBatch)[];
  readonly accepted: number;
  readonly acceptedBytes: number;
  /** The first ones. */
  readonly rejected: readonly Rejection[];
  readonly rejectedCount: number;
  readonly rejectedBytes: number;
  /** All lines, blank ones too. */
  readonly lines: number;
}

/** There are more lines than there may be. */
export class LinesExceeded extends Error {}

export interface LineDecoding {
  readonly records: JsonRecords;
  readonly limits: LineLimits;
  /** Bytes that become one batch at most, between two slices. */
  readonly batchBytes: number;
  /** Gathers the offsets of all batches. */
  readonly into?: LineBatchBuilder;
}

/** Blank lines, and lines that are read one by one, between two slices. */
const SLICE_LINES = 4096;
const SLICE_SINGLE_LINES = 128;

/** Every line but the last one has an end. */
export function* decodeLines(bytes: Buffer, how: LineDecoding): SlicedWork<DecodedLines> {
  const { records, limits, batchBytes, into } = how;
  const decoded = new Gathered(limits);
  const reader = linesBy(records);
  const isKnownUtf8 = isUtf8(bytes);
  /** Behind the last line that the next batch may have. */
  let batchEnd = 0;
  let singleLines = 0;
  for (let from = 0; from < bytes.length; ) {
    if (decoded.lines % SLICE_LINES === SLICE_LINES - 1) yield;
    if (bytes[from] === LINE_FEED) {
      decoded.skip();
      from += 1;
      continue;
    }
    if (batchEnd <= from) batchEnd = bytes.lastIndexOf(LINE_FEED, from + batchBytes - 1) + 1;
    const isPlain = isKnownUtf8 && batchEnd > from;
    const lines = { bytes, begin: from, end: batchEnd, maxLineBytes: limits.lineBytes, ...(into ? { into } : {}) };
    const batch = isPlain ? records.scan(lines) : undefined;
    if (batch) {
      decoded.addBatch(batch);
      from = batch.ends[batch.count - 1] ?? bytes.length;
      yield;
      continue;
    }
    const found = bytes.indexOf(LINE_FEED, from);
    const end = found === -1 ? bytes.length : found;
    const contentEnd = bytes[end - 1] === CARRIAGE_RETURN && end > from ? end - 1 : end;
    decoded.add(contentEnd - from, yield* lineOf(reader, bytes, from, contentEnd, { limits, isKnownUtf8 }));
    from = end + 1;
    singleLines += 1;
    if (singleLines % SLICE_SINGLE_LINES === 0) yield;
  }
  return decoded;
}

function* lineOf(
  reader: LineReader,
  bytes: Buffer,
  from: number,
  end: number,
  { limits, isKnownUtf8 }: { limits: LineLimits; isKnownUtf8: boolean },
): SlicedWork<Outcome> {
  if (end - from > limits.lineBytes) return 'line-too-long';
  if (end - from > LONG_TEXT) return yield* reader.slices(bytes, from, end, isKnownUtf8);
  return reader.of(bytes, from, end, isKnownUtf8);
}

class Gathered implements DecodedLines {
  readonly parts: (LogRecord[] | LineBatch)[] = [];
  readonly rejected: Rejection[] = [];
  accepted = 0;
  acceptedBytes = 0;
  rejectedCount = 0;
  rejectedBytes = 0;
  lines = 0;
  readonly #limits: LineLimits;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  skip(lines = 1): void {
    this.lines += lines;
    if (this.lines > this.#limits.lines) throw new LinesExceeded('too many lines');
  }

  addBatch(batch: LineBatch): void {
    this.skip(batch.count);
    this.accepted += batch.count;
    this.acceptedBytes += contentBytes(batch);
    this.parts.push(batch);
  }

  /** Undefined stands for a blank line. */
  add(sizeBytes: number, outcome: Outcome): void {
    this.skip();
    if (outcome === undefined) return;
    if (typeof outcome === 'string') {
      this.rejectedCount += 1;
      this.rejectedBytes += sizeBytes;
      if (this.rejected.length < this.#limits.reported) this.rejected.push({ line: this.lines, reason: outcome });
      return;
    }
    this.accepted += 1;
    this.acceptedBytes += sizeBytes;
    const last = this.parts.at(-1);
    if (Array.isArray(last)) last.push(outcome);
    else this.parts.push([outcome]);
  }
}

/** Without the ends of the lines. */
function contentBytes({ bytes, begins, ends, count }: LineBatch): number {
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    const end = (ends[at] ?? 0) - 1;
    total += end - (begins[at] ?? 0) - (bytes[end - 1] === CARRIAGE_RETURN ? 1 : 0);
  }
  return total;
}
