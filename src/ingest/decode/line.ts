// Lines of bytes as records. Blank lines are no logs.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import { LineScanner, type Lines } from '#logs/lines/line-scanner.ts';
import type { LineBatch, LogRecord } from '#logs/log-store.ts';
import { SharedShapes } from '#logs/shared-shapes.ts';
import { type Arrival, type Reason, recordOf, recordSliced } from './record.ts';

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export type Outcome = LogRecord | Reason | undefined;

/** Reads what stands from one byte to before another. `isKnownUtf8` says that all bytes around it are known to be UTF-8. */
export interface LineReader<O = Outcome> {
  of(bytes: Buffer, from: number, end: number, isKnownUtf8: boolean): O | Reason | undefined;
  /** For a line of more than `LONG_TEXT` bytes. */
  slices(bytes: Buffer, from: number, end: number, isKnownUtf8: boolean): SlicedWork<O | Reason | undefined>;
}

/** Makes records of JSON texts. */
export class JsonRecords {
  readonly #arrival: Arrival;
  #given: LineScanner | undefined;
  readonly #shapes = new SharedShapes();

  /** A scanner that has seen lines like these is quicker than a new one. */
  constructor(arrival: Arrival, scanner?: LineScanner) {
    this.#arrival = arrival;
    this.#given = scanner;
  }

  /** Made with the first line: most readers of pushes see none, and it has a third of a megabyte. */
  get #scanner(): LineScanner {
    this.#given ??= new LineScanner(this.#arrival.zone);
    return this.#given;
  }

  /** As many records as follow each other; undefined when the first line has to be looked at alone. */
  scan(lines: Omit<Lines, 'arrival'>): LineBatch | undefined {
    return this.#scanner.scan({ ...lines, arrival: this.#arrival.at });
  }

  /** Undefined for a blank text. */
  of(line: string, at = this.#arrival.at): LogRecord | Reason | undefined {
    const known = this.#scanner.record(line, at);
    if (known) return known;
    const text = line.trim();
    return text === '' ? undefined : this.#shared(recordOf(text, { ...this.#arrival, at }));
  }

  /** The same of a long line. */
  *slices(line: string, at = this.#arrival.at): SlicedWork<LogRecord | Reason | undefined> {
    const text = line.trim();
    return text === '' ? undefined : this.#shared(yield* recordSliced(text, { ...this.#arrival, at }));
  }

  #shared(outcome: LogRecord | Reason): LogRecord | Reason {
    return typeof outcome === 'string' ? outcome : { ...outcome, shape: this.#shapes.of(outcome.shape) };
  }
}

/** Makes something of a line of text, at once or in slices. A NUL stands for bytes that are not UTF-8, too. */
export interface TextReader<O = Outcome> {
  of(line: string): O;
  slices(line: string): SlicedWork<O>;
}

export function linesBy<O>(reader: TextReader<O>): LineReader<O> {
  const textOf = (bytes: Buffer, from: number, end: number, isKnownUtf8: boolean) =>
    isKnownUtf8 ? bytes.toString('utf8', from, end) : decodeUtf8(bytes.subarray(from, end));
  return {
    of: (bytes, from, end, isKnownUtf8) =>
      from === end ? undefined : reader.of(textOf(bytes, from, end, isKnownUtf8)),
    slices: (bytes, from, end, isKnownUtf8) => reader.slices(textOf(bytes, from, end, isKnownUtf8)),
  };
}

/** Of what a parser made the JSON is not for the sender to mend. */
export const asParsed = (outcome: LogRecord | Reason | undefined): LogRecord | Reason =>
  outcome === undefined || (typeof outcome === 'string' && outcome !== 'invalid-time') ? 'parse-failed' : outcome;

/** Without the mark that some programs write at the beginning of a file. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}
