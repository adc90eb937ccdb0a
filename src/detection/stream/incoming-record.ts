// An incoming log as a query over its table will see it, but without `_id`.

import type { RecordRun } from '#engines/engine.ts';
import { recordText } from '#engines/record-run.ts';
import type { Log } from '#ingest/intake.ts';
import type { MapValue } from '#query/model/values.ts';
import { recordIn } from '#query/values/strict-json.ts';

/** `time` in epoch milliseconds; `table` is null in a trial. */
export function incomingRecord(text: string, time: number, table: string | null): MapValue {
  const record = recordIn(text);
  if (table !== null) record.set('_table', table);
  record.set('_time', Temporal.Instant.fromEpochMilliseconds(time));
  return record;
}

/** The logs of a batch, pushed or uploaded: values are extracted from the bytes on demand. */
export interface LogBatch {
  readonly count: number;
  /** Schemas that parsers assigned to logs. */
  readonly schemas: ReadonlySet<string>;
  schema(at: number): string | undefined;
  text(at: number): string;
  time(at: number): number;
  /** Characters or bytes of its text. */
  lengthOf(at: number): number;
}

export function logBatchOf(logs: readonly Log[] | RecordRun): LogBatch {
  if ('bytes' in logs) {
    const { count, begins, ends, times } = logs;
    return {
      count,
      schemas: new Set(),
      schema: () => undefined,
      text: (at) => recordText(logs, at),
      time: (at) => times[at] ?? 0,
      lengthOf: (at) => (ends[at] ?? 0) - (begins[at] ?? 0),
    };
  }
  const schemas = new Set<string>();
  for (const { schema } of logs) if (schema !== undefined) schemas.add(schema);
  return {
    count: logs.length,
    schemas,
    schema: (at) => logs[at]?.schema,
    text: (at) => logs[at]?.text ?? '',
    time: (at) => logs[at]?.time ?? 0,
    lengthOf: (at) => logs[at]?.text.length ?? 0,
  };
}
