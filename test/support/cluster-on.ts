// The cluster of parts that a test opens on a store: alone on a database file, and on PostgreSQL one of several nodes that lives.

import { alone } from '#cluster/alone.ts';
import type { Bus, Messages, Topic } from '#cluster/bus.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { NodeView } from '#cluster/members/membership.ts';
import { openShared } from '#cluster/shared.ts';
import { NODE_TYPES } from '#contract/values.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import type { Store } from '#store/store.ts';

interface ClusterOptions {
  readonly name?: string;
  readonly clock?: Clock;
}

/** Nothing of it has to be closed. */
export async function clusterOn(
  store: Store,
  { name = 'vigil', clock = systemClock }: ClusterOptions = {},
): Promise<Cluster> {
  const node = { name, types: NODE_TYPES, address: null, version: '0', times: { renewalMs: 10_000, leaseMs: 60_000 } };
  if (store.dialect === 'sqlite') return alone({ node, clock });
  // The clock of this machine, which asks nobody.
  const own = clock === systemClock ? { ...systemClock, every: (): Disposable => ({ [Symbol.dispose]() {} }) } : clock;
  const shared = await openShared({ url: '', store, node, clock: own, failed() {} });
  const self = { ...node, state: 'alive', isSelf: true } as unknown as NodeView;
  return Object.assign(shared, { nodes: { ...shared.nodes, list: async () => [self], living: async () => [] } });
}

/** Buses of processes that hear each other at once. */
export function busesOf(count: number): readonly Bus[] {
  const listeners: Map<Topic, ((message: never, from: string) => void)[]>[] = [];
  return Array.from({ length: count }, (_, self): Bus => {
    const own: (typeof listeners)[number] = new Map();
    listeners.push(own);
    return {
      publish<T extends Topic>(topic: T, message: Messages[T]) {
        for (const [at, others] of listeners.entries()) {
          if (at === self) continue;
          for (const listen of others.get(topic) ?? []) listen(message as never, `process ${self}`);
        }
      },
      on: (topic, listen) => void own.set(topic, [...(own.get(topic) ?? []), listen]),
      onConnected() {},
    };
  });
}
