// Records due slots. Every decision is made inside a unit, from the state of the database, and the key of a slot is unique:
// so the second of two claims, in this process or another, inserts no row and starts no attempt. A slot that another living node
// may still claim is left to it.

import type { NodeType } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import type { CausedSlot, JobEligibility, JobKind } from '#scheduler/job-kind.ts';
import { type Peer, type Peers, peersOf } from '#scheduler/nodes/peers.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { SlotTable } from '#store/schema/schedule-schema.ts';
import { jobsInLine } from './line.ts';
import {
  type CountedSlot,
  FOR_BACKFILL,
  type Holder,
  IN_LINE,
  type JobKey,
  NOT_QUEUED,
  OPEN_COLUMNS,
  type OpenSlot,
  openSlot,
} from './slot.ts';

/** A slot of a schedule that is due. */
export interface DueSlot {
  readonly guid: string;
  readonly at: number;
  /** Start of the schedule: a slot of a schedule that was replaced since is not due. */
  readonly since: number;
  /** Whether the service was down or late. */
  readonly isMissed: boolean;
  /** Whether it was due before this process was there: another that was may still claim it. */
  readonly isEarlier?: boolean;
  /** Whether a node that may run it has had the time to come. */
  readonly isGivenUp?: boolean;
}

export interface Claimant extends Holder {
  readonly nodeTypes: readonly NodeType[];
  readonly peers: Peers;
}

export interface Claimed {
  /** Slots for the claimant to run. */
  readonly open: readonly OpenSlot[];
  /** Outcomes of all inserted rows that are decided. */
  readonly outcomes: readonly CountedSlot[];
  /** Jobs with slots that wait for an attempt. */
  readonly queued: readonly JobKey[];
}

export const NOTHING_CLAIMED: Claimed = { open: [], outcomes: [], queued: [] };

/** Due slots of which some are left to other nodes. */
export interface ClaimedDue extends Claimed {
  readonly left: readonly DueSlot[];
}

/** No row yet: another node may claim it. */
const LEFT = 'left';

type NewSlot = Omit<SlotTable, 'id'>;

export const dueKey = (at: number): string => `at ${at}`;

/** `due` is in the order of time. Slots of removed jobs and of replaced schedules are ignored. */
export async function claimDue(
  db: Db,
  kind: JobKind,
  due: readonly DueSlot[],
  claimant: Claimant,
): Promise<ClaimedDue> {
  const guids = [...new Set(due.map(({ guid }) => guid))];
  const jobs = await kind.eligibility(db, guids);
  const busy = await busyJobs(db, kind, guids);
  const peers = due.some((slot) => isForPeers(slot, jobs.get(slot.guid), claimant)) ? await peersOf(db, claimant) : [];
  const left: DueSlot[] = [];
  const rows = due.flatMap((one) => {
    const { guid, at, since, isMissed } = one;
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
    const context = { kind, job, busy, claimant, peers, due: one };
    const row = one.isEarlier ? earlier(slot, job, peers) : decide(slot, context);
    if (row === LEFT) left.push(one);
    return row === LEFT ? [] : [row];
  });
  const lined = rows.map((row) => (kind.isContinuous && row.outcome === 'missed' ? waiting(row, IN_LINE) : row));
  return { ...(await insertSlots(db, lined)), left };
}

/** As `claimDue`, before the job is changed: what would be left to another node is given to it. */
export async function claimOwed(db: Db, kind: JobKind, due: readonly DueSlot[], claimant: Claimant): Promise<Claimed> {
  const claimed = await claimDue(db, kind, due, claimant);
  const caused = claimed.left.map(({ guid, at }) => ({
    guid,
    key: dueKey(at),
    slotTime: at,
    clockTime: at,
    isBackfill: false,
    constants: null,
  }));
  const given = await claimCaused(db, kind, caused, claimant, 'schedule');
  return {
    open: [...claimed.open, ...given.open],
    outcomes: [...claimed.outcomes, ...given.outcomes],
    queued: [...claimed.queued, ...given.queued],
  };
}

/** Those of `due` that have a row, as GUID and time. */
export async function recordedOf(db: Db, kind: string, due: readonly DueSlot[]): Promise<ReadonlySet<string>> {
  const rows = await inChunks(due, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select(['guid', 'slot_time'])
      .where('kind', '=', kind)
      .where('guid', 'in', [...new Set(chunk.map(({ guid }) => guid))])
      .where('slot_key', 'in', [...new Set(chunk.map(({ at }) => dueKey(at)))])
      .execute(),
  );
  return new Set(rows.map(({ guid, slot_time }) => `${guid} ${slot_time}`));
}

const isForPeers = (slot: DueSlot, job: JobEligibility | undefined, claimant: Claimant): boolean =>
  slot.isEarlier === true || (job !== undefined && !fits(job, claimant));

const earlier = (slot: Slot, job: JobEligibility, peers: readonly Peer[]): NewSlot | typeof LEFT =>
  peers.some((peer) => peer.since <= slot.slot_time && fits(job, peer)) ? LEFT : missed(slot, 'service-down');

