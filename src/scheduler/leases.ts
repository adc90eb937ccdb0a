// Leases and the mark of the scheduler. A process renews its lease while it runs; the runs of an expired lease are orphaned.
// The mark is the time up to which every slot has its row: slots due later may have been missed.

import type { Db } from '#store/kysely.ts';
import type { Holder } from './slot.ts';

export async function renewLease(db: Db, { lease, node }: Holder, now: number): Promise<void> {
  await db
    .insertInto('scheduler_leases')
    .values({ lease, node, renewed_at: now })
    .onConflict((conflict) => conflict.column('lease').doUpdateSet({ renewed_at: now }))
    .execute();
}

export async function releaseLease(db: Db, lease: string): Promise<void> {
  await db.deleteFrom('scheduler_leases').where('lease', '=', lease).execute();
}

/**
 * Leases of stopped processes, with the time of their last renewal. With exclusive use of the database (`isExclusive`) all
 * other leases are dead.
 */
export async function deadLeases(
  db: Db,
  { lease, now, leaseMs, isExclusive }: { lease: string; now: number; leaseMs: number; isExclusive: boolean },
): Promise<ReadonlyMap<string, number>> {
  let others = db.selectFrom('scheduler_leases').selectAll().where('lease', '!=', lease);
  if (!isExclusive) others = others.where('renewed_at', '<', now - leaseMs);
  return new Map((await others.execute()).map(({ lease, renewed_at }) => [lease, renewed_at]));
}

export async function readMark(db: Db): Promise<number | undefined> {
  const { alive_at } = await db.selectFrom('scheduler_mark').select('alive_at').executeTakeFirstOrThrow();
  return alive_at ?? undefined;
}

export async function setMark(db: Db, now: number): Promise<void> {
  await db.updateTable('scheduler_mark').set({ alive_at: now }).execute();
}
