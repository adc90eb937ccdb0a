// Rows of a lookup out of a body or an upload: CSV whose first row names the columns, a JSON array of objects, or one object a
// line. All or nothing: the first wrong row ends the reading.

import { isUtf8 } from 'node:buffer';
import { malformedBody, tooManyLines, wrongLookupRow } from '#contract/errors.ts';
import { type CsvRow, CsvSplitter } from '#ingest/decode/csv.ts';
import { withoutMark } from '#ingest/decode/line.ts';
import { LineSplitter } from '#ingest/decode/line-splitter.ts';
import { elementRanges, trimBlanks } from '#kernel/json/json-bytes.ts';
import { isJsonSliced } from '#kernel/json/sliced-json.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isStorableText } from '#kernel/text/storable-text.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { strictJson } from '#query/values/formats/strict-json.ts';
import { eventLoop } from '#runtime/event-loop.ts';

export const LOOKUP_FORMATS = ['ndjson', 'csv', 'json'] as const;
export type LookupFormat = (typeof LOOKUP_FORMATS)[number];

interface LookupDecoding {
  readonly format: LookupFormat;
  readonly columns: readonly string[];
  readonly key: string;
  readonly lineBytes: number;
  /** Most rows; all where absent. */
  readonly maxRows?: number;
}

const OPENING_BRACKET = 0x5b;
/** Rows that are handed on together. */
const BATCH_ROWS = 2048;

/** A JSON array must be in one piece. */
export async function* lookupRows(pieces: AsyncIterable<Buffer>, how: LookupDecoding): AsyncGenerator<MapValue[]> {
  const rows = new GatheredRows(how);
  const reader = how.format === 'csv' ? new CsvRows(rows, how) : new LineRows(rows, how);
  for await (const piece of pieces) {
    if (how.format === 'json') yield* arrayRows(piece, rows, how);
    else await eventLoop.runInSlots(reader.push(piece));
    yield* rows.handOn();
  }
  if (how.format !== 'json') await eventLoop.runInSlots(reader.end());
  yield* rows.handOn();
  // Rows before the wrong one have been handed on: one of them may be wrong in another way.
  rows.requireRight();
}

/** Takes no more rows after the first wrong one. */
class GatheredRows {
  readonly #columns: ReadonlySet<string>;
  readonly #key: string;
  readonly #maxRows: number;
  #rows: MapValue[] = [];
  #number = 0;
  #wrong: { readonly row: number; readonly reason: Wrong } | undefined;

  constructor({ columns, key, maxRows = Number.POSITIVE_INFINITY }: LookupDecoding) {
    this.#columns = new Set(columns);
    this.#key = key;
    this.#maxRows = maxRows;
  }

  get isEnded(): boolean {
    return this.#wrong !== undefined;
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS;
  }

  isColumn(name: string): boolean {
    return this.#columns.has(name);
  }

