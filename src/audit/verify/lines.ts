// Lines of a file of any length, read in blocks, so that a log of millions of entries needs little memory.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BYTES_PER_READ = 64 * 1024;
const NEWLINE = 0x0a;

export interface FileLine {
  readonly text: string;
  /** Byte offsets of the line and of the next one. */
  readonly from: number;
  readonly to: number;
  /** False for a last line without a line break. */
  readonly isEnded: boolean;
}

/** From byte `from` to byte `to`, by default the whole file at its present length. */
export function* linesOf(file: string, { from = 0, to }: { from?: number; to?: number } = {}): Generator<FileLine> {
  const opened = openSync(file, 'r');
  try {
    yield* linesBetween(opened, from, to ?? fstatSync(opened).size);
  } finally {
    closeSync(opened);
  }
}

function* linesBetween(opened: number, from: number, to: number): Generator<FileLine> {
  let begin = from;
  let rest = Buffer.alloc(0);
  for (let at = from; at < to; ) {
    const piece = Buffer.alloc(Math.min(BYTES_PER_READ, to - at));
    const count = readSync(opened, piece, 0, piece.length, at);
    if (count === 0) break;
    at += count;
    // Blocks of an unfinished line are kept in order; only the new block is searched.
    const searched = rest.length;
    rest = rest.length === 0 ? piece.subarray(0, count) : Buffer.concat([rest, piece.subarray(0, count)]);
    let used = 0;
    for (let end = rest.indexOf(NEWLINE, searched); end !== -1; end = rest.indexOf(NEWLINE, used)) {
      const next = begin + end + 1 - used;
      yield { text: rest.toString('utf8', used, end), from: begin, to: next, isEnded: true };
      begin = next;
      used = end + 1;
    }
    rest = rest.subarray(used);
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), from: begin, to: begin + rest.length, isEnded: false };
}
