// What was pushed, as records. A bad line is named and left out; its neighbours are kept.

import { isUtf8 } from 'node:buffer';
import { bodyTooLarge, malformedBody } from '#contract/errors.ts';
import type { LogRecord } from '#engines/engine.ts';
import type { Content } from '#http/endpoint.ts';
import { scanArray } from '#kernel/json-members.ts';
import type { Log } from './intake.ts';
import { CARRIAGE_RETURN, JsonRecords, jsonLines, LINE_FEED, type LineReader, textLines, withoutMark } from './line.ts';
import type { LogReader } from './reader.ts';
import { type Arrival, type Reason, recordOf } from './record.ts';

/** A body of nothing but `{}` would otherwise become twenty million records. */
const RECORDS_MOST = 1_000_000;
/** After so long others get their turn. The clock is looked at after so many bytes; a line costs more than its bytes. */
const TURN_MS = 5;
const LOOK_BYTES = 32 * 1024;
const LINE_COST_BYTES = 100;

export interface Batch {
  readonly records: readonly Log[];
  readonly acceptedBytes: number;
  /** The first thousand. */
  readonly rejected: readonly Rejection[];
  readonly rejectedCount: number;
  readonly rejectedBytes: number;
}

export interface Rejection {
  readonly line: number;
  readonly reason: Reason;
}

export interface Decoding {
  /** Of the logger that they are pushed to. */
  readonly reader: LogReader;
  readonly arrival: Arrival;
  readonly limits: PushLimits;
}

export interface PushLimits {
  readonly bodyBytes: number;
  readonly lineBytes: number;
  /** How many rejected lines are named. */
  readonly reported: number;
}

interface Item {
  readonly line: number;
  readonly sizeBytes: number;
  /** Undefined for a line that is no record at all. */
  readonly outcome: Log | Reason | undefined;
}

export const PUSHED_TYPES = ['application/x-ndjson', 'application/json', 'text/plain'] as const;

/** Refuses a JSON body that is not well-formed as a whole, and one of too many records. */
export async function decode({ type, bytes }: Content, how: Decoding): Promise<Batch> {
  const records: Log[] = [];
  const rejected: Rejection[] = [];
  const totals = { acceptedBytes: 0, rejectedCount: 0, rejectedBytes: 0 };
  let unlooked = 0;
  let begun = performance.now();
  for (const { line, sizeBytes, outcome } of itemsOf(type, bytes, how)) {
    if (typeof outcome === 'string') {
      totals.rejectedCount += 1;
      totals.rejectedBytes += sizeBytes;
      if (rejected.length < how.limits.reported) rejected.push({ line, reason: outcome });
    } else if (outcome) {
      totals.acceptedBytes += sizeBytes;
      if (records.push(outcome) > RECORDS_MOST) throw bodyTooLarge(how.limits.bodyBytes);
    }
    unlooked += sizeBytes + LINE_COST_BYTES;
    if (unlooked < LOOK_BYTES) continue;
    unlooked = 0;
    if (performance.now() - begun < TURN_MS) continue;
    await new Promise(setImmediate);
    begun = performance.now();
  }
  return { records, rejected, ...totals };
}

function itemsOf(type: string, bytes: Buffer, how: Decoding): Generator<Item> {
  const body = withoutMark(bytes);
  if (type === 'application/json') return jsonItems(body, how);
  const { reader, arrival, limits } = how;
  if (type === 'text/plain') {
    const read = textLines((line) => reader.of(line, arrival.at));
    return lineItems(body, read, limits.lineBytes);
  }
  const read = jsonLines(new JsonRecords(arrival));
  const outcomeOf: LineReader = (...line) => normalized(read(...line), how);
  return lineItems(body, outcomeOf, limits.lineBytes);
}

const normalized = <T extends string | undefined>(outcome: LogRecord | T, { reader, arrival }: Decoding): Log | T =>
  typeof outcome === 'object' ? reader.normalized(outcome, arrival.at) : outcome;

function* lineItems(bytes: Buffer, outcomeOf: LineReader, lineBytes: number): Generator<Item> {
  const isSound = isUtf8(bytes);
  let line = 0;
  for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
    line += 1;
    end = from;
    // Millions of empty lines are passed over quickly.
    if (bytes[from] === LINE_FEED) continue;
    const found = bytes.indexOf(LINE_FEED, from);
    end = found === -1 ? bytes.length : found;
    const contentEnd = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    const sizeBytes = contentEnd - from;
    const outcome = sizeBytes > lineBytes ? 'line-too-long' : outcomeOf(bytes, from, contentEnd, isSound);
    yield { line, sizeBytes, outcome };
  }
}

function* jsonItems(bytes: Buffer, how: Decoding): Generator<Item> {
  if (!isUtf8(bytes)) throw malformedBody();
  const text = bytes.toString().trim();
  const { arrival, limits } = how;
  let line = 0;
  for (const source of text.startsWith('[') ? scanArray(text) : [text]) {
    line += 1;
    const sizeBytes = Buffer.byteLength(source);
    const outcome = sizeBytes > limits.lineBytes ? 'line-too-long' : normalized(recordOf(source, arrival), how);
    if (typeof outcome === 'string') requireJson(source);
    yield { line, sizeBytes, outcome };
  }
}

/** An element may be rejected for other reasons, but the body as a whole must be JSON. */
function requireJson(source: string): void {
  try {
    JSON.parse(source);
  } catch (cause) {
    throw Object.assign(malformedBody(), { cause });
  }
}