  take(row: MapValue | Wrong): void {
    if (this.isEnded) return;
    this.#number += 1;
    if (this.#number > this.#maxRows) throw tooManyLines(this.#maxRows);
    const wrong = typeof row === 'string' ? row : this.#wrongIn(row);
    if (wrong) this.#wrong = { row: this.#number, reason: wrong };
    else if (typeof row !== 'string') this.#rows.push(row);
  }

  *handOn(): Generator<MapValue[]> {
    if (this.#rows.length > 0) yield this.#rows;
    this.#rows = [];
  }

  requireRight(): void {
    if (this.#wrong) throw wrongLookupRow(this.#wrong.row, this.#wrong.reason);
  }

  #wrongIn(row: MapValue): Wrong | undefined {
    for (const [name, value] of row) {
      if (!this.#columns.has(name)) return 'unknown-column';
      if (typeof value === 'string' && !isStorableText(value)) return 'not-an-object';
    }
    return (row.get(this.#key) ?? null) === null ? 'no-key' : undefined;
  }
}

type Wrong = 'no-key' | 'unknown-column' | 'not-an-object' | 'column-count';

interface PieceReader {
  push(piece: Buffer): SlicedWork<void>;
  end(): SlicedWork<void>;
}

class LineRows implements PieceReader {
  readonly #lines: LineSplitter;
  readonly #rows: GatheredRows;

  constructor(rows: GatheredRows, { lineBytes }: LookupDecoding) {
    this.#lines = new LineSplitter(lineBytes);
    this.#rows = rows;
  }

  push(piece: Buffer): SlicedWork<void> {
    return this.#lines.push(piece, this.#sink);
  }

  end(): SlicedWork<void> {
    return this.#lines.end(this.#sink);
  }

  readonly #sink = {
    line: (_: number, bytes: Buffer, from: number, end: number, isKnownUtf8: boolean) => {
      if (this.#rows.isEnded) return undefined;
      const isText = isKnownUtf8 || isUtf8(bytes.subarray(from, end));
      const text = isText ? bytes.toString('utf8', from, end).trim() : '';
      if (!isText || text !== '') this.#rows.take(isText ? objectIn(text) : 'not-an-object');
      return undefined;
    },
    tooLong: () => this.#rows.take('not-an-object'),
  };
}

class CsvRows implements PieceReader {
  readonly #csv: CsvSplitter;
  readonly #rows: GatheredRows;
  readonly #key: string;
  #columns: readonly string[] | undefined;

  constructor(rows: GatheredRows, { lineBytes, key }: LookupDecoding) {
    this.#csv = new CsvSplitter(lineBytes);
    this.#rows = rows;
    this.#key = key;
  }

  push(piece: Buffer): SlicedWork<void> {
    return this.#csv.push(piece, this.#take);
  }

  /** A file of nothing names no columns: it is no lookup without rows. */
  *end(): SlicedWork<void> {
    yield* this.#csv.end(this.#take);
    if (this.#columns === undefined) this.#rows.take('column-count');
  }

  readonly #take = ({ values }: CsvRow): undefined => {
    if (this.#columns === undefined) this.#columns = this.#named(values);
    else this.#rows.take(this.#row(values, this.#columns));
    return undefined;
  };

  /** Names of columns; wrong ones are those of the first row. */
  #named(values: CsvRow['values']): readonly string[] {
    const names = typeof values === 'string' ? [] : values.map((name) => (name ?? '').trim().normalize());
    if (names.length === 0 || new Set(names).size < names.length) this.#rows.take('column-count');
    const unknown = names.find((name) => !this.#rows.isColumn(name));
    if (unknown !== undefined) this.#rows.take('unknown-column');
    else if (!names.includes(this.#key)) this.#rows.take('no-key');
    return names;
  }

  #row(values: CsvRow['values'], columns: readonly string[]): MapValue | Wrong {
    if (typeof values === 'string' || values.length !== columns.length) return 'column-count';
    return new Map(columns.map((name, index): [string, Value] => [name, values[index] ?? null]));
  }
}

function objectIn(text: string): MapValue | Wrong {
  const value = strictJson(text);
  if (!(value instanceof Map)) return 'not-an-object';
  return new Map([...value].map(([name, item]: [string, Value]) => [name.normalize(), item]));
}

/** Its elements; the body as a whole must be JSON. */
async function* arrayRows(whole: Buffer, rows: GatheredRows, how: LookupDecoding): AsyncGenerator<MapValue[]> {
  if (!isUtf8(whole)) throw malformedBody();
  const bytes = withoutMark(whole);
  for (const range of rangesIn(bytes)) {
    if (!range) {
      await eventLoop.nextSlot();
      continue;
    }
    const text = bytes.toString('utf8', range.from, range.end);
    const row = range.end - range.from > how.lineBytes ? 'not-an-object' : objectIn(text);
    if (row === 'not-an-object') await requireJson(text);
    rows.take(row);
    if (rows.isFull) {
      yield* rows.handOn();
      await eventLoop.nextSlot();
    }
  }
}

function* rangesIn(bytes: Buffer): Generator<{ readonly from: number; readonly end: number } | undefined> {
  const { from, end } = yield* trimBlanks(bytes, 0, bytes.length);
  if (bytes[from] === OPENING_BRACKET) yield* elementRanges(bytes.subarray(0, end), from);
  else yield { from, end };
}

async function requireJson(text: string): Promise<void> {
  if (!(await eventLoop.runInSlots(isJsonSliced(text)))) throw malformedBody();
}
