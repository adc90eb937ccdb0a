// Applies a parser to the field `line` of records that senders bring. A line that it cannot read stays as it is, and so does
// every record without a line of text.

import type { RecordRun } from '#engines/engine.ts';
import type { Log } from '#ingest/intake.ts';
import type { LogReader } from '#ingest/reader.ts';
import { YieldTimer } from '#kernel/yielding.ts';
import { recordIn } from '#query/values/strict-json.ts';

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
    for (const record of 'count' in part ? part.records() : part) {
      parsed.push(parsedRecord(record, reader, arrivedAt));
      await timer.yieldIfDue();
      gone.throwIfAborted();
    }
  }
  return parsed;
}

/** What the record says beside its line goes before what the line says, its time too. */
function parsedRecord(record: Log, reader: LogReader, arrivedAt: number): Log {
  const { line, ...others } = Object.fromEntries(recordIn(record.text));
  if (typeof line !== 'string') return record;
  const log = reader.of(line, arrivedAt, new Map(Object.entries(others)));
  if (typeof log === 'string') return record;
  return record.time === arrivedAt ? log : { ...log, time: record.time };
}
