// Rows of a query on their way into a table, as its records.

import { isReserved, type LogRecord, type Staging } from '#engines/engine.ts';
import type { RowSink } from '#engines/plan-run.ts';
import { shapeOf } from '#engines/shape.ts';
import { taggedJson } from '#query/dialects/duckdb.ts';
import type { Value } from '#query/values.ts';

/** `_node` is given anew like our own fields. */
const isGivenAnew = (name: string): boolean => isReserved(name) || name === '_node';

/** A row without a time is of the moment `now`; what has no value is no field. */
function recordsOf(rows: readonly ReadonlyMap<string, Value>[], now: Temporal.Instant): LogRecord[] {
  return rows.map((row) => {
    const time = row.get('_time');
    const fields = [...row].filter(([name, value]) => value !== null && !isGivenAnew(name));
    const text = taggedJson(new Map(fields.map(([name, value]) => [name, wholeIfExact(value)])));
    return {
      time: (time instanceof Temporal.Instant ? time : now).epochMilliseconds,
      text,
      shape: shapeOf(JSON.parse(text)),
    };
  });
}

/** JSON does not tell 5.0 from 5, and neither do stored records. */
const wholeIfExact = (value: Value): Value =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

/** A table as a sink. */
export const importSink = (staging: Staging, now: Temporal.Instant): RowSink => ({
  add: (rows) => staging.add(recordsOf(rows, now)),
  prepare: async () => {},
  commit: () => staging.commit(async () => {}),
  discard: () => staging.discard(),
});
