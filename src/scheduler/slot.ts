// A slot: one moment at which a job is due. The ledger has a row for each of them, whether or not it ran.

import type { SlotRow } from '#store/schedule-schema.ts';

export const OUTCOMES = ['ran', 'skipped', 'missed', 'backfilled'] as const;

export type Outcome = SlotRow['outcome'];
type RunState = NonNullable<SlotRow['state']>;

export interface JobKey {
  readonly kind: string;
  readonly guid: string;
}

export const keyOf = ({ kind, guid }: JobKey): string => `${kind} ${guid}`;

/** A recorded slot, for metrics. */
export interface CountedSlot {
  readonly kind: string;
  readonly outcome: Outcome;
  readonly state: RunState | null;
}

/** A slot of the ledger that waits or runs. */
export interface OpenSlot extends JobKey {
  readonly id: number;
  readonly origin: SlotRow['origin'];
  /** Whether it runs later than due, by request or as catch-up. */
  readonly isBackfill: boolean;
  readonly runGuid: string;
  readonly slotTime: number;
  /** Value of `now()` in its run. */
  readonly clockTime: number;
  /** Tagged JSON of the parameters that its run receives. */
  readonly constants: string | null;
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
] as const;

type OpenRow = Pick<SlotRow, (typeof OPEN_COLUMNS)[number]>;

export function openSlot(row: OpenRow): OpenSlot {
  const { id, kind, guid, origin, run_guid, slot_time, clock_time, constants } = row;
  if (run_guid === null) throw new Error(`slot ${id} has no run`);
  const isBackfill = row.is_queued === 1 || row.outcome === 'backfilled';
  return {
    id,
    kind,
    guid,
    origin,
    isBackfill,
    runGuid: run_guid,
    slotTime: slot_time,
    clockTime: clock_time,
    constants,
  };
}

/** The end of a run. */
export interface RunEnd {
  readonly state: Exclude<RunState, 'running'>;
  readonly finishedAt: number;
  readonly rows: number | null;
  readonly error: string | null;
}

/** A failed run, for the log. */
export interface FailedRun extends JobKey {
  readonly name: string;
  readonly reason: string;
}

/** The holder of slots: the node by name, and the lease of the process. */
export interface Holder {
  readonly node: string;
  readonly lease: string;
}
