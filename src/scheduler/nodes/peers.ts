// Other nodes that can run slots: those that live and whose scheduler has a lease.

import type { LivingNode } from '#cluster/members/membership.ts';
import type { NodeType } from '#contract/values.ts';
import type { Holder } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';

/** Living nodes other than this one; for units. */
export interface Peers {
  living(db: Db): Promise<readonly LivingNode[]>;
}

export interface Peer extends Holder {
  readonly nodeTypes: readonly NodeType[];
  /** Epoch milliseconds of its start. */
  readonly since: number;
}

export async function peersOf(db: Db, { peers }: { readonly peers: Peers }): Promise<Peer[]> {
  const living = await peers.living(db);
  if (living.length === 0) return [];
  const rows = await db.selectFrom('scheduler_leases').selectAll().orderBy('renewed_at', 'desc').execute();
  return living.flatMap(({ name, types, startedAt }) => {
    const held = rows.find(({ node }) => node === name);
    return held ? [{ node: name, lease: held.lease, nodeTypes: types, since: startedAt.epochMilliseconds }] : [];
  });
}