/** Claims slots caused by the end of an attempt. */
export async function claimCaused(
  db: Db,
  kind: JobKind,
  caused: readonly CausedSlot[],
  claimant: Claimant,
  origin: 'workflow' | 'schedule' = 'workflow',
): Promise<Claimed> {
  if (caused.length === 0) return NOTHING_CLAIMED;
  const guids = caused.map(({ guid }) => guid);
  const jobs = await kind.eligibility(db, guids);
  const busy = await busyJobs(db, kind, guids);
  const isForOthers = [...jobs.values()].some((job) => !fits(job, claimant));
  const peers = isForOthers ? await peersOf(db, claimant) : [];
  const rows = caused.flatMap(({ guid, key, slotTime, clockTime, isBackfill, constants }) => {
    const job = jobs.get(guid);
    if (!job) return [];
    const slot = {
      kind: kind.name,
      guid,
      slot_key: key,
      slot_time: slotTime,
      clock_time: clockTime,
      origin,
      constants,
    };
    if (isBackfill && job.isEnabled) return [forBackfill(slot)];
    const row = decide(slot, { kind, job, busy, claimant, peers, due: undefined });
    return row === LEFT ? [] : [row];
  });
  return await insertSlots(db, rows, claimant.lease);
}

/** Claims manual attempts of jobs that are not running, for the node that is to run each. */
export async function claimManual(
  db: Db,
  kind: string,
  holders: ReadonlyMap<string, Holder>,
  { now, lease }: Pick<Holder, 'lease'> & { now: number },
): Promise<Claimed> {
  const rows = [...holders].map(([guid, holder]) => {
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
  return await insertSlots(db, rows, lease);
}

/**
 * Jobs with a running or claimed slot, or with slots in line. Backfills do not count: a slot of the schedule waits for
 * them.
 */
async function busyJobs(db: Db, { name: kind, isContinuous }: JobKind, guids: readonly string[]): Promise<Set<string>> {
  const rows = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('guid')
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('state', '=', 'running')
      .where('outcome', '=', 'ran')
      .where('is_queued', '!=', FOR_BACKFILL)
      .execute(),
  );
  const lined = isContinuous ? await jobsInLine(db, kind, guids) : [];
  return new Set([...rows.map(({ guid }) => guid), ...lined]);
}

type Slot = Pick<NewSlot, 'kind' | 'guid' | 'slot_key' | 'slot_time' | 'clock_time' | 'origin'> & {
  constants?: string | null;
};

interface ClaimContext {
  readonly kind: JobKind;
  readonly job: JobEligibility;
  /** Jobs that are running; claimed jobs are added. */
  readonly busy: Set<string>;
  readonly claimant: Claimant;
  readonly peers: readonly Peer[];
  /** Undefined for a slot of which no other node knows: it is decided now. */
  readonly due: DueSlot | undefined;
}

function decide(slot: Slot, { kind, job, busy, claimant, peers, due }: ClaimContext): NewSlot | typeof LEFT {
  if (!job.isEnabled) return skipped(slot, 'disabled');
  const peer = fits(job, claimant) ? undefined : peers.find((one) => fits(job, one));
  if (due && !fits(job, claimant) && (peer || !due.isGivenUp)) return LEFT;
  if (!peer && !fits(job, claimant)) return missed(slot, 'node-unavailable');
  if (busy.has(slot.guid)) {
    return kind.isContinuous
      ? waiting({ ...NO_ATTEMPT, ...slot, outcome: 'ran' }, IN_LINE)
      : skipped(slot, 'still-running');
  }
  busy.add(slot.guid);
  return running(slot, peer ?? claimant);
}

export const fits = (
  { nodeTypes }: Pick<JobEligibility, 'nodeTypes'>,
  node: { readonly nodeTypes: readonly NodeType[] },
): boolean => nodeTypes?.some((type) => node.nodeTypes.includes(type)) ?? true;

const NO_ATTEMPT = {
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
  window_from: null,
  window_to: null,
  covered_by: null,
  interruptions: 0,
} as const;

const skipped = (slot: Slot, reason: 'still-running' | 'disabled'): NewSlot => ({
  ...NO_ATTEMPT,
  ...slot,
  outcome: 'skipped',
  reason,
});

const missed = (slot: Slot, reason: 'service-down' | 'node-unavailable'): NewSlot => ({
  ...NO_ATTEMPT,
  ...slot,
  outcome: 'missed',
  reason,
});

const waiting = (row: NewSlot, is_queued: number): NewSlot => ({ ...row, is_queued });

/** A slot that is due only by a request to backfill it. */
export const forBackfill = (slot: Slot): NewSlot =>
  waiting({ ...NO_ATTEMPT, ...slot, outcome: 'backfilled' }, FOR_BACKFILL);

const running = (slot: Slot, { node, lease }: Holder): NewSlot => ({
  ...NO_ATTEMPT,
  ...slot,
  outcome: 'ran',
  run_guid: newGuid(),
  node,
  lease,
  state: 'running',
});

/** Inserts rows, except those whose key exists. Those for another `lease` are run there. */
export async function insertSlots(db: Db, rows: readonly NewSlot[], lease?: string): Promise<Claimed> {
  const inserted = await inChunks(rows, (chunk) =>
    db
      .insertInto('schedule_slots')
      .values([...chunk])
      .onConflict((conflict) => conflict.columns(['kind', 'guid', 'slot_key']).doNothing())
      .returning([...OPEN_COLUMNS, 'state', 'lease'])
      .execute(),
  );
  return {
    open: inserted.filter((row) => row.state === 'running' && row.lease === (lease ?? row.lease)).map(openSlot),
    // A slot that waits is counted at the end of its attempt, but one that was missed was missed.
    outcomes: inserted
      .filter(({ is_queued, outcome }) => is_queued === NOT_QUEUED || outcome === 'missed')
      .map(({ kind, outcome, state }) => ({ kind, outcome, state })),
    queued: inserted.filter(({ is_queued }) => is_queued !== NOT_QUEUED).map(({ kind, guid }) => ({ kind, guid })),
  };
}
