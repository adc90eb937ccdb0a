// Rows of a query on their way into a table, as its records.

import type { LogRecord, Staging } from '#logs/log-store.ts';
import { RowRecords } from '#logs/row-record.ts';
import type { MapValue } from '#query/model/values.ts';
import type { RowSink } from '#query/plan-nodes/effect.ts';

/** Records of rows. A row without a time is of the moment `now`; `_node` is given anew like our own fields. */
export function rowRecords(now: Temporal.Instant): (rows: readonly MapValue[]) => LogRecord[] {
  const records = new RowRecords();
  return (rows) =>
    rows.map((row) => {
      const time = row.get('_time');
      const { epochMilliseconds } = time instanceof Temporal.Instant ? time : now;
      return records.of(
        [...row].filter(([name]) => name !== '_node'),
        epochMilliseconds,
      );
    });
}

/** A table as a sink. */
export function importSink(staging: Staging, now: Temporal.Instant): RowSink {
  const records = rowRecords(now);
  return {
    add: async (rows) => {
      await staging.add(records(rows));
    },
    prepare: async () => {},
    commit: () => staging.commit(async () => {}),
    discard: () => staging.discard(),
  };
}
