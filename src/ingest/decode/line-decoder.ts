// Decodes pushed lines of JSON: many in a thread, a few at once.

import { tooManyLines } from '#contract/errors.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { FileColumns, TableSpec } from '#logs/log-store.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { KeptBySource } from './batches/kept-by-source.ts';
import { JsonRecords, LINE_FEED } from './line.ts';
import { type DecodedLines, decodeLines, type LineLimits, LinesExceeded } from './line-decode.ts';
import type { Arrival } from './record.ts';
import { recordBytes } from './record-memory.ts';
import { DecodeSlots, MAX_SLOT_BYTES } from './threads/decode-slots.ts';
import { DecodeThreads } from './threads/decode-threads.ts';

/** So few bytes are decoded in less time than a thread takes to wake. */
const MAX_BYTES_AT_ONCE = 32 * 1024;
/** A large body is decoded piece by piece: a thread has a copy of no more than this of each. */
const PIECE_BYTES = 4 * 1024 * 1024;

interface LinesOrder {
  /** The logger. */
  readonly source: string;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  /** The table that the records go to, for a caller that disposes of them. */
  readonly table?: TableSpec | undefined;
  /** Counts the memory of records as they are decoded; throws where there is none. */
  hold?(bytes: number): void;
  /** Aborts when the client has gone. */
  readonly gone?: AbortSignal | undefined;
}

/** Its memory is used again when it is disposed of: no part of it may be read after that. */
export type HeldLines = DecodedLines & Disposable;

interface LineDecoderDeps {
  /** See `LogStore`. */
  fileColumns(table: TableSpec): Promise<FileColumns | undefined>;
}

export class LineDecoder {
  readonly #deps: LineDecoderDeps;
  readonly #threads = new DecodeThreads();
  readonly #slots = new DecodeSlots();
  readonly #scanners = new KeptBySource<LineScanner>(({ isFull }) => isFull);

  constructor(deps: LineDecoderDeps) {
    this.#deps = deps;
  }

  /** Refuses too many lines. Rejects where a thread has ended. */
  async decode(bytes: Buffer, order: LinesOrder): Promise<HeldLines> {
    try {
      if (bytes.length <= MAX_BYTES_AT_ONCE) return held(await this.#decodeHere(bytes, order));
      const isForSlot = order.table !== undefined && bytes.length < MAX_SLOT_BYTES;
      return await (isForSlot ? this.#inSlot(bytes, order) : this.#inPieces(bytes, order));
    } catch (error) {
      throw error instanceof LinesExceeded ? tooManyLines(order.limits.lines) : error;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #decodeHere(bytes: Buffer, order: LinesOrder): Promise<DecodedLines> {
    const { source, arrival, limits } = order;
    const { value: scanner } = this.#scanners.for(source, () => new LineScanner(arrival.zone));
    const records = new JsonRecords(arrival, scanner);
    const decoded = await eventLoop.runInSlots(decodeLines(bytes, { records, limits, batchBytes: MAX_BYTES_AT_ONCE }));
    order.hold?.(recordBytes(decoded.parts));
    return decoded;
  }

  async #inSlot(bytes: Buffer, order: LinesOrder): Promise<HeldLines> {
    const { source, arrival, limits, table, gone } = order;
    const columns = table && (await this.#deps.fileColumns(table));
    const slot = this.#slots.take();
    const lines = slot.lines.subarray(0, writeLines(bytes, slot.lines));
    // The slot of an order that fails is never used again: a thread may still write to it.
    const decoded = await this.#threads.decode({ source, arrival, limits, lines, slot, columns }, gone);
    try {
      order.hold?.(recordBytes(decoded.parts));
    } catch (error) {
      this.#slots.release(slot);
      throw error;
    }
    return held(decoded, () => this.#slots.release(slot));
  }

  async #inPieces(bytes: Buffer, order: LinesOrder): Promise<HeldLines> {
    const { source, arrival, limits, gone } = order;
    let decoded: DecodedLines | undefined;
    for (let from = 0; from < bytes.length; ) {
      const end = endOfPiece(bytes, from);
      const left = {
        ...limits,
        lines: limits.lines - (decoded?.lines ?? 0),
        reported: limits.reported - (decoded?.rejected.length ?? 0),
      };
      const lines = new Uint8Array(end - from + 1);
      const length = writeLines(bytes.subarray(from, end), lines);
      const piece = { source, arrival, limits: left, lines: lines.subarray(0, length) };
      const found = await this.#threads.decode(piece, gone);
      order.hold?.(recordBytes(found.parts));
      decoded = decoded ? joined(decoded, found) : found;
      from = end;
    }
    return held(decoded ?? (await this.#decodeHere(bytes, { source, arrival, limits })));
  }
}

function held(lines: DecodedLines, release = () => {}): HeldLines {
  return Object.assign(lines, { [Symbol.dispose]: release });
}

/** Behind the end of a line, or of the body. */
function endOfPiece(bytes: Buffer, from: number): number {
  if (bytes.length - from <= PIECE_BYTES) return bytes.length;
  const last = bytes.lastIndexOf(LINE_FEED, from + PIECE_BYTES - 1);
  const end = last >= from ? last : bytes.indexOf(LINE_FEED, from + PIECE_BYTES);
  return end === -1 ? bytes.length : end + 1;
}

/** With an end of the last line. Gives how many bytes there are. */
function writeLines(bytes: Buffer, target: Uint8Array): number {
  target.set(bytes);
  if (bytes.at(-1) === LINE_FEED) return bytes.length;
  target[bytes.length] = LINE_FEED;
  return bytes.length + 1;
}

function joined(first: DecodedLines, next: DecodedLines): DecodedLines {
  const rejected = next.rejected.map(({ line, reason }) => ({ line: first.lines + line, reason }));
  return {
    parts: [...first.parts, ...next.parts],
    accepted: first.accepted + next.accepted,
    acceptedBytes: first.acceptedBytes + next.acceptedBytes,
    rejected: [...first.rejected, ...rejected],
    rejectedCount: first.rejectedCount + next.rejectedCount,
    rejectedBytes: first.rejectedBytes + next.rejectedBytes,
    lines: first.lines + next.lines,
  };
}
