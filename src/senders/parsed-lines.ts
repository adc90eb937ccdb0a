// Applies a parser to the field `line` of records that senders bring. A line that it cannot read stays as it is, and so does
// every record without a line of text.

import { REPAIRED, type RecordRun } from '#engines/engine.ts';
import type { Log } from '#ingest/intake.ts';
import type { LogReader } from '#ingest/reader.ts';
import { markRepaired } from '#ingest/repair.ts';
import { YieldTimer } from '#kernel/yielding.ts';
import { recordIn } from '#query/values/strict-json.ts';

/** Records of a run that are made at once. */
const SLICE_RECORDS = 1000;

interface Parsing {
  readonly reader: LogReader;
  /** When the records arrived: a record of another time has brought that itself. */
  readonly arrivedAt: number;
  readonly gone: AbortSignal;
}

export async function parseLines(
  parts: readonly (readonly Log[] | RecordRun)[],
  { reader, arrivedAt, gone }: Parsing,
): Promise<readonly Log[]> {
  const timer = new YieldTimer();
  const parsed: Log[] = [];
  for (const part of parts) {
    for (const records of slicesOf(part)) {
      for (const record of records) {
        parsed.push(parsedRecord(record, reader, arrivedAt));
        await timer.yieldIfDue();
        gone.throwIfAborted();
      }
    }
  }
  return parsed;
}

/** The records of a large run take longer to make than the main thread may be held. */
function* slicesOf(part: readonly Log[] | RecordRun): Generator<readonly Log[]> {
  if (!('count' in part)) {
    yield part;
    return;
  }
  for (let from = 0; from < part.count; from += SLICE_RECORDS) {
    yield part.records(from, Math.min(from + SLICE_RECORDS, part.count));
  }
}

/** What the record says beside its line goes before what the line says, its time too. */
function parsedRecord(record: Log, reader: LogReader, arrivedAt: number): Log {
  const { line, [REPAIRED]: mark, ...others } = Object.fromEntries(recordIn(record.text));
  if (typeof line !== 'string') return record;
  const found = reader.of(line, arrivedAt, new Map(Object.entries(others)));
  if (typeof found === 'string') return record;
  const log = mark === true ? markRepaired(found) : found;
  return record.time === arrivedAt ? log : { ...log, time: record.time };
}
