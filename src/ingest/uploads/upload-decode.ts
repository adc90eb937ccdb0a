// An uploaded file as blocks of records. It is read and decoded chunk by chunk: memory does not grow with the file, and the
// event loop is free after every chunk. A line that is no record is reported and left out; its neighbours are stored.

import { type CsvRow, CsvSplitter } from '#ingest/decode/csv.ts';
import { asParsed, JsonRecords, linesBy, type Outcome, type TextReader } from '#ingest/decode/line.ts';
import type { Rejection } from '#ingest/decode/line-decode.ts';
import { type LineSink, LineSplitter } from '#ingest/decode/line-splitter.ts';
import { type Arrival, LONG_TEXT, type Reason } from '#ingest/decode/record.ts';
import { markRepaired } from '#ingest/decode/repair.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import type { LineBatch, LogRecord } from '#logs/log-store.ts';
import { RowRecords } from '#logs/row-record.ts';
import { eventLoop, yieldToEventLoop } from '#runtime/event-loop.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';

export const UPLOAD_FORMATS = ['ndjson', 'csv', 'text'] as const;
export type UploadFormat = (typeof UPLOAD_FORMATS)[number];

const BLOCK_BYTES = 4 * 1024 * 1024;
/** Each takes memory, however short its line. */
const REJECTION_COST_BYTES = 100;

interface UploadDecoding {
  /** Lines of JSON are decoded in threads, see upload-lines.ts. */
  readonly format: Exclude<UploadFormat, 'ndjson'>;
  readonly lineLimitBytes: number;
  readonly arrival: Arrival;
}

export interface Block {
  /** In the order of their lines. */
  readonly batches: readonly (readonly LogRecord[] | LineBatch)[];
  readonly accepted: number;
  /** As many as are named. */
  readonly rejected: readonly Rejection[];
  readonly rejectedCount: number;
  /** Gives its memory back: none of its batches may be read afterwards. */
  release(): void;
}

export async function* decodeUpload(bytes: AsyncIterable<Buffer>, how: UploadDecoding): AsyncGenerator<Block> {
  let block = new Gathered();
  const items = itemsFor(how, {
    line: (line, sizeBytes, outcome) => block.add(line, sizeBytes, outcome),
  });
  for await (const piece of bytes) {
    block.pieces.push(piece);
    await eventLoop.runInSlots(items.push(piece));
    // What a stream has at hand it gives without a turn of the event loop.
    await yieldToEventLoop();
    if (block.sizeBytes < BLOCK_BYTES) continue;
    yield block;
    block = new Gathered();
  }
  await eventLoop.runInSlots(items.end());
  yield block;
}

class Gathered implements Block {
  readonly batches: LogRecord[][] = [[]];
  readonly rejected: Rejection[] = [];
  /** What its batches were found in. */
  readonly pieces: Buffer[] = [];
  accepted = 0;
  sizeBytes = 0;

  add(line: number, sizeBytes: number, outcome: LogRecord | Reason | undefined): void {
    this.sizeBytes += sizeBytes;
    if (typeof outcome === 'string') {
      this.sizeBytes += REJECTION_COST_BYTES;
      this.rejected.push({ line, reason: outcome });
    }
    if (typeof outcome !== 'object') return;
    this.accepted += 1;
    this.batches[0]?.push(outcome);
  }

  get rejectedCount(): number {
    return this.rejected.length;
  }

  release(): void {
    for (const piece of this.pieces) releaseBytes(piece);
  }
}

/** Told of every line. No object for each, because there are so many of them. */
interface Sink {
  line(line: number, sizeBytes: number, outcome: LogRecord | Reason | undefined): void;
}

interface Items {
  push(piece: Buffer): SlicedWork<void>;
  end(): SlicedWork<void>;
}

