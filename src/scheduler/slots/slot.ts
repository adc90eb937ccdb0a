// A slot: one moment at which a job is due. The ledger has a row for each of them, whether or not it ran.

import type { SlotRow } from '#store/schema/schedule-schema.ts';

export const OUTCOMES = ['ran', 'skipped', 'missed', 'backfilled'] as const;

export type Outcome = SlotRow['outcome'];
type AttemptState = NonNullable<SlotRow['state']>;

export interface JobKey {
  readonly kind: string;
  readonly guid: string;
}

export const keyOf = ({ kind, guid }: JobKey): string => `${kind} ${guid}`;

/** A recorded slot, for metrics. */
export interface CountedSlot {
  readonly kind: string;
  readonly outcome: Outcome;
  readonly state: AttemptState | null;
}

/** Values of `is_queued`: waits for nothing, for its backfill, or in line for an attempt that covers its window. */
export const NOT_QUEUED = 0;
export const FOR_BACKFILL = 1;
export const IN_LINE = 2;

/** A period that an attempt analyses, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** A slot of the ledger that waits or runs. */
export interface OpenSlot extends JobKey {
  readonly id: number;
  readonly origin: SlotRow['origin'];
  /** Whether it runs later than due, by request or as catch-up. */
  readonly isBackfill: boolean;
  /** Whether it waited in line: like a slot of the schedule it does not run if its job is disabled. */
  readonly isInLine: boolean;
  readonly attemptGuid: string;
  readonly slotTime: number;
  /** Value of `now()` in its attempt. */
  readonly clockTime: number;
  /** Tagged JSON of the parameters that its attempt receives. */
  readonly constants: string | null;
  /** The period that its attempt analyses, where that is not the one of its time alone. */
  readonly window: TimeWindow | undefined;
}

export const OPEN_COLUMNS = [
  'id',
  'kind',
  'guid',
  'origin',
  'outcome',
  'is_queued',
  'run_guid',
  'slot_time',
  'clock_time',
  'constants',
  'window_from',
  'window_to',
] as const;

type OpenRow = Pick<SlotRow, (typeof OPEN_COLUMNS)[number]>;

export function openSlot(row: OpenRow): OpenSlot {
  const { id, kind, guid, origin, run_guid, slot_time, clock_time, constants } = row;
  if (run_guid === null) throw new Error(`slot ${id} has no run`);
  return {
    id,
    kind,
    guid,
    origin,
    isBackfill: row.is_queued === FOR_BACKFILL || row.outcome !== 'ran',
    isInLine: row.is_queued === IN_LINE,
    attemptGuid: run_guid,
    slotTime: slot_time,
    clockTime: clock_time,
    constants,
    window: windowOf(row),
  };
}

export const windowOf = ({
  window_from: from,
  window_to: to,
}: Pick<SlotRow, 'window_from' | 'window_to'>): TimeWindow | undefined =>
  from === null || to === null ? undefined : { from, to };

/** The end of an attempt. */
export interface AttemptEnd {
  readonly state: Exclude<AttemptState, 'running'>;
  readonly finishedAt: number;
  readonly rows: number | null;
  readonly error: string | null;
}

/** A failed attempt, for the log. */
export interface FailedAttempt extends JobKey {
  readonly name: string;
  readonly reason: string;
}

/** The holder of slots: the node by name, and the lease of the process. */
export interface Holder {
  readonly node: string;
  readonly lease: string;
}
