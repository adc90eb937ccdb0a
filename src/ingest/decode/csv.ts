// Comma-separated values after RFC 4180, out of pieces of any size. A quoted value may hold line ends, so one wrong quote
// could swallow the rest of a file; therefore what cannot be read costs its first line alone, and reading goes on with
// the next.

import { isUtf8 } from 'node:buffer';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { markMalformed } from '#kernel/text/utf8.ts';
import { CARRIAGE_RETURN, LINE_FEED, withoutMark } from './line.ts';
import type { Reason } from './record.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;

export interface CsvRow {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly sizeBytes: number;
  /** Undefined for a value that is empty and not quoted. */
  readonly values: readonly (string | undefined)[] | Reason;
}

interface Scanned {
  readonly values: readonly (string | undefined)[];
  /** Where the row ends, and where the next begins. */
  readonly end: number;
  readonly next: number;
}

/** What was read, if that is a row, and where to go on; undefined when more bytes are needed to tell. */
type Step = { readonly row?: CsvRow; readonly next: number } | undefined;

/** Of a long row the work is handed back. */
type TakeRow = (row: CsvRow) => SlicedWork<void> | undefined;

/** Between two slices; a row costs more than its bytes. */
const SLICE_BYTES = 64 * 1024;
const STEP_COST_BYTES = 100;

export class CsvSplitter {
  readonly #mostBytes: number;
  #line = 1;
  /** What begins with the first row that has not been read. */
  #held: Buffer = Buffer.alloc(0);
  /** Whether the end of a line is looked for that is too long. */
  #isPassing = false;
  #isBegun = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  *push(piece: Buffer, take: TakeRow): SlicedWork<void> {
    this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    yield* this.#rows(false, take);
  }

  *end(take: TakeRow): SlicedWork<void> {
    yield* this.#rows(true, take);
  }

  *#rows(isEnd: boolean, take: TakeRow): SlicedWork<void> {
    if (!this.#begin(isEnd)) {
      this.#held = Buffer.from(this.#held);
      return;
    }
    const bytes = this.#held;
    let from = 0;
    let unlooked = 0;
    while (from < bytes.length) {
      const step = this.#isPassing ? this.#pass(bytes, from) : this.#step(bytes, from, isEnd);
      if (step === undefined) break;
      const work = step.row && take(step.row);
      if (work) yield* work;
      unlooked += step.next - from + STEP_COST_BYTES;
      from = step.next;
      if (unlooked < SLICE_BYTES) continue;
      unlooked = 0;
      yield;
    }
    // The piece is given back to its owner.
    this.#held = Buffer.from(bytes.subarray(from));
  }

  /** The mark at the beginning of a file is known when three bytes are. */
  #begin(isEnd: boolean): boolean {
    if (this.#isBegun) return true;
    if (this.#held.length < 3 && !isEnd) return false;
    this.#isBegun = true;
    this.#held = withoutMark(this.#held);
    return true;
  }

  #step(bytes: Buffer, from: number, isEnd: boolean): Step {
    const scanned = scanRow(bytes, from, isEnd);
    if (scanned === 'malformed') return this.#refuseLine(bytes, from, isEnd);
    // What is not over yet may end with the first half of a line end.
    const sizeBytes = scanned ? scanned.end - from : bytes.length - from - 1;
    if (sizeBytes > this.#mostBytes) return this.#refuseLine(bytes, from, isEnd);
    if (!scanned) return undefined;
    const { values, end, next } = scanned;
    const line = this.#line;
    this.#line += lineEndsIn(bytes, from, next);
    // A line of nothing is no row.
    if (end === from) return { next };
    const content = bytes.subarray(from, end);
    return { row: { line, sizeBytes, values: isUtf8(content) ? values : markedValues(content) }, next };
  }

  /** What begins at `from` is no row: its first line is given up. */
  #refuseLine(bytes: Buffer, from: number, isEnd: boolean): Step {
    const found = bytes.indexOf(LINE_FEED, from);
    const end = found === -1 ? bytes.length : found;
    const isHalfEnded = bytes[end - 1] === CARRIAGE_RETURN && end > from;
    const sizeBytes = isHalfEnded ? end - from - 1 : end - from;
    const isLong = sizeBytes > this.#mostBytes;
    if (found === -1 && !isEnd && !isLong) return undefined;
    const row: CsvRow = { line: this.#line, sizeBytes, values: isLong ? 'line-too-long' : 'parse-failed' };
    if (found === -1) this.#isPassing = true;
    else this.#line += 1;
    return { row, next: found === -1 ? end : end + 1 };
  }

  /** The rest of a line that has been refused already. */
  #pass(bytes: Buffer, from: number): Step {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end === -1) return { next: bytes.length };
    this.#isPassing = false;
    this.#line += 1;
    return { next: end + 1 };
  }
}

