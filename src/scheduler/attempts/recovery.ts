// Recovery of the slots of stopped processes: active attempts become failed; claimed slots become missed, or run now where no
// schedule would repeat them. Those of continuous jobs return to their line. Works in batches and is idempotent.

import { eventLoop } from '#runtime/event-loop.ts';
import type { JobFailures, JobKind } from '#scheduler/job-kind.ts';
import { deadLeases, releaseLease } from '#scheduler/nodes/leases.ts';
import { type Peer, peersOf } from '#scheduler/nodes/peers.ts';
import { type Claimant, claimCaused, fits } from '#scheduler/slots/claims.ts';
import { finish, RELEASED } from '#scheduler/slots/ledger.ts';
import { releaseCovered, returnInterrupted } from '#scheduler/slots/line.ts';
import {
  type CountedSlot,
  FOR_BACKFILL,
  IN_LINE,
  type JobKey,
  NOT_QUEUED,
  type OpenSlot,
  openSlot,
} from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import type { Store } from '#store/store.ts';
import { NODE_UNAVAILABLE } from './active-attempt.ts';

const SLICE = 100;
/** Matches of a stopped process are lost, so no follow-up work remains but slots. */
const NEVER = () => undefined;

export interface Recovered {
  /** Slots for this process to run. */
  readonly open: OpenSlot[];
  /** Leases that have ended since. */
  ended: number;
  /** Slots of schedules that were claimed and never started. */
  readonly missed: (JobKey & { readonly slotTime: number })[];
  readonly outcomes: CountedSlot[];
}

export interface RecoveryDeps {
  readonly store: Store;
  readonly isExclusive: boolean;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly failures: JobFailures;
}

export async function recover(deps: RecoveryDeps): Promise<Recovered> {
  const { store, claimant, failures, isExclusive } = deps;
  const found: Recovered = { open: [], missed: [], outcomes: [], ended: 0 };
  const deadOf = (db: Db) => deadLeases(db, { ...claimant, isExclusive });
  const dead = await store.read(deadOf);
  found.ended = dead.size;
  // What is read here decides only whether a unit begins: by then a process may be back, or another one has taken its slots.
  while (await store.read(async (db) => (await orphans(db, await deadOf(db))).length > 0)) {
    const taken = await store.write(async (db) => takeSlice(db, deps, await deadOf(db)));
    found.open.push(...taken.open);
    found.missed.push(...taken.missed);
    found.outcomes.push(...taken.outcomes);
    failures.written();
    await eventLoop.nextSlot();
  }
  if (dead.size > 0) {
    await store.write(async (db) => {
      // One that has died since is left to the next recovery, which knows by it when its attempts were last seen.
      for (const lease of (await deadOf(db)).keys()) if (dead.has(lease)) await releaseLease(db, lease);
    });
  }
  return found;
}

async function takeSlice(db: Db, deps: RecoveryDeps, dead: ReadonlyMap<string, number>): Promise<Recovered> {
  const { kinds, claimant, failures } = deps;
  const found: Recovered = { open: [], missed: [], outcomes: [], ended: 0 };
  const peers = await peersOf(db, claimant);
  for (const row of await orphans(db, dead))
    await takeOver(db, row, { kinds, claimant, peers, failures, seen: lastSeen(row, dead), found });
  return found;
}

/** Open rows whose lease is dead or released. */
async function orphans(db: Db, dead: ReadonlyMap<string, number>): Promise<SlotRow[]> {
  const leases = await db.selectFrom('scheduler_leases').select('lease').execute();
  const live = leases.map(({ lease }) => lease).filter((lease) => !dead.has(lease));
  return await db
    .selectFrom('schedule_slots')
    .selectAll()
    .where('state', '=', 'running')
    .where('lease', 'not in', ['', ...live])
    .orderBy('id')
    .limit(SLICE)
    .execute();
}

/** The last time at which an attempt can have been active. */
const lastSeen = ({ lease, started_at }: SlotRow, dead: ReadonlyMap<string, number>): number =>
  Math.max(started_at ?? 0, dead.get(lease ?? '') ?? 0);

interface TakeoverContext {
  readonly kinds: RecoveryDeps['kinds'];
  readonly claimant: Claimant;
  readonly peers: readonly Peer[];
  readonly failures: JobFailures;
  readonly seen: number;
  readonly found: Recovered;
}

async function takeOver(
  db: Db,
  row: SlotRow,
  { kinds, claimant, peers, failures, seen, found }: TakeoverContext,
): Promise<void> {
  const slot = openSlot(row);
  const kind = kinds.get(row.kind);
  if (row.started_at !== null && kind?.isContinuous && (await returnInterrupted(db, row, seen))) {
    return;
  } else if (row.started_at !== null) {
    const end = { state: 'failed', finishedAt: seen, rows: null, error: NODE_UNAVAILABLE } as const;
    if (!(await finish(db, slot, end))) return;
    found.outcomes.push({ kind: row.kind, outcome: row.outcome, state: end.state });
    const name = (await kind?.eligibility(db, [row.guid]))?.get(row.guid)?.name;
    if (name !== undefined) await failures.ended(db, { ...slot, name }, end);
    const caused = kind ? await kind.ended(db, { slot, end, collected: undefined, afterCommit: NEVER }) : [];
    const claimed = kind ? await claimCaused(db, kind, caused, claimant) : undefined;
    found.open.push(...(claimed?.open ?? []));
    found.outcomes.push(...(claimed?.outcomes ?? []));
  } else if (row.is_queued !== NOT_QUEUED) {
    if (await changeUnbegun(db, row, RELEASED)) await releaseCovered(db, row.id);
  } else if (row.origin === 'schedule') {
    const is_queued = kind?.isContinuous ? IN_LINE : NOT_QUEUED;
    const missed = { ...RELEASED, outcome: 'missed', reason: NODE_UNAVAILABLE, is_queued } as const;
    if (!(await changeUnbegun(db, row, missed))) return;
    found.missed.push({ kind: row.kind, guid: row.guid, slotTime: row.slot_time });
    found.outcomes.push({ kind: row.kind, outcome: 'missed', state: null });
  } else {
    const job = (await kind?.eligibility(db, [row.guid]))?.get(row.guid);
    const heir = [claimant, ...peers].find((one) => !job || fits(job, one)) ?? claimant;
    const { node, lease } = heir;
    if ((await changeUnbegun(db, row, { node, lease })) && heir === claimant) found.open.push(slot);
  }
}

/** False where the row is not as it was read. */
async function changeUnbegun(db: Db, { id, lease }: SlotRow, changes: Partial<SlotRow>): Promise<boolean> {
  const [row] = await db
    .updateTable('schedule_slots')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .where('started_at', 'is', null)
    .returning('id')
    .execute();
  return row !== undefined;
}

/** Jobs with queued slots. */
export const queuedJobs = (db: Db): Promise<JobKey[]> =>
  db
    .selectFrom('schedule_slots')
    .select(['kind', 'guid'])
    .where('is_queued', 'in', [FOR_BACKFILL, IN_LINE])
    .groupBy(['kind', 'guid'])
    .execute();
