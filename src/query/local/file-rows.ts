// Makes rows of the bytes of files (8.2): decodes them, finds lines or elements, and reads their fields. Bytes come in pieces
// of some hundred kilobytes; of a file no more is kept than a line.

import type { Value } from '#query/model/values.ts';
import type { FileBytes } from '#query/plan-nodes/effect.ts';
import type { FileForm, FileRows } from '#query/plan-nodes/files.ts';
import type { Row } from '#query/rows/row.ts';
import { strictJson } from '#query/values/formats/strict-json.ts';
import { type Charset, decodeLossy } from '#query/values/text/charsets.ts';
import { firstCode, firstLineEnd, lastCharacterEnd, lastLineEnd, markLength } from '#query/values/text/text-bytes.ts';
import { CsvRecords } from './csv-records.ts';
import { MAX_LINE, tooLarge } from './file-failures.ts';
import { JsonList } from './json-list.ts';

type Fields = Iterable<readonly [string, Value]>;

/** Records of one file. */
interface Records {
  /** The offset up to which these bytes can be decoded now. */
  cut(bytes: Uint8Array, charset: Charset): number;
  read(text: string): Generator<Fields>;
  end(): Generator<Fields>;
}

const OPEN_LIST = 0x5b;
/** So many bytes tell whether a file begins with a byte order mark. */
const MARK_BYTES = 3;
const NO_BYTES = new Uint8Array();

export class FileRowReader {
  readonly #planNode: FileRows;
  readonly #columns: ReadonlyMap<string, number>;
  #count = 0n;
  #rest: Uint8Array = NO_BYTES;
  #records: Records | undefined;

  constructor(node: FileRows) {
    this.#planNode = node;
    this.#columns = new Map(node.rows.columns.map(({ name, id }) => [name, id]));
  }

  *rows(piece: FileBytes): Generator<Row> {
    const bytes = this.#rest.length === 0 ? piece.bytes : Buffer.concat([this.#rest, piece.bytes]);
    this.#rest = bytes;
    const { encoding, form } = this.#planNode;
    const mark = this.#records ? 0 : markLength(bytes, encoding);
    const isTold = piece.isEnd || bytes.length >= MARK_BYTES;
    this.#records ??= isTold ? recordsOf(form, bytes, { encoding, isEnd: piece.isEnd }) : undefined;
    if (!this.#records) {
      if (bytes.length > MAX_LINE) throw tooLarge(bytes.length);
      return;
    }
    const whole = this.#records.cut(bytes, encoding);
    const cut = piece.isEnd ? bytes.length : whole;
    this.#rest = bytes.subarray(Math.max(cut, mark));
    if (cut > mark) yield* this.#made(piece, this.#records.read(decodeLossy(bytes.subarray(mark, cut), encoding)));
    if (!piece.isEnd) return;
    yield* this.#made(piece, this.#records.end());
    this.#records = undefined;
    this.#rest = NO_BYTES;
  }

  *#made({ file, entry }: FileBytes, records: Generator<Fields>): Generator<Row> {
    for (const fields of records) yield this.#row(fields, file, entry);
  }

  /** Fields that are no columns go into the overflow. */
  #row(fields: Fields, file: string, entry: string | undefined): Row {
    const { sequence, rows } = this.#planNode;
    const row: Row = [];
    const rest = new Map<string, Value>();
    for (const [name, value] of fields) {
      const id = this.#columns.get(name);
      if (id === undefined) rest.set(name, value);
      else row[id] = value;
    }
    if (rows.overflow) row[rows.overflow.id] = rest;
    this.#put(row, '_file', file);
    if (entry !== undefined) this.#put(row, '_entry', entry);
    row[sequence] = this.#count;
    this.#count += 1n;
    return row;
  }

  #put(row: Row, name: string, value: Value): void {
    const id = this.#columns.get(name);
    if (id !== undefined) row[id] = value;
  }
}

/** Undefined while the beginning of a file does not tell. */
function recordsOf(
  form: FileForm,
  bytes: Uint8Array,
  { encoding, isEnd }: { readonly encoding: Charset; readonly isEnd: boolean },
): Records | undefined {
  if (form.format === 'csv') return csvRecords(form);
  if (form.format !== 'json') return lineRecords((line) => [['line', line]]);
  const first = firstCode(bytes, encoding);
  if (first === undefined && !isEnd) return undefined;
  const fields = (text: string) => jsonFields(text, form.overlay);
  return first === OPEN_LIST
    ? listRecords(fields)
    : lineRecords((line) => (line.trim() === '' ? undefined : fields(line)));
}

function csvRecords(form: Extract<FileForm, { format: 'csv' }>): Records {
  const csv = new CsvRecords(form);
  return {
    cut: lineCut,
    *read(text) {
      for (const line of linesOf(text)) yield* csv.line(line);
    },
    end: () => csv.end(),
  };
}

const lineRecords = (fieldsOf: (line: string) => Fields | undefined): Records => ({
  cut: lineCut,
  *read(text) {
    for (const line of linesOf(text)) {
      const fields = fieldsOf(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (fields) yield fields;
    }
  },
  *end() {},
});

function listRecords(fieldsOf: (element: string) => Fields): Records {
  const list = new JsonList();
  return {
    cut: lastCharacterEnd,
    *read(text) {
      for (const element of list.elements(text)) yield fieldsOf(element);
    },
    // biome-ignore lint/correctness/useYield: a list that is not closed has no further element.
    *end() {
      list.end();
    },
  };
}

/** Pieces are shorter than the longest line, so only a line that has begun before can be too long. */
function lineCut(bytes: Uint8Array, charset: Charset): number {
  const first = firstLineEnd(bytes, charset);
  const length = first === 0 ? bytes.length : first - 1;
  if (length > MAX_LINE) throw tooLarge(length);
  return first === 0 ? 0 : lastLineEnd(bytes, charset);
}

/** A line end at the end begins no line. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    if (end === -1) {
      yield text.slice(from);
      return;
    }
    yield text.slice(from, end);
    from = end + 1;
  }
}

function jsonFields(text: string, overlay: boolean): Fields {
  const value = strictJson(text);
  if (!(value instanceof Map)) return [['line', text]];
  return overlay && !value.has('line') ? [['line', text], ...value] : value;
}
