// One process has the database, whose file is locked with the data folder: nobody else writes, listens or has to be asked.

import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Cluster, RowCache } from './cluster.ts';
import type { ProcessLease } from './members/lease.ts';
import { type Nodes, type OwnNode, onlyNode } from './members/membership.ts';
import { OWN_NUMBERS } from './numbers.ts';

interface AloneDeps {
  readonly node: OwnNode;
  readonly clock: Clock;
}

export function alone({ node, clock }: AloneDeps): Cluster {
  let publicKey = '';
  const nodes: Nodes = onlyNode(node, { publicKey: () => publicKey, now: () => clock.now() });
  return {
    self: node.name,
    nodes,
    clock,
    numbers: OWN_NUMBERS,
    takeLease: async () =>
      lockedWithFolder((key) => {
        publicKey = key;
      }),
    leads: async () => true,
    latest: async (known) => known,
    async withOthers() {},
    nextLook: () => undefined,
    cache: () => new KeptRows(),
    form: (forms) => forms.alone(),
    publish() {},
    on() {},
    onConnected() {},
    follow: () => UP_TO_DATE,
    seen() {},
    start() {},
    async close() {},
  };
}

const UP_TO_DATE = { async caughtUp() {} };

/** Nothing is written for it: a start must work on a full disk. */
const lockedWithFolder = (showKey: (publicKey: string) => void): ProcessLease => ({
  id: newGuid(),
  isExclusive: true,
  async share() {},
  claim: async () => true,
  lost: Promise.withResolvers<never>().promise,
  keep() {},
  showKey: async (publicKey) => showKey(publicKey),
  async release() {},
});

class KeptRows<Value> implements RowCache<Value> {
  #rows = new Map<string, Value>();

  get(name: string): Value | undefined {
    return this.#rows.get(name);
  }

  reading(): (name: string, value: Value) => void {
    // The map of now: a change made during the reading replaces it.
    const rows = this.#rows;
    return (name, value) => void rows.set(name, value);
  }

  clear(): void {
    this.#rows = new Map();
  }
}
