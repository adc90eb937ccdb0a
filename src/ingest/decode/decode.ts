// Records of a pushed body. A line that is no record is reported and left out; its neighbours are stored.

import { isUtf8 } from 'node:buffer';
import { malformedBody, tooManyLines } from '#contract/errors.ts';
import type { Log, LogBatch } from '#ingest/intake.ts';
import type { BodyFormat } from '#ingest/pushes/pushed-body.ts';
import type { LogReader, LogReading } from '#ingest/reading/reader.ts';
import { elementRanges, trimBlanks } from '#kernel/json/json-bytes.ts';
import { isJsonSliced } from '#kernel/json/sliced-json.ts';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import {
  CARRIAGE_RETURN,
  JsonRecords,
  LINE_FEED,
  type LineReader,
  linesBy,
  type Outcome,
  withoutMark,
} from './line.ts';
import type { DecodedLines, LineLimits, Rejection } from './line-decode.ts';
import type { LineDecoder } from './line-decoder.ts';
import { type Arrival, LONG_TEXT, recordOf, recordSliced } from './record.ts';
import { RecordMemory } from './record-memory.ts';

/** After so long others get their turn. */
const SLICE_MS = 5;
/** Lines that are counted in between. */
const SLICE_LINES = 32 * 1024;
const LARGE_BYTES = 8 * 1024 * 1024;
/** Memory of records that is counted at once. */
const HELD_TOGETHER_BYTES = 64 * 1024;
const OPENING_BRACKET = 0x5b;
const RECORD_SEPARATOR = 0x1e;
/** An element up to so many bytes is checked at once. */
const CHECKED_AT_ONCE_BYTES = 64 * 1024;

/** No part of it may be read after it is disposed of. */
type Batch = LogBatch & Omit<DecodedLines, 'parts' | 'lines'> & Disposable;

interface Decoding {
  /** The logger or the table that they are pushed to. */
  readonly source: string;
  /** The table that they go to, where it is known. */
  readonly table?: TableSpec | undefined;
  readonly reader: LogReader;
  readonly lineDecoder: LineDecoder;
  readonly arrival: Arrival;
  readonly limits: PushLimits;
  /** Counts the memory of records; throws where there is none. */
  hold?(bytes: number): void;
  /** Aborts when the client has gone. */
  readonly gone?: AbortSignal;
}

/** Lines are elements, too: the setting `push-lines`. */
export interface PushLimits extends LineLimits {
  readonly bodyBytes: number;
}

interface Item {
  readonly line: number;
  readonly sizeBytes: number;
  /** Undefined for a line that is no record at all. */
  readonly outcome: LogReading | undefined;
}

/** Refuses a JSON body that is not well-formed as a whole, and one of too many lines. */
export async function decode(format: BodyFormat, bytes: Buffer, how: Decoding): Promise<Batch> {
  if (format === 'lines' && how.reader.keepsRecords) {
    return await how.lineDecoder.decode(withoutMark(bytes), how);
  }
  const records: Log[] = [];
  const rejected: Rejection[] = [];
  const totals = { acceptedBytes: 0, rejectedCount: 0, rejectedBytes: 0 };
  // To gather so many bytes was a piece of work itself.
  if (bytes.length > LARGE_BYTES) await nextTurn();
  const memory = new RecordMemory();
  let unheld = 0;
  const timer = new SliceTimer(SLICE_MS);
  for (const item of itemsOf(format, bytes, how)) {
    const outcome = item?.outcome instanceof Promise ? await item.outcome : item?.outcome;
    if (item && typeof outcome === 'string') {
      totals.rejectedCount += 1;
      totals.rejectedBytes += item.sizeBytes;
      if (rejected.length < how.limits.reported) rejected.push({ line: item.line, reason: outcome });
    } else if (item && typeof outcome === 'object') {
      totals.acceptedBytes += item.sizeBytes;
      records.push(outcome);
      unheld += memory.of(outcome);
    }
    if (unheld >= HELD_TOGETHER_BYTES) {
      how.hold?.(unheld);
      unheld = 0;
    }
    const pause = timer.yieldIfDue();
    if (!pause) continue;
    await pause;
    how.gone?.throwIfAborted();
  }
  return { parts: [records], accepted: records.length, rejected, ...totals, [Symbol.dispose]() {} };
}

/** An immediate would still be in the same turn of the event loop. */
function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, 0);
  return promise;
}

/** Undefined stands for work that has come to nothing yet. */
type Items = Generator<Item | undefined>;

