// Reads lines of a file in bounded steps.

import type { FileHandle } from 'node:fs/promises';
import { readUpTo } from '#files/whole.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Charset } from './charset.ts';

const STEP_BYTES = 1024 * 1024;
const LINES_PER_YIELD = 1000;

export interface FileLine {
  readonly text: string;
  /** Whether the text is the beginning of a longer one. */
  readonly isCut: boolean;
}

export interface Step {
  readonly lines: readonly FileLine[];
  /** Offset of the next line. */
  readonly end: number;
}

/** A step, with the fingerprint of the bytes before its end. */
export interface MarkedStep extends Step {
  readonly tail: string;
}

interface ByteRange {
  /** Offset of a line. */
  readonly position: number;
  /** End of the range. */
  readonly until: number;
  /** Offset up to which the line at `position` has no end. */
  readonly searched: number;
  /** Whether the last line needs no line feed. */
  readonly takesRest: boolean;
}

export class LineSource {
  readonly #charset: Charset;
  readonly #lineBytes: number;

  constructor(charset: Charset, lineBytes: number) {
    this.#charset = charset;
    this.#lineBytes = lineBytes;
  }

  /** Undefined without a complete line. */
  async read(file: FileHandle, range: ByteRange): Promise<Step | undefined> {
    const { position, until } = range;
    if (position >= until) return undefined;
    const bytes = await readUpTo(file, position, Math.min(STEP_BYTES, until - position));
    const end = this.#charset.lastEnd(bytes);
    if (end !== undefined) return { lines: await this.#linesOf(bytes.subarray(0, end)), end: position + end };
    const lineEnd = await this.#endOfLong(file, {
      ...range,
      searched: Math.max(range.searched, position + bytes.length),
    });
    return lineEnd === undefined ? undefined : await this.#long(file, position, lineEnd);
  }

  /** Start of the line at or before `position`. */
  async lineStartBefore(file: FileHandle, position: number): Promise<number> {
    const from = Math.max(0, position - STEP_BYTES);
    // UTF-16 units start at even offsets.
    const even = from - (from % 2);
    const end = this.#charset.lastEnd(await readUpTo(file, even, position - even));
    return end === undefined ? (even === 0 ? 0 : position) : even + end;
  }

  async #linesOf(bytes: Buffer): Promise<FileLine[]> {
    const lines: FileLine[] = [];
    for (let from = 0; from < bytes.length; ) {
      const end = this.#charset.endOf(bytes, from) ?? bytes.length;
      lines.push(this.#lineOf(bytes.subarray(from, end)));
      if (lines.length % LINES_PER_YIELD === 0) await eventLoop.nextSlot();
      from = end;
    }
    return lines;
  }

  #lineOf(bytes: Buffer): FileLine {
    const isCut = bytes.length > this.#lineBytes + 4;
    return { text: this.#charset.text(isCut ? bytes.subarray(0, this.#lineBytes) : bytes, isCut), isCut };
  }

  /** A line longer than a step: only its beginning is read again. */
  async #long(file: FileHandle, position: number, end: number): Promise<Step> {
    const bytes = await readUpTo(file, position, Math.min(end - position, this.#lineBytes + 8));
    return { lines: [this.#lineOf(bytes)], end };
  }

  async #endOfLong(file: FileHandle, { position, until, searched, takesRest }: ByteRange): Promise<number | undefined> {
    // UTF-16 units start at even offsets of a line.
    for (let at = searched - ((searched - position) % 2); at < until; at += STEP_BYTES) {
      const end = this.#charset.endOf(await readUpTo(file, at, Math.min(STEP_BYTES, until - at)), 0);
      if (end !== undefined) return at + end;
    }
    return takesRest ? until : undefined;
  }
}
