// `system schedules`: the records of scheduled queries.

import { recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue } from '#query/model/values.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Store } from '#store/store.ts';
import { type RecordDeps, recordOf } from './record.ts';
import { listScheduledQueries, type ScheduledQueryView } from './store.ts';

const PAGE = 200;
const DATES = ['last_run_time', 'last_failure_time', 'next_run_time', 'created', 'updated'];

/** `deps` is called with the first row: the scheduler exists after the queries. */
export const scheduleObject = (store: Store, deps: () => RecordDeps): SystemObject => ({
  access: 'ADMIN',
  async *rows() {
    let queries: readonly ScheduledQueryView[];
    let offset = 0;
    do {
      const page = { keywords: undefined, offset, limit: PAGE };
      ({ rows: queries } = await store.read((db) => listScheduledQueries(db, page)));
      const rows: MapValue[] = [];
      for (const query of queries) {
        // Each text is checked.
        await eventLoop.nextSlot();
        rows.push(recordRow(await recordOf(query, deps()), DATES));
      }
      yield rows;
      offset += PAGE;
    } while (queries.length === PAGE);
  },
});
