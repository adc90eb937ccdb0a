// Applies a parser to the field `line` of records that senders bring. A line that it cannot read stays as it is, and so does
// every record without a line of text.

import type { Log } from '#ingest/intake.ts';
import type { LogReader } from '#ingest/reading/reader.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { SliceTimer } from '#runtime/event-loop.ts';

/** Records of a batch that are made at once. */
const SLICE_RECORDS = 1000;

interface Parsing {
  readonly reader: LogReader;
  /** When the records arrived: a record of another time has brought that itself. */
  readonly arrivedAt: number;
  readonly gone: AbortSignal;
}

export async function parseLines(
  parts: readonly (readonly Log[] | LineBatch)[],
  { reader, arrivedAt, gone }: Parsing,
): Promise<readonly Log[]> {
  const timer = new SliceTimer();
  const parsed: Log[] = [];
  for (const part of parts) {
    for (const records of slicesOf(part)) {
      for (const record of records) {
        const log = await reader.withLine(record, arrivedAt);
        parsed.push(typeof log === 'string' ? record : log);
        await timer.yieldIfDue();
        gone.throwIfAborted();
      }
    }
  }
  return parsed;
}

/** The records of a large batch take longer to make than the main thread may be held. */
function* slicesOf(part: readonly Log[] | LineBatch): Generator<readonly Log[]> {
  if (!('count' in part)) {
    yield part;
    return;
  }
  for (let from = 0; from < part.count; from += SLICE_RECORDS) {
    yield part.records(from, Math.min(from + SLICE_RECORDS, part.count));
  }
}
