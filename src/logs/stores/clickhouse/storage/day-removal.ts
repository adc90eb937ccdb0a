// Carries out removals of days: each node says when none of its runs reads what is hidden, and one node removes it then.

import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Store } from '#store/store.ts';
import type { Cleaning } from './cleaning.ts';
import type { Readers } from './readers.ts';
import { acknowledge, acknowledged, forgetRemovals, pendingRemovals, type Removal } from './removals.ts';

interface DayRemovalDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cleaning: Cleaning;
  readonly cluster: Pick<Cluster, 'self' | 'nodes'>;
  /** Of a table; undefined where this node has not used it. */
  readersOf(tableId: number): Readers | undefined;
}

export class DayRemoval {
  readonly #deps: DayRemovalDeps;
  /** By table, the newest arrival of its removals that the readers know of. */
  readonly #noticed = new Map<number, number>();

  constructor(deps: DayRemovalDeps) {
    this.#deps = deps;
  }

  /** Removals of one table, or of all. `leads` is true on the node that removes what nobody reads. */
  async carryOut({ leads, only }: { readonly leads: boolean; readonly only?: number }): Promise<void> {
    const pending = await pendingRemovals(this.#deps.store);
    for (const [tableId, removals] of pending) {
      if (only === undefined || only === tableId) await this.#ofTable(tableId, removals, leads);
    }
    for (const id of this.#noticed.keys()) if (!pending.has(id)) this.#noticed.delete(id);
    if (leads) await forgetRemovals(this.#deps.store);
  }

  async #ofTable(tableId: number, removals: readonly Removal[], leads: boolean): Promise<void> {
    const { store, clock, cleaning, cluster } = this.#deps;
    const readers = this.#deps.readersOf(tableId);
    this.#notice(tableId, removals, readers);
    if (readers?.hasEarlier(clock.now())) return;
    const living = (await cluster.nodes.list()).filter(({ state, isSelf }) => state === 'alive' && !isSelf);
    const others = living.map(({ name }) => name);
    if (others.length > 0) await acknowledge(store, removals, cluster.self);
    if (!leads) return;
    const ready = others.length > 0 ? await acknowledged(store, removals, others) : removals;
    if (ready.length === 0) return;
    readers?.beginRemoval();
    await cleaning.removeDays(ready);
  }

  /** Runs that begin from now on read the rows of these removals first. */
  #notice(tableId: number, removals: readonly Removal[], readers: Readers | undefined): void {
    const newest = Math.max(...removals.map(({ arrived }) => arrived));
    if ((this.#noticed.get(tableId) ?? 0) >= newest) return;
    this.#noticed.set(tableId, newest);
    readers?.hide();
  }
}