function itemsFor({ format, lineLimitBytes, arrival }: UploadDecoding, sink: Sink): Items {
  if (format === 'csv') return new CsvItems(lineLimitBytes, arrival, sink);
  const lines = new LineSplitter(lineLimitBytes);
  const reader = linesBy(plainText(arrival));
  const told: LineSink = {
    line: (number, bytes, from, end, isKnownUtf8) => {
      if (end - from > LONG_TEXT)
        return longLine(number, end - from, reader.slices(bytes, from, end, isKnownUtf8), sink);
      sink.line(number, end - from, reader.of(bytes, from, end, isKnownUtf8));
      return undefined;
    },
    tooLong: (number, sizeBytes) => sink.line(number, sizeBytes, 'line-too-long'),
  };
  return { push: (piece) => lines.push(piece, told), end: () => lines.end(told) };
}

function* longLine(number: number, sizeBytes: number, work: SlicedWork<Outcome>, sink: Sink): SlicedWork<void> {
  sink.line(number, sizeBytes, yield* work);
}

/** A line as the field `line`. */
function plainText({ at }: Arrival): TextReader {
  const records = new RowRecords();
  const of = (line: string) => {
    const text = repairText(line);
    const record = records.of([['line', text]], at);
    return text === line ? record : markRepaired(record);
  };
  return {
    of,
    *slices(line) {
      yield;
      return of(line);
    },
  };
}

/** The first row names the columns. Where it does not, no other row can be read either. */
class CsvItems implements Items {
  readonly #rows: CsvSplitter;
  readonly #records: JsonRecords;
  readonly #sink: Sink;
  #columns: readonly Column[] | 'wrong' | undefined;

  constructor(lineLimitBytes: number, arrival: Arrival, sink: Sink) {
    this.#rows = new CsvSplitter(lineLimitBytes);
    this.#records = new JsonRecords(arrival);
    this.#sink = sink;
  }

  push(piece: Buffer): SlicedWork<void> {
    return this.#rows.push(piece, this.#take);
  }

  end(): SlicedWork<void> {
    return this.#rows.end(this.#take);
  }

  readonly #take = ({ line, sizeBytes, values }: CsvRow): SlicedWork<void> | undefined => {
    const told = (outcome: Outcome) => void this.#sink.line(line, sizeBytes, outcome);
    const members = this.#columns === undefined ? this.#named(values) : this.#members(values, this.#columns);
    if (!Array.isArray(members)) return told(members);
    const text = `{${members.join(',')}}`;
    if (text.length > LONG_TEXT) return longLine(line, sizeBytes, this.#slices(text), this.#sink);
    return told(asParsed(this.#records.of(text)));
  };

  #named(values: CsvRow['values']): Reason | undefined {
    this.#columns = columnsOf(values);
    return this.#columns === 'wrong' ? 'parse-failed' : undefined;
  }

  #members(values: CsvRow['values'], columns: readonly Column[] | 'wrong'): string[] | Reason {
    if (typeof values === 'string') return values;
    if (columns === 'wrong' || values.length !== columns.length) return 'parse-failed';
    return columns.flatMap((column, index) => memberOf(column, values[index]));
  }

  *#slices(text: string): SlicedWork<Outcome> {
    yield;
    return asParsed(yield* this.#records.slices(text));
  }
}

interface Column {
  /** As JSON. */
  readonly key: string;
  readonly isTime: boolean;
}

function columnsOf(values: CsvRow['values']): readonly Column[] | 'wrong' {
  if (typeof values === 'string') return 'wrong';
  const names = values.filter((name) => name !== undefined);
  const isWhole = names.length === values.length && new Set(names).size === names.length && !names.includes('');
  return isWhole ? names.map((name) => ({ key: JSON.stringify(name), isTime: name === '_time' })) : 'wrong';
}

/** Values are text; only a time may also be the number of milliseconds since 1970. */
function memberOf({ key, isTime }: Column, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return [`${key}:${isTime && /^-?\d{1,16}$/.test(value) ? BigInt(value) : JSON.stringify(value)}`];
}
