// Records due slots. Every decision is made inside a unit, from the state of the database, and the key of a slot is unique:
// so the second of two claims, in this process or another, inserts no row and starts no run.

import type { NodeType } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { SlotTable } from '#store/schedule-schema.ts';
import type { CausedSlot, JobEligibility, JobKind } from './job-kind.ts';
import { type CountedSlot, type Holder, OPEN_COLUMNS, type OpenSlot, openSlot } from './slot.ts';

/** A slot of a schedule that is due. */
export interface DueSlot {
  readonly guid: string;
  readonly at: number;
  /** Start of the schedule: a slot of a schedule that was replaced since is not due. */
  readonly since: number;
  /** Whether the service was down or late. */
  readonly isMissed: boolean;
}

export interface Claimant extends Holder {
  readonly nodeTypes: readonly NodeType[];
}

export interface Claimed {
  /** Slots for the claimant to run. */
  readonly open: readonly OpenSlot[];
  /** Outcomes of all inserted rows. */
  readonly outcomes: readonly CountedSlot[];
}

export const NOTHING_CLAIMED: Claimed = { open: [], outcomes: [] };

type NewSlot = Omit<SlotTable, 'id'>;

export const dueKey = (at: number): string => `at ${at}`;

/** `due` is in the order of time. Slots of removed jobs and of replaced schedules are ignored. */
export async function claimDue(db: Db, kind: JobKind, due: readonly DueSlot[], claimant: Claimant): Promise<Claimed> {
  const guids = [...new Set(due.map(({ guid }) => guid))];
  const jobs = await kind.eligibility(db, guids);
  const busy = await busyJobs(db, kind.name, guids);
  const rows = due.flatMap(({ guid, at, since, isMissed }) => {
    const job = jobs.get(guid);
    if (job?.since !== since) return [];
    const slot = {
      kind: kind.name,
      guid,
      slot_key: dueKey(at),
      slot_time: at,
      clock_time: at,
      origin: 'schedule' as const,
    };
    if (isMissed) return [missed(slot, 'service-down')];
    return [decide(slot, { job, busy, claimant })];
  });
  return await insertSlots(db, rows);
}

/** Claims slots caused by the end of a run. */
export async function claimCaused(
  db: Db,
  kind: JobKind,
  caused: readonly CausedSlot[],
  claimant: Claimant,
): Promise<Claimed> {
  if (caused.length === 0) return NOTHING_CLAIMED;
  const guids = caused.map(({ guid }) => guid);
  const jobs = await kind.eligibility(db, guids);
  const busy = await busyJobs(db, kind.name, guids);
  const rows = caused.flatMap(({ guid, key, slotTime, clockTime, constants }) => {
    const job = jobs.get(guid);
    if (!job) return [];
    const slot = {
      kind: kind.name,
      guid,
      slot_key: key,
      slot_time: slotTime,
      clock_time: clockTime,
      origin: 'workflow' as const,
      constants,
    };
    return [decide(slot, { job, busy, claimant })];
  });
  return await insertSlots(db, rows);
}

/** Claims manual runs of jobs that are not running. */
export async function claimManual(
  db: Db,
  kind: string,
  guids: readonly string[],
  { now, ...holder }: Holder & { now: number },
): Promise<Claimed> {
  const rows = guids.map((guid) => {
    const run_guid = newGuid();
    const slot = {
      kind,
      guid,
      slot_key: `by hand ${run_guid}`,
      slot_time: now,
      clock_time: now,
      origin: 'manual' as const,
    };
    return { ...running(slot, holder), reason: 'manual' as const, run_guid };
  });
  return await insertSlots(db, rows);
}

/** Jobs with a running or claimed slot. Backfills do not count: a slot of the schedule waits for them. */
async function busyJobs(db: Db, kind: string, guids: readonly string[]): Promise<Set<string>> {
  const rows = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('guid')
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('state', '=', 'running')
      .where('outcome', '=', 'ran')
      .execute(),
  );
  return new Set(rows.map(({ guid }) => guid));
}

type Slot = Pick<NewSlot, 'kind' | 'guid' | 'slot_key' | 'slot_time' | 'clock_time' | 'origin'> & {
  constants?: string | null;
};

interface ClaimContext {
  readonly job: JobEligibility;
  /** Jobs that are running; claimed jobs are added. */
  readonly busy: Set<string>;
  readonly claimant: Claimant;
}

function decide(slot: Slot, { job, busy, claimant }: ClaimContext): NewSlot {
  if (!job.isEnabled) return skipped(slot, 'disabled');
  if (!canRun(job, claimant)) return missed(slot, 'node-unavailable');
  if (busy.has(slot.guid)) return skipped(slot, 'still-running');
  busy.add(slot.guid);
  return running(slot, claimant);
}

const canRun = ({ nodeTypes }: JobEligibility, claimant: Claimant): boolean =>
  nodeTypes?.some((type) => claimant.nodeTypes.includes(type)) ?? true;

const NO_RUN = {
  reason: null,
  is_queued: 0,
  run_guid: null,
  query_id: null,
  node: null,
  lease: null,
  started_at: null,
  finished_at: null,
  state: null,
  rows: null,
  error: null,
  constants: null,
  stop_asked: 0,
} as const;

export const skipped = (slot: Slot, reason: 'still-running' | 'disabled'): NewSlot => ({
  ...NO_RUN,
  ...slot,
  outcome: 'skipped',
  reason,
});

const missed = (slot: Slot, reason: 'service-down' | 'node-unavailable'): NewSlot => ({
  ...NO_RUN,
  ...slot,
  outcome: 'missed',
  reason,
});

const running = (slot: Slot, { node, lease }: Holder): NewSlot => ({
  ...NO_RUN,
  ...slot,
  outcome: 'ran',
  run_guid: newGuid(),
  node,
  lease,
  state: 'running',
});

/** Inserts rows, except those whose key exists. */
export async function insertSlots(db: Db, rows: readonly NewSlot[]): Promise<Claimed> {
  const inserted = await inChunks(rows, (chunk) =>
    db
      .insertInto('schedule_slots')
      .values([...chunk])
      .onConflict((conflict) => conflict.columns(['kind', 'guid', 'slot_key']).doNothing())
      .returning([...OPEN_COLUMNS, 'state'])
      .execute(),
  );
  return {
    open: inserted.filter(({ state }) => state === 'running').map(openSlot),
    outcomes: inserted.map(({ kind, outcome, state }) => ({ kind, outcome, state })),
  };
}
