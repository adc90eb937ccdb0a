// Times of arrival: microseconds by the clock of the metadata database. A run is bounded by one, and sees every record that was
// acknowledged before, whichever node has taken it in: both moments are of one clock.

import { performance } from 'node:perf_hooks';
import type { Cluster } from '#cluster/cluster.ts';
import type { Store } from '#store/store.ts';

export class ArrivalClock {
  readonly #store: Store;
  readonly #cluster: Pick<Cluster, 'latest'>;
  #last = 0;

  constructor(store: Store, cluster: Pick<Cluster, 'latest'>) {
    this.#store = store;
    this.#cluster = cluster;
  }

  /** After all that this process was given before. */
  async next(): Promise<number> {
    const now = await this.#cluster.latest(microseconds(), () => databaseMicroseconds(this.#store));
    this.#last = Math.max(this.#last + 1, now);
    return this.#last;
  }
}

async function databaseMicroseconds(store: Store): Promise<number> {
  const [row] = await store.reader.all('select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us');
  return Number(row?.us);
}

/** Of real time, also where the service has another clock: a restart must not go back behind records. */
const microseconds = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000);
