// A log on its way into a table, as a query over the table will see it once it is there; but it has no number yet.

import type { RecordRun } from '#engines/engine.ts';
import type { Log } from '#ingest/intake.ts';
import type { MapValue } from '#query/model/values.ts';
import { recordIn } from '#query/values/strict-json.ts';

/** `time` in epoch milliseconds; null for a table that there is none of. */
export function incomingRecord(text: string, time: number, table: string | null): MapValue {
  const record = recordIn(text);
  if (table !== null) record.set('_table', table);
  record.set('_time', Temporal.Instant.fromEpochMilliseconds(time));
  return record;
}

/** The logs of a batch, however they came: only what is asked for is taken out of the bytes. */
export interface LogBatch {
  readonly count: number;
  /** Those that logs were given. */
  readonly schemas: ReadonlySet<string>;
  schema(at: number): string | undefined;
  text(at: number): string;
  time(at: number): number;
  /** Characters or bytes of its text. */
  lengthOf(at: number): number;
}

export function logBatchOf(logs: readonly Log[] | RecordRun): LogBatch {
  if ('bytes' in logs) {
    const { count, bytes, begins, ends, times } = logs;
    return {
      count,
      schemas: new Set(),
      schema: () => undefined,
      text: (at) => bytes.toString('utf8', begins[at], ends[at]),
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
