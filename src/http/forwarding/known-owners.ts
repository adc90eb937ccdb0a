// The nodes that own queries, as they were read a moment ago: a client asks for the same query again and again. An id belongs to one
// node until that node keeps no query of its block, and to another one two billion queries later. A node that was the owner answers
// for an id that it has released, so older knowledge costs a way and changes no answer.

import type { Clock } from '#kernel/time/clock.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

const MAX_AGE_MS = 10_000;
const MAX_KNOWN = 10_000;

export interface KnownOwnersDeps {
  readonly clock: Clock;
  /** Undefined where there is none. */
  read(id: number): Promise<string | undefined>;
}

export class KnownOwners {
  readonly #deps: KnownOwnersDeps;
  readonly #known = new BoundedMap<number, { readonly node: string; readonly at: number }>({
    max: MAX_KNOWN,
    evicts: 'oldest',
  });

  constructor(deps: KnownOwnersDeps) {
    this.#deps = deps;
  }

  async find(id: number): Promise<string | undefined> {
    const { clock, read } = this.#deps;
    const known = this.#known.get(id);
    if (known && clock.nowMs() - known.at < MAX_AGE_MS) return known.node;
    const at = clock.nowMs();
    const node = await read(id);
    this.#known.delete(id);
    if (node !== undefined) this.#known.set(id, { node, at });
    return node;
  }
}
