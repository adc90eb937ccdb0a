// Decodes pushed lines of JSON: many in a thread, a few at once.

import { tooManyLines } from '#contract/errors.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { DecodeThreads } from './decode-threads.ts';
import { KeptScanners } from './kept-scanners.ts';
import { JsonRecords, LINE_FEED } from './line.ts';
import { type DecodedLines, decodeLines, type LineLimits, LinesExceeded } from './line-decode.ts';
import type { Arrival } from './record.ts';

/** So few bytes are decoded in less time than a thread takes to wake. */
const MAX_BYTES_AT_ONCE = 32 * 1024;
/** A large body is decoded piece by piece: a thread has a copy of no more than this of each. */
const PIECE_BYTES = 4 * 1024 * 1024;

interface LinesOrder {
  /** The logger. */
  readonly source: string;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  /** Aborts when the client has gone. */
  readonly gone?: AbortSignal | undefined;
}

export class LineDecoder {
  readonly #threads = new DecodeThreads();
  readonly #scanners = new KeptScanners();

  /** Refuses too many lines. Rejects where a thread has ended. */
  async decode(bytes: Buffer, order: LinesOrder): Promise<DecodedLines> {
    try {
      return await (bytes.length <= MAX_BYTES_AT_ONCE ? this.#decodeHere(bytes, order) : this.#inPieces(bytes, order));
    } catch (error) {
      throw error instanceof LinesExceeded ? tooManyLines(order.limits.lines) : error;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #decodeHere(bytes: Buffer, { source, arrival, limits }: LinesOrder): Promise<DecodedLines> {
    const records = new JsonRecords(arrival, this.#scanners.for(source, arrival.zone).scanner);
    return await eventLoop.runInSlots(decodeLines(bytes, { records, limits, runBytes: MAX_BYTES_AT_ONCE }));
  }

  async #inPieces(bytes: Buffer, { source, arrival, limits, gone }: LinesOrder): Promise<DecodedLines> {
    let decoded: DecodedLines | undefined;
    for (let from = 0; from < bytes.length; ) {
      const end = endOfPiece(bytes, from);
      const left = {
        ...limits,
        lines: limits.lines - (decoded?.lines ?? 0),
        reported: limits.reported - (decoded?.rejected.length ?? 0),
      };
      const piece = { source, arrival, limits: left, bytes: copyOf(bytes, from, end) };
      const found = await this.#threads.decode(piece, gone);
      decoded = decoded ? joined(decoded, found) : found;
      from = end;
    }
    return decoded ?? (await this.#decodeHere(bytes, { source, arrival, limits }));
  }
}

/** Behind the end of a line, or of the body. */
function endOfPiece(bytes: Buffer, from: number): number {
  if (bytes.length - from <= PIECE_BYTES) return bytes.length;
  const last = bytes.lastIndexOf(LINE_FEED, from + PIECE_BYTES - 1);
  const end = last >= from ? last : bytes.indexOf(LINE_FEED, from + PIECE_BYTES);
  return end === -1 ? bytes.length : end + 1;
}

/** With an end of the last line. */
function copyOf(bytes: Buffer, from: number, end: number): Uint8Array<ArrayBuffer> {
  const isEnded = bytes[end - 1] === LINE_FEED;
  const copy = new Uint8Array(end - from + (isEnded ? 0 : 1));
  copy.set(bytes.subarray(from, end));
  if (!isEnded) copy[copy.length - 1] = LINE_FEED;
  return copy;
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
