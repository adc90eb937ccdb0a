// The record of a slot and the filters of its list, for every kind of job.

import { wrongDateRange } from '#contract/errors.ts';
import { keptStampsIn } from '#contract/times.ts';
import {
  choice,
  guidText,
  int32,
  int64,
  listOf,
  map,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { someOf } from '#operations/params/choice-params.ts';
import { alongside, paging } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import { maskedConstants } from '#queries/runs/constants.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import type { Db } from '#store/kysely.ts';
import type { Paging } from '#store/rows/lists.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import { type JobKey, NOT_QUEUED, OUTCOMES, type Outcome } from './slot.ts';
import { listSlots } from './slot-list.ts';

const to = alongside(time, (value, { from }) => {
  if (value && from instanceof Temporal.Instant && Temporal.Instant.compare(from, value) > 0) throw wrongDateRange();
});

export const slotFilters = {
  from: described(time, 'Earliest slot time, inclusive.'),
  to: described(to, 'Latest slot time, inclusive.'),
  outcome: described(someOf(OUTCOMES), 'Outcomes to list; all where absent.'),
  ...paging,
};

const slotRecord = record('Slot', {
  slot_time: stamp('Time when the slot was due; of a run by hand the time of the call.'),
  outcome: choice(OUTCOMES)('Treatment of the slot.'),
  reason: orNull(choice(['still-running', 'disabled', 'node-unavailable', 'service-down', 'manual', 'covered']))(
    'Code of the reason for the outcome; null where there is none.',
  ),
  run_guid: orNull(guidText)('GUID of the run; null where nothing ran.'),
  query_id: orNull(int32)('Id of the query of the run; null where nothing ran.'),
  node: orNull(string)('Name of the node of the run; null where nothing ran.', 'node1'),
  started: orNull(stamp)('Time when the run began; null where nothing ran.'),
  finished: orNull(stamp)('Time when the run ended; null before its end.'),
  state: orNull(choice(['queued', 'running', 'succeeded', 'failed', 'cancelled']))(
    'State of the run: `queued` waits for one before it or for its backfill; null where nothing ran.',
  ),
  rows: orNull(int64)('Number of rows of the result; null before the end.', 12),
  error: orNull(string)('Reason of a failure; null where the run did not fail.', 'there is no table web'),
  constants: orNull(map)('Parameters that the run received; null where it received none.'),
  window_from: orNull(stamp)(
    'Start of the analysed time, inclusive; null before the run, for scheduled queries and for rules without `duration`.',
  ),
  window_to: orNull(stamp)('End of the analysed time, exclusive; null as `window_from`.'),
});

function toSlot(slot: SlotRow, zone: string): TypeOf<typeof slotRecord> {
  const stampOf = keptStampsIn(zone);
  const time = (at: number | null) => (at === null ? null : stampOf(at));
  const { outcome, reason, run_guid, query_id, node, rows, error } = slot;
  return {
    slot_time: stampOf(slot.slot_time),
    outcome,
    reason,
    run_guid,
    query_id,
    node,
    started: time(slot.started_at),
    finished: time(slot.finished_at),
    state: slot.is_queued !== NOT_QUEUED && slot.state !== 'running' ? 'queued' : slot.state,
    rows,
    error,
    constants: shown(slot, zone),
    window_from: time(slot.window_from),
    window_to: time(slot.window_to),
  };
}

function shown({ constants }: SlotRow, zone: string) {
  const values = constants === null ? null : taggedValue(constants);
  return values instanceof Map ? maskedConstants(values, zone) : null;
}

export const slotsAnswer = listOf('slots', slotRecord);

interface SlotQuery extends Paging {
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
  readonly outcome?: readonly Outcome[] | undefined;
}

/** Newest first. `from` and `to` are inclusive. */
export async function slotsOf(job: JobKey, { from, to, ...wanted }: SlotQuery, { db, zone }: { db: Db; zone: string }) {
  const { total, rows } = await listSlots(db, {
    ...wanted,
    outcome: wanted.outcome,
    job,
    from: from?.epochMilliseconds,
    // Includes the whole second of `to`.
    before: to?.add({ seconds: 1 }).epochMilliseconds,
  });
  return { total_count: total, slots: rows.map((slot) => toSlot(slot, zone)) };
}
