// Leases and the mark of the scheduler. A lease lasts as long as its process, which is known by its node; the attempts of a lease
// whose node is gone are orphaned.
// The mark is the time up to which every slot has its row: slots due later may have been missed.

import type { Holder } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import type { Peers } from './peers.ts';

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
 * Leases of stopped processes, with the time of their last renewal: those of nodes that are gone, and earlier ones of this node.
 * With exclusive use of the database (`isExclusive`) all other leases are dead.
 */
export async function deadLeases(
  db: Db,
  { lease, peers, isExclusive }: { lease: string; peers: Peers; isExclusive: boolean },
): Promise<ReadonlyMap<string, number>> {
  const others = await db.selectFrom('scheduler_leases').selectAll().where('lease', '!=', lease).execute();
  if (others.length === 0) return new Map();
  const living = new Set(isExclusive ? [] : (await peers.living(db)).map(({ name }) => name));
  const dead = others.filter(({ node }) => !living.has(node));
  return new Map(dead.map(({ lease, renewed_at }) => [lease, renewed_at]));
}

export async function readMark(db: Db): Promise<number | undefined> {
  const { alive_at } = await db.selectFrom('scheduler_mark').select('alive_at').executeTakeFirstOrThrow();
  return alive_at ?? undefined;
}

export async function setMark(db: Db, now: number): Promise<void> {
  await db.updateTable('scheduler_mark').set({ alive_at: now }).execute();
}
