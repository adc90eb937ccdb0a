// Reads the rows of a query on another node (remote-lines.ts), some at a time: as many as a piece of the answer has.

import type { MapValue } from '#query/model/values.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import type { ColumnsLine, EndLine } from './remote-lines.ts';

/** Bytes of one row, which is read at once on the main thread. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The answer ended before its last line. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  /** Read so far. */
  readonly bytes: number;

  constructor(bytes: number) {
    super('a row is too long');
    this.bytes = bytes;
  }
}

/** The query ended on its node without all of its rows. */
export class EndedElsewhere extends Error {
  override readonly name = 'EndedElsewhere';
  readonly line: Exclude<EndLine, { end: 'whole' }>;

  constructor(line: EndedElsewhere['line']) {
    super('the query ended on its node');
    this.line = line;
  }
}

/** Rows as soon as they are there. Throws where they are not those of all columns that `accept` takes. */
export async function* remoteRowsOf(
  bytes: AsyncIterable<Uint8Array | string>,
  accept: (columns: ColumnsLine) => void,
): AsyncGenerator<readonly MapValue[]> {
  let texts: RowTexts | undefined;
  for await (const lines of linesOf(bytes)) {
    const rows: MapValue[] = [];
    for (const line of lines) {
      if (line.startsWith('[')) {
        if (!texts) throw new BrokenOff('rows before their columns');
        rows.push(texts.fields(line));
        continue;
      }
      const read: Partial<ColumnsLine> & Partial<EndLine> = JSON.parse(line);
      if (read.end !== undefined && rows.length > 0) yield rows;
      if (read.end === 'whole') return;
      // Written by a node of this installation, in one of the forms of `EndLine`.
      if (read.end !== undefined) throw new EndedElsewhere(read as EndedElsewhere['line']);
      if (!read.columns) continue;
      const columns = { columns: read.columns, without: read.without ?? null };
      accept(columns);
      texts = rowTexts(columns);
    }
    if (rows.length > 0) yield rows;
  }
  throw new BrokenOff('the answer has no end');
}

const rowTexts = ({ columns, without }: ColumnsLine): RowTexts =>
  new RowTexts({
    rows: {
      columns: columns.map(([name, type], id) => ({ id, name, type })),
      ...(without ? { overflow: { id: columns.length, without } } : {}),
    },
  });

/** Whole lines, those of each piece together. */
async function* linesOf(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<readonly string[]> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    const chunk = Buffer.from(piece as Uint8Array); // A text is encoded, bytes are taken as they are.
    const end = chunk.lastIndexOf(NEWLINE);
    size += chunk.length;
    if (end === -1) held.push(chunk);
    else {
      const whole = Buffer.concat([...held, chunk.subarray(0, end)]).toString('utf8');
      held = [chunk.subarray(end + 1)];
      size = chunk.length - end - 1;
      yield shortLines(whole);
    }
    if (size > MAX_LINE_BYTES) throw new LineTooLong(size);
  }
}

/** Rows of this node itself come in pieces of any length. */
function shortLines(whole: string): readonly string[] {
  const lines = whole.split('\n');
  const long = whole.length > MAX_LINE_BYTES ? lines.find(({ length }) => length > MAX_LINE_BYTES) : undefined;
  if (long !== undefined) throw new LineTooLong(long.length);
  return lines;
}