function itemsOf(format: BodyFormat, bytes: Buffer, how: Decoding): Items {
  const body = withoutMark(bytes);
  if (format === 'json') return jsonItems(body, how);
  const { reader, arrival } = how;
  if (format === 'text') {
    const of = (line: string) => reader.of(line, arrival.at);
    function* slices(line: string): SlicedWork<LogReading> {
      // To make the text of a long line was a piece of work itself.
      yield;
      return of(line);
    }
    return lineItems(body, linesBy({ of, slices }), how.limits);
  }
  const records = new JsonRecords(arrival);
  function* slices(text: string): SlicedWork<LogReading | undefined> {
    return normalized(yield* records.slices(text), how);
  }
  if (format === 'lines') {
    return lineItems(body, linesBy({ of: (line) => normalized(records.of(line), how), slices }), how.limits);
  }
  // A sequence begins with a separator. Its texts may have several lines, which `records.of` does not expect.
  const texts = body[0] === RECORD_SEPARATOR ? body.subarray(1) : body;
  const read = linesBy({ of: (text) => runToEnd(slices(text)), slices });
  return lineItems(texts, read, how.limits, RECORD_SEPARATOR);
}

const normalized = (outcome: Outcome, { reader, arrival }: Decoding): LogReading | undefined =>
  typeof outcome === 'object' ? reader.normalized(outcome, arrival.at) : outcome;

function* lineItems(
  bytes: Buffer,
  reader: LineReader<LogReading | undefined>,
  limits: PushLimits,
  separator = LINE_FEED,
): Items {
  yield* requireLines(bytes, limits.lines, separator);
  const isKnownUtf8 = isUtf8(bytes);
  let line = 0;
  for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
    line += 1;
    end = from;
    // Empty lines are passed over quickly.
    if (bytes[from] === separator) continue;
    const found = bytes.indexOf(separator, from);
    end = found === -1 ? bytes.length : found;
    const contentEnd = withoutLineEnd(bytes, from, end);
    const sizeBytes = contentEnd - from;
    let outcome: Item['outcome'] = 'line-too-long';
    if (sizeBytes <= limits.lineBytes) {
      const isLong = sizeBytes > LONG_TEXT;
      outcome = isLong
        ? yield* reader.slices(bytes, from, contentEnd, isKnownUtf8)
        : reader.of(bytes, from, contentEnd, isKnownUtf8);
    }
    yield { line, sizeBytes, outcome };
  }
}

/** A line feed is there only in a sequence, where it is no separator. */
function withoutLineEnd(bytes: Buffer, from: number, end: number): number {
  const last = end > from && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return last > from && bytes[last - 1] === CARRIAGE_RETURN ? last - 1 : last;
}

/** Counted before anything is made of them: thousands of bytes may decompress to millions of lines. */
function* requireLines(bytes: Buffer, most: number, separator: number): Generator<undefined> {
  if (bytes.length <= most) return;
  let lines = 0;
  for (let from = 0; from < bytes.length; ) {
    lines += 1;
    if (lines > most) throw tooManyLines(most);
    if (lines % SLICE_LINES === 0) yield undefined;
    const end = bytes[from] === separator ? from : bytes.indexOf(separator, from);
    if (end === -1) return;
    from = end + 1;
  }
}

function* jsonItems(bytes: Buffer, how: Decoding): Items {
  yield undefined;
  const { from, end } = yield* trimBlanks(bytes, 0, bytes.length);
  if (bytes[from] !== OPENING_BRACKET) {
    yield* elementItem(bytes, { from, end, line: 1 }, how);
    return;
  }
  const body = bytes.subarray(0, end);
  yield* requireElements(body, from, how.limits.lines);
  let line = 0;
  for (const range of elementRanges(body, from)) {
    if (!range) {
      yield undefined;
      continue;
    }
    line += 1;
    yield* elementItem(body, { ...range, line }, how);
  }
}

function* requireElements(body: Buffer, start: number, most: number): Generator<undefined> {
  if (body.length <= most) return;
  let elements = 0;
  for (const range of elementRanges(body, start)) {
    if (range) elements += 1;
    else yield undefined;
    if (elements > most) throw tooManyLines(most);
  }
}

interface Element {
  readonly from: number;
  readonly end: number;
  readonly line: number;
}

function* elementItem(body: Buffer, { from, end, line }: Element, how: Decoding): Items {
  const { arrival, limits } = how;
  const sizeBytes = end - from;
  if (sizeBytes > limits.lineBytes) {
    yield undefined;
    // Read a byte to a letter, which is quicker and as safe: bytes that are no ASCII stand only inside of strings.
    const source = repairText(body.toString('latin1', from, end));
    yield undefined;
    yield* requireJson(source);
    yield { line, sizeBytes, outcome: 'line-too-long' };
    return;
  }
  const source = decodeUtf8(body.subarray(from, end));
  const found = sizeBytes > LONG_TEXT ? yield* recordSliced(source, arrival) : recordOf(source, arrival);
  if (typeof found === 'string') yield* requireJson(repairText(source));
  yield { line, sizeBytes, outcome: normalized(found, how) };
}

/** An element may be rejected for other reasons, but the body as a whole must be JSON. */
function* requireJson(source: string): Generator<undefined> {
  if (source.length > CHECKED_AT_ONCE_BYTES) {
    if (!(yield* isJsonSliced(source))) throw malformedBody();
    return;
  }
  try {
    JSON.parse(source);
  } catch (cause) {
    throw Object.assign(malformedBody(), { cause });
  }
}
