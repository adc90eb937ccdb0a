// The lines of JSON of an upload, decoded in threads like those of pushes: as many at a time as fit in a slot, where they become a
// file of their table. A line that grows too long is let go of at once.

import { LINE_FEED, withoutMark } from '#ingest/decode/line.ts';
import type { HeldLines, LineDecoder } from '#ingest/decode/line-decoder.ts';
import type { Arrival } from '#ingest/decode/record.ts';
import { newGuid } from '#kernel/guid.ts';
import { releaseOffsets } from '#logs/lines/line-batch-builder.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import type { Block } from './upload-decode.ts';

/** Half of a slot, so that a line that has begun before has room. */
const BLOCK_BYTES = 2 * 1024 * 1024;
/** Of the first blocks: until their names have columns, lines become no file. */
const FIRST_BLOCKS = 2;
const FIRST_BLOCK_BYTES = 128 * 1024;
/** The mark of a file and the first half of a line end do not count as bytes of a line. */
const UNCOUNTED_BYTES = 4;

export interface UploadedLines {
  readonly table: TableSpec;
  readonly lineDecoder: LineDecoder;
  readonly arrival: Arrival;
  readonly lineLimitBytes: number;
  /** How many rejected lines of a block are named. */
  readonly reported: number;
  /** Aborts when the upload is given up. */
  readonly signal: AbortSignal;
}

export async function* decodeUploadedLines(pieces: AsyncIterable<Buffer>, how: UploadedLines): AsyncGenerator<Block> {
  const blocks = new LineBlocks(how);
  for await (const piece of pieces) {
    const block = await blocks.add(piece);
    if (block) yield block;
  }
  const last = await blocks.end();
  if (last) yield last;
}

class LineBlocks {
  readonly #how: UploadedLines;
  /** Of this upload alone: names that fill a scanner would make all later uploads slow. */
  readonly #source = `upload ${newGuid()}`;
  /** Lines so far. */
  #lines = 0;
  #blocks = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Whether one of the held pieces ends a line. */
  #hasEnd = false;
  /** True within a line that is too long. */
  #isSkipping = false;

  constructor(how: UploadedLines) {
    this.#how = how;
  }

  /** Gives a block when there is enough for one. */
  async add(piece: Buffer): Promise<Block | undefined> {
    if (this.#isSkipping) return this.#endSkipping(piece);
    this.#hold(piece);
    if (this.#hasEnd) return this.#heldBytes < this.#blockBytes ? undefined : await this.#whole();
    if (this.#heldBytes > this.#how.lineLimitBytes + UNCOUNTED_BYTES) this.#skip();
    return undefined;
  }

  async end(): Promise<Block | undefined> {
    if (this.#isSkipping) return this.#tooLong();
    return this.#heldBytes > 0 ? await this.#decode(this.#taken()) : undefined;
  }

  get #blockBytes(): number {
    return this.#blocks < FIRST_BLOCKS ? FIRST_BLOCK_BYTES : BLOCK_BYTES;
  }

  #hold(piece: Buffer): void {
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    this.#hasEnd ||= piece.includes(LINE_FEED);
  }

  #skip(): void {
    this.#isSkipping = true;
    this.#taken();
  }

  #endSkipping(piece: Buffer): Block | undefined {
    const end = piece.indexOf(LINE_FEED);
    if (end === -1) return undefined;
    this.#isSkipping = false;
    this.#hold(piece.subarray(end + 1));
    return this.#tooLong();
  }

  /** All whole lines; the beginning of the next one stays. */
  async #whole(): Promise<Block> {
    const bytes = this.#taken();
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    this.#hold(Buffer.from(bytes.subarray(end)));
    return await this.#decode(bytes, end);
  }

  #taken(): Buffer {
    const held = this.#held;
    const [only] = held;
    const bytes = only && held.length === 1 ? only : Buffer.concat(held);
    if (held.length > 1) for (const piece of held) releaseBytes(piece);
    [this.#held, this.#heldBytes, this.#hasEnd] = [[], 0, false];
    return bytes;
  }

  async #decode(bytes: Buffer, end = bytes.length): Promise<Block> {
    const { table, lineDecoder, arrival, lineLimitBytes, reported, signal } = this.#how;
    const lines = bytes.subarray(0, end);
    const content = this.#lines === 0 ? withoutMark(lines) : lines;
    const limits = { lineBytes: lineLimitBytes, lines: Number.MAX_SAFE_INTEGER, reported };
    const decoded = await lineDecoder.decode(content, { source: this.#source, arrival, limits, table, gone: signal });
    const before = this.#lines;
    this.#lines += decoded.lines;
    this.#blocks += 1;
    return blockOf(decoded, before, bytes);
  }

  #tooLong(): Block {
    this.#lines += 1;
    const rejected = [{ line: this.#lines, reason: 'line-too-long' } as const];
    return { batches: [], accepted: 0, rejected, rejectedCount: 1, release() {} };
  }
}

const blockOf = (decoded: HeldLines, linesBefore: number, bytes: Buffer): Block => ({
  batches: decoded.parts,
  accepted: decoded.accepted,
  rejected: decoded.rejected.map(({ line, reason }) => ({ line: linesBefore + line, reason })),
  rejectedCount: decoded.rejectedCount,
  release() {
    // Offsets are found only if something asks for them.
    for (const part of decoded.parts) if ('count' in part && !part.locate) releaseOffsets(part);
    decoded[Symbol.dispose]();
    releaseBytes(bytes);
  },
});
