// Rows of a query on their way into a table, as its records.

import type { Staging } from '#engines/engine.ts';
import type { RowSink } from '#engines/plan-run.ts';
import { RowRecords } from '#engines/row-record.ts';

/** A table as a sink. A row without a time is of the moment `now`; `_node` is given anew like our own fields. */
export function importSink(staging: Staging, now: Temporal.Instant): RowSink {
  const records = new RowRecords();
  return {
    add: async (rows) => {
      await staging.add(
        rows.map((row) => {
          const time = row.get('_time');
          const { epochMilliseconds } = time instanceof Temporal.Instant ? time : now;
          return records.of(
            [...row].filter(([name]) => name !== '_node'),
            epochMilliseconds,
          );
        }),
      );
    },
    prepare: async () => {},
    commit: () => staging.commit(async () => {}),
    discard: () => staging.discard(),
  };
}
