// The nodes of the installation as they were read a moment ago, and the clock of the database, which all of them share.

import { performance } from 'node:perf_hooks';
import type { NodeView, ReadNodes } from '#cluster/members/membership.ts';
import { Rounds } from '#runtime/periodic.ts';

/** A request may see nodes of this age; their leases are far longer. */
const MAX_AGE_MS = 1000;

export class KnownNodes {
  readonly #read: () => Promise<ReadNodes>;
  #last: (ReadNodes & { readonly at: number }) | undefined;
  readonly #readings = new Rounds(() => this.#readNow());

  constructor(read: () => Promise<ReadNodes>) {
    this.#read = read;
  }

  async all(maxAgeMs = MAX_AGE_MS): Promise<readonly NodeView[]> {
    return (await this.#recent(maxAgeMs)).nodes;
  }

  async find(name: string, maxAgeMs = MAX_AGE_MS): Promise<NodeView | undefined> {
    return (await this.all(maxAgeMs)).find((node) => node.name === name);
  }

  /** Milliseconds of the database's clock: those of nodes may be set wrong. */
  async nowMs(): Promise<number> {
    const { nowMs, at } = await this.#recent(MAX_AGE_MS);
    return Math.round(nowMs + performance.now() - at);
  }

  /** Concurrent callers share one reading. */
  async #recent(maxAgeMs: number) {
    if (this.#last && performance.now() - this.#last.at < maxAgeMs) return this.#last;
    return await this.#readings.join();
  }

  async #readNow() {
    const at = performance.now();
    this.#last = { ...(await this.#read()), at };
    return this.#last;
  }
}
