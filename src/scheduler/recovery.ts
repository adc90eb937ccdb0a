// Recovery of the slots of stopped processes: active runs become failed; claimed slots become missed, or run now where no
// schedule would repeat them. Works in batches and is idempotent.

import { eventLoop } from '#kernel/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import type { LeaseTimes } from '#store/leases.ts';
import type { SlotRow } from '#store/schedule-schema.ts';
import type { Store } from '#store/store.ts';
import { NODE_UNAVAILABLE } from './active-run.ts';
import { type Claimant, claimCaused } from './claims.ts';
import type { JobFailures, JobKind } from './job-kind.ts';
import { deadLeases, releaseLease } from './leases.ts';
import { finish, returnQueued } from './ledger.ts';
import { type CountedSlot, type JobKey, type OpenSlot, openSlot } from './slot.ts';

const SLICE = 100;
/** Matches of a stopped process are lost, so no follow-up work remains but slots. */
const NEVER = () => undefined;

interface Recovered {
  /** Slots for this process to run. */
  readonly open: OpenSlot[];
  /** Slots of schedules that were claimed and never started. */
  readonly missed: (JobKey & { readonly slotTime: number })[];
  readonly outcomes: CountedSlot[];
}

interface RecoveryDeps {
  readonly store: Store;
  readonly isExclusive: boolean;
  readonly leaseTimes: LeaseTimes;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly failures: JobFailures;
}

export async function recover(deps: RecoveryDeps, now: number): Promise<Recovered> {
  const { store, kinds, claimant, failures, isExclusive } = deps;
  const { leaseMs } = deps.leaseTimes;
  const found: Recovered = { open: [], missed: [], outcomes: [] };
  const dead = await store.read((db) => deadLeases(db, { lease: claimant.lease, now, leaseMs, isExclusive }));
  for (;;) {
    const rows = await store.read((db) => orphans(db, dead));
    if (rows.length === 0) break;
    const taken = await store.write(async (db) => {
      const slice: Recovered = { open: [], missed: [], outcomes: [] };
      for (const row of rows)
        await takeOver(db, row, { kinds, claimant, failures, seen: lastSeen(row, dead), found: slice });
      return slice;
    });
    found.open.push(...taken.open);
    found.missed.push(...taken.missed);
    found.outcomes.push(...taken.outcomes);
    failures.written();
    await eventLoop.nextSlot();
  }
  for (const lease of dead.keys()) await store.write((db) => releaseLease(db, lease));
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

/** The last time at which a run can have been active. */
const lastSeen = ({ lease, started_at }: SlotRow, dead: ReadonlyMap<string, number>): number =>
  Math.max(started_at ?? 0, dead.get(lease ?? '') ?? 0);

interface TakeoverContext {
  readonly kinds: RecoveryDeps['kinds'];
  readonly claimant: Claimant;
  readonly failures: JobFailures;
  readonly seen: number;
  readonly found: Recovered;
}

async function takeOver(
  db: Db,
  row: SlotRow,
  { kinds, claimant, failures, seen, found }: TakeoverContext,
): Promise<void> {
  const slot = openSlot(row);
  const kind = kinds.get(row.kind);
  if (row.started_at !== null) {
    const end = { state: 'failed', finishedAt: seen, rows: null, error: NODE_UNAVAILABLE } as const;
    await finish(db, slot, end);
    found.outcomes.push({ kind: row.kind, outcome: row.outcome, state: end.state });
    const name = (await kind?.eligibility(db, [row.guid]))?.get(row.guid)?.name;
    if (name !== undefined) await failures.ended(db, { ...slot, name }, end);
    const caused = kind ? await kind.ended(db, { slot, end, collected: undefined, afterCommit: NEVER }) : [];
    const claimed = kind ? await claimCaused(db, kind, caused, claimant) : undefined;
    found.open.push(...(claimed?.open ?? []));
    found.outcomes.push(...(claimed?.outcomes ?? []));
  } else if (row.is_queued === 1) {
    await returnQueued(db, [row.id]);
  } else if (row.origin === 'schedule') {
    await miss(db, row);
    found.missed.push({ kind: row.kind, guid: row.guid, slotTime: row.slot_time });
    found.outcomes.push({ kind: row.kind, outcome: 'missed', state: null });
  } else {
    const { node, lease } = claimant;
    await db.updateTable('schedule_slots').set({ node, lease }).where('id', '=', row.id).execute();
    found.open.push(slot);
  }
}

async function miss(db: Db, { id }: SlotRow): Promise<void> {
  await db
    .updateTable('schedule_slots')
    .set({ outcome: 'missed', reason: NODE_UNAVAILABLE, state: null, run_guid: null, node: null, lease: null })
    .where('id', '=', id)
    .execute();
}

/** Jobs with queued slots. */
export const queuedJobs = (db: Db): Promise<JobKey[]> =>
  db
    .selectFrom('schedule_slots')
    .select(['kind', 'guid'])
    .where('is_queued', '=', 1)
    .groupBy(['kind', 'guid'])
    .execute();
