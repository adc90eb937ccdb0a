// An incoming log as a query over its table will see it, but without `_id`.

import type { Log, LogBatch as LogParts } from '#ingest/intake.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { recordText } from '#logs/record-batch.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { recordIn, recordInSlices } from '#query/values/formats/strict-json.ts';

/** `time` in epoch milliseconds; `table` is null in a trial. */
export function incomingRecord(text: string, time: number, table: string | null): MapValue {
  return withOwnFields(recordIn(text), time, table);
}

/** The same of a long text. */
export function* incomingRecordInSlices(text: string, time: number, table: string): SlicedWork<MapValue> {
  return withOwnFields(yield* recordInSlices(text), time, table);
}

function withOwnFields(record: Map<string, Value>, time: number, table: string | null): MapValue {
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
  /** Prepares what the functions above read, without holding the main thread. */
  locate(): Promise<void>;
}

export function logBatchOf(logs: readonly Log[] | LineBatch | LogParts): LogBatch {
  if ('parts' in logs) return joined(logs.parts.map(logBatchOf));
  if ('bytes' in logs) {
    return {
      count: logs.count,
      schemas: new Set(),
      schema: () => undefined,
      text: (at) => recordText(logs, at),
      time: (at) => logs.times[at] ?? 0,
      lengthOf: (at) => (logs.ends[at] ?? 0) - (logs.begins[at] ?? 0),
      locate: async () => await logs.locate?.(),
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
    locate: async () => undefined,
  };
}

/** One behind the other. */
function joined(batches: readonly LogBatch[]): LogBatch {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  let count = 0;
  const begins = batches.map((batch) => {
    count += batch.count;
    return count - batch.count;
  });
  /** Asked in the order of the logs, mostly. */
  let current = 0;
  const find = <T>(at: number, of: (batch: LogBatch, index: number) => T): T | undefined => {
    if (at < (begins[current] ?? 0)) current = 0;
    while (at >= (begins[current + 1] ?? count)) current += 1;
    const batch = batches[current];
    return batch && of(batch, at - (begins[current] ?? 0));
  };
  return {
    count,
    schemas: new Set(batches.flatMap(({ schemas }) => [...schemas])),
    schema: (at) => find(at, (batch, index) => batch.schema(index)),
    text: (at) => find(at, (batch, index) => batch.text(index)) ?? '',
    time: (at) => find(at, (batch, index) => batch.time(index)) ?? 0,
    lengthOf: (at) => find(at, (batch, index) => batch.lengthOf(index)) ?? 0,
    async locate() {
      for (const batch of batches) await batch.locate();
    },
  };
}
