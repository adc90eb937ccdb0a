// Lines out of pieces of any size. No more than one line is held; one that grows too long is let go of at once.

import { isUtf8 } from 'node:buffer';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { CARRIAGE_RETURN, LINE_FEED, withoutMark } from './line.ts';

/** Told of a line: its number, counted from 1, and the bytes of a piece that it is, without its end. */
export interface LineSink {
  /** `isKnownUtf8` says that the bytes are known to be UTF-8. Of a long line the work is handed back. */
  line(number: number, bytes: Buffer, from: number, end: number, isKnownUtf8: boolean): SlicedWork<void> | undefined;
  tooLong(number: number, sizeBytes: number): void;
}

/** Between two slices. */
const SLICE_LINES = 256;

export class LineSplitter {
  readonly #mostBytes: number;
  #number = 0;
  /** The beginning of a line whose end has not come yet. */
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Tells of the lines that end in `piece`, apart from empty ones, which are only counted. */
  *push(piece: Buffer, sink: LineSink): SlicedWork<void> {
    const first = piece.indexOf(LINE_FEED);
    if (first === -1) {
      this.#hold(piece);
      return;
    }
    this.#number += 1;
    yield* this.#joined(piece.subarray(0, first), sink);
    const last = piece.lastIndexOf(LINE_FEED);
    // The first line and the last may have parts of letters that lie in other pieces.
    const isKnownUtf8 = isUtf8(piece.subarray(first, last));
    for (let from = first + 1, lines = 0; from <= last; ) {
      lines += 1;
      if (lines % SLICE_LINES === 0) yield;
      if (piece[from] === LINE_FEED) {
        this.#number += 1;
        from += 1;
        continue;
      }
      const end = piece.indexOf(LINE_FEED, from);
      this.#number += 1;
      yield* this.#tell(piece, from, end, isKnownUtf8, sink);
      from = end + 1;
    }
    this.#hold(piece.subarray(last + 1));
  }

  /** Tells of the last line, when it has no end. */
  *end(sink: LineSink): SlicedWork<void> {
    if (this.#heldBytes === 0) return;
    this.#number += 1;
    yield* this.#joined(Buffer.alloc(0), sink);
  }

  /** What was held with what has come. */
  *#joined(rest: Buffer, sink: LineSink): SlicedWork<void> {
    this.#hold(rest);
    const whole = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const sizeBytes = this.#heldBytes;
    this.#held = [];
    this.#heldBytes = 0;
    if (whole.length < sizeBytes) {
      sink.tooLong(this.#number, sizeBytes);
      return;
    }
    const bytes = this.#number === 1 ? withoutMark(whole) : whole;
    yield* this.#tell(bytes, 0, bytes.length, false, sink);
  }

  *#tell(bytes: Buffer, from: number, end: number, isKnownUtf8: boolean, sink: LineSink): SlicedWork<void> {
    const contentEnd = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (contentEnd - from > this.#mostBytes) sink.tooLong(this.#number, contentEnd - from);
    else if (contentEnd > from) {
      const work = sink.line(this.#number, bytes, from, contentEnd, isKnownUtf8);
      if (work) yield* work;
    }
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#heldBytes += bytes.length;
    // The mark of a file and the first half of a line end do not count.
    if (this.#heldBytes > this.#mostBytes + 4) this.#held = [];
    // A copy: the memory of a piece is given back before its line has ended.
    else this.#held.push(Buffer.from(bytes));
  }
}
