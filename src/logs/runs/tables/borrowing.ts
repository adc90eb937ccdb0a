// Which rows of a statement's tables are read.

import type { ChosenRows } from '#query/analysis/chosen-rows.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { RowNeed } from '#query/rules/row-needs.ts';
import type { TimedRows } from './timed-rows.ts';

/** What statements read of the tables of their scans. */
export interface Borrowing {
  /** Ranges outside of which no row of a scan matters. */
  readonly bounds: ReadonlyMap<Scan, TimeRange>;
  /** What no row of a scan matters without. */
  readonly needs: ReadonlyMap<Scan, RowNeed>;
  /** Rows of a scan that alone matter. */
  readonly chosen: ReadonlyMap<Scan, ChosenRows>;
  readonly facts: RunFacts;
  /** Segments and hot tables whose rows are known: nothing of them is read. */
  readonly leftOut?: ReadonlySet<TimedRows> | undefined;
}
