// A file that was uploaded, as blocks of records. It is read and decoded a piece at a time: memory does not grow with the
// file, and others get their turn after every piece. A bad line is named and left out; its neighbours are kept.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LogRecord } from '#engines/engine.ts';
import { type CsvRow, CsvSplitter } from './csv.ts';
import type { Rejection } from './decode.ts';
import { asParsed, JsonRecords, jsonLines, textLines } from './line.ts';
import { type LineSink, LineSplitter } from './line-splitter.ts';
import { TEXT_PARSER } from './parsers.ts';
import type { Arrival, Reason } from './record.ts';

export const UPLOAD_FORMATS = ['ndjson', 'csv', 'text'] as const;
export type UploadFormat = (typeof UPLOAD_FORMATS)[number];

const BLOCK_BYTES = 4 * 1024 * 1024;
const UNFOLDED_PIECE_BYTES = 256 * 1024;

export interface UploadDecoding {
  readonly format: UploadFormat;
  readonly isGzip: boolean;
  readonly lineLimitBytes: number;
  readonly arrival: Arrival;
}

export interface Block {
  readonly records: readonly LogRecord[];
  readonly rejected: readonly Rejection[];
}

/** What the file says it is compressed with does not fit together. */
export class WrongGzip extends Error {}

export async function* decodeUpload(bytes: AsyncIterable<Buffer>, how: UploadDecoding): AsyncGenerator<Block> {
  let records: LogRecord[] = [];
  let rejected: Rejection[] = [];
  let sizeBytes = 0;
  const items = itemsFor(how, (line, lineBytes, outcome) => {
    sizeBytes += lineBytes;
    if (typeof outcome === 'string') rejected.push({ line, reason: outcome });
    else if (outcome) records.push(outcome);
  });
  for await (const piece of how.isGzip ? unfolded(bytes) : bytes) {
    items.push(piece);
    // What a stream has at hand it gives without a turn of the event loop.
    await new Promise(setImmediate);
    if (sizeBytes < BLOCK_BYTES) continue;
    yield { records, rejected };
    [records, rejected, sizeBytes] = [[], [], 0];
  }
  items.end();
  yield { records, rejected };
}

async function* unfolded(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: UNFOLDED_PIECE_BYTES });
  // Its failure is met below, by whoever reads what comes out.
  pipeline(Readable.from(bytes), gunzip).catch(() => undefined);
  try {
    yield* gunzip;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw code.startsWith('Z_') ? new WrongGzip('wrong gzip data', { cause }) : cause;
  }
}

/** Told of every line. A function and no object each, because there are so many of them. */
type Sink = (line: number, sizeBytes: number, outcome: LogRecord | Reason | undefined) => void;

interface Items {
  push(piece: Buffer): void;
  end(): void;
}

function itemsFor({ format, lineLimitBytes, arrival }: UploadDecoding, sink: Sink): Items {
  if (format === 'csv') return new CsvItems(lineLimitBytes, arrival, sink);
  const outcomeOf = format === 'text' ? textLines(TEXT_PARSER, arrival) : jsonLines(arrival);
  const lines = new LineSplitter(lineLimitBytes);
  const told: LineSink = {
    line: (number, bytes, from, end, isSound) => sink(number, end - from, outcomeOf(bytes, from, end, isSound)),
    tooLong: (number, sizeBytes) => sink(number, sizeBytes, 'line-too-long'),
  };
  return { push: (piece) => lines.push(piece, told), end: () => lines.end(told) };
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

  push(piece: Buffer): void {
    this.#rows.push(piece, this.#take);
  }

  end(): void {
    this.#rows.end(this.#take);
  }

  readonly #take = ({ line, sizeBytes, values }: CsvRow): void => {
    const isFirst = this.#columns === undefined;
    this.#columns ??= columnsOf(values);
    this.#sink(line, sizeBytes, isFirst ? this.#named() : this.#outcome(values));
  };

  #named(): Reason | undefined {
    return this.#columns === 'wrong' ? 'parse-failed' : undefined;
  }

  #outcome(values: CsvRow['values']): LogRecord | Reason {
    if (typeof values === 'string') return values;
    const columns = this.#columns;
    if (!columns || columns === 'wrong' || values.length !== columns.length) return 'parse-failed';
    const members = columns.flatMap((column, index) => memberOf(column, values[index]));
    return asParsed(this.#records.of(`{${members.join(',')}}`));
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
