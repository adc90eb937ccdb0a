// The frame of a Parquet file without compression: a page for each column, and the footer that says where they are. DuckDB finds
// its columns by their numbers.

import { ThriftWriter } from './thrift-writer.ts';

export const MARK = Buffer.from('PAR1');
/** Of a page's head. */
export const MAX_HEAD_BYTES = 40;

/** Physical types by number. */
export const [BOOLEAN, INT64, DOUBLE, BYTE_ARRAY] = [0, 2, 5, 6] as const;
/** Meanings of physical types by number. */
export const [UTF8, TIMESTAMP_MILLIS] = [0, 9] as const;
const [REQUIRED, OPTIONAL] = [0, 1] as const;
const [PLAIN, RLE] = [0, 3] as const;

export interface PlainColumn {
  /** By which the column is found. */
  readonly number: number;
  readonly type: number;
  readonly meaning?: number;
  readonly isRequired: boolean;
  /** Where its head begins. */
  readonly pageBegin: number;
  /** Behind its last value. */
  readonly pageEnd: number;
}

/** The head of a data page whose content has so many bytes. */
export function pageHead(rows: number, bytes: number): Uint8Array {
  const head = new ThriftWriter();
  head.fields(() => {
    head.int32(1, 0);
    head.int32(2, bytes);
    head.int32(3, bytes);
    head.struct(5, () => {
      head.int32(1, rows);
      head.int32(2, PLAIN);
      head.int32(3, RLE);
      head.int32(4, RLE);
    });
  });
  return head.bytes;
}

/** With its length and the mark at the end of the file. */
export function footer(rows: number, columns: readonly PlainColumn[]): Buffer {
  const meta = new ThriftWriter();
  meta.fields(() => {
    meta.int32(1, 1);
    meta.structs(2, [undefined, ...columns], (column) => (column ? element(meta, column) : root(meta, columns.length)));
    meta.int64(3, rows);
    meta.structs(4, [columns], () => rowGroup(meta, rows, columns));
  });
  const { bytes } = meta;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([bytes, length, MARK]);
}

function root(meta: ThriftWriter, children: number): void {
  meta.text(4, 'records');
  meta.int32(5, children);
}

const nameOf = ({ number }: PlainColumn): string => `column${number}`;

function element(meta: ThriftWriter, column: PlainColumn): void {
  meta.int32(1, column.type);
  meta.int32(3, column.isRequired ? REQUIRED : OPTIONAL);
  meta.text(4, nameOf(column));
  if (column.meaning !== undefined) meta.int32(6, column.meaning);
  meta.int32(9, column.number);
}

function rowGroup(meta: ThriftWriter, rows: number, columns: readonly PlainColumn[]): void {
  meta.structs(1, columns, (column) => {
    meta.int64(2, column.pageBegin);
    meta.struct(3, () => chunk(meta, rows, column));
  });
  meta.int64(
    2,
    columns.reduce((total, { pageBegin, pageEnd }) => total + pageEnd - pageBegin, 0),
  );
  meta.int64(3, rows);
}

function chunk(meta: ThriftWriter, rows: number, column: PlainColumn): void {
  const bytes = column.pageEnd - column.pageBegin;
  meta.int32(1, column.type);
  meta.int32s(2, [PLAIN, RLE]);
  meta.texts(3, [nameOf(column)]);
  meta.int32(4, 0);
  meta.int64(5, rows);
  meta.int64(6, bytes);
  meta.int64(7, bytes);
  meta.int64(9, column.pageBegin);
}