/** Undefined when the row goes on beyond `bytes`, unless that is the end of all. */
function scanRow(bytes: Buffer, from: number, isEnd: boolean): Scanned | 'malformed' | undefined {
  const lineEnd = bytes.indexOf(LINE_FEED, from);
  if (lineEnd === -1 && !isEnd) return undefined;
  const end = lineEnd === -1 ? bytes.length : lineEnd;
  const line = bytes.subarray(from, end);
  if (line.includes(QUOTE)) return scanQuoted(bytes, from, isEnd);
  const row = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  // Line ends of another kind would make one row of them all.
  if (row.includes(CARRIAGE_RETURN)) return 'malformed';
  const values = row
    .toString()
    .split(',')
    .map((value) => (value === '' ? undefined : value));
  return { values, end: from + row.length, next: Math.min(end + 1, bytes.length) };
}

/** The values of a row that is not UTF-8, with a NUL for each malformed sequence: its marks are those of the bytes. */
function markedValues(row: Buffer): CsvRow['values'] {
  const scanned = scanRow(markMalformed(row), 0, true);
  return typeof scanned === 'object' ? scanned.values : 'parse-failed';
}

function scanQuoted(bytes: Buffer, from: number, isEnd: boolean): Scanned | 'malformed' | undefined {
  const values: (string | undefined)[] = [];
  for (let at = from; ; ) {
    const value = bytes[at] === QUOTE ? quotedValue(bytes, at, isEnd) : plainValue(bytes, at, isEnd);
    if (value === undefined || value === 'malformed') return value;
    values.push(value.text);
    if (bytes[value.end] === COMMA) {
      at = value.end + 1;
      continue;
    }
    const next = bytes[value.end] === CARRIAGE_RETURN ? value.end + 2 : value.end + 1;
    return { values, end: value.end, next: Math.min(next, bytes.length) };
  }
}

/** A value and the place of what ended it: a comma, a line end or the end of all. */
interface Value {
  readonly text: string | undefined;
  readonly end: number;
}

function quotedValue(bytes: Buffer, at: number, isEnd: boolean): Value | 'malformed' | undefined {
  let close = bytes.indexOf(QUOTE, at + 1);
  while (close !== -1 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2);
  if (close === -1) return isEnd ? 'malformed' : undefined;
  const end = close + 1;
  // The next byte may double the quote, or be the first half of a line end.
  if (!isEnd && end + 1 >= bytes.length) return undefined;
  if (!isValueEnd(bytes, end)) return 'malformed';
  return { text: bytes.toString('utf8', at + 1, close).replaceAll('""', '"'), end };
}

function plainValue(bytes: Buffer, at: number, isEnd: boolean): Value | 'malformed' | undefined {
  let end = at;
  while (end < bytes.length && bytes[end] !== COMMA && bytes[end] !== LINE_FEED && bytes[end] !== QUOTE) end += 1;
  if (end === bytes.length && !isEnd) return undefined;
  if (bytes[end] === QUOTE) return 'malformed';
  if (bytes[end] === LINE_FEED && end > at && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
  return { text: end === at ? undefined : bytes.toString('utf8', at, end), end };
}

function isValueEnd(bytes: Buffer, at: number): boolean {
  if (at >= bytes.length || bytes[at] === COMMA || bytes[at] === LINE_FEED) return true;
  return bytes[at] === CARRIAGE_RETURN && (at + 1 >= bytes.length || bytes[at + 1] === LINE_FEED);
}

function lineEndsIn(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED, from); at !== -1 && at < to; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
