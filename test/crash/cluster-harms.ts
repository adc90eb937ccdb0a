// What befalls the nodes of a cluster and their surroundings: one declaration each. A harm ends with everything mended but nodes
// whose process has ended, which are started again after it.

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ClusterNode } from '#test/support/cluster.ts';
import type { Balancer } from './cluster-clients.ts';
import type { NodeWays, Scene } from './cluster-scene.ts';
import { isLong } from './rounds.ts';

interface Harmed extends Scene {
  readonly balancer: Balancer;
  /** The nodes, the harmed ones first. */
  readonly order: readonly [ClusterNode, ClusterNode, ClusterNode];
  /** Resolves when more was acknowledged, which takes nodes that work. */
  more(): Promise<void>;
}

export interface Harm {
  readonly name: string;
  /** Whether it needs namespaces or clocks of nodes. */
  readonly isLong?: boolean;
  run(harmed: Harmed): Promise<void>;
}

/** Longer than the leases of the cluster. */
const LONG_MS = 4000;
const HALTED_MS = 2000;
const MAX_OFFSET_SECONDS = 600;

const killed = (name: string, count: number): Harm => ({
  name,
  async run({ order, more }) {
    await Promise.all(order.slice(0, count).map((node) => node.end('SIGKILL')));
    if (count < order.length) await more();
  },
});

const halted = (name: string, how: 'crash' | 'in order'): Harm => ({
  name,
  async run({ postgres, more }) {
    await postgres.halt(how);
    await sleep(Math.random() * HALTED_MS);
    await postgres.start();
    await more();
  },
});

type Way = Exclude<keyof NodeWays, 'clock'>;

/** The others go on meanwhile, whatever the node has begun. */
const cut = (name: string, way: Way): Harm => ({
  name,
  isLong: way === 'network',
  async run({ order: [node], waysOf, balancer, more }) {
    const ways = waysOf(node);
    balancer.avoided.add(node);
    ways[way]?.cut(true);
    // Asked for the log store, it calls it; asked by another node, it is not there.
    const url = way === 'others' ? `http://${ways.others.host}` : node.url;
    const asked = fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 'no answer',
    );
    try {
      await Promise.all([sleep(LONG_MS), more()]);
      expect(await Promise.race([asked, 'no answer']), `${node.name} is cut`).not.toBe(200);
    } finally {
      ways[way]?.cut(false);
      balancer.avoided.delete(node);
    }
    await more();
  },
});

const frozen: Harm = {
  name: 'one frozen',
  async run({ order: [node], balancer, more }) {
    balancer.avoided.add(node);
    node.freeze();
    try {
      await Promise.all([sleep(LONG_MS), more()]);
    } finally {
      node.thaw();
      balancer.avoided.delete(node);
    }
    await more();
  },
};

/** They stay so until the next jump, so other harms meet wrong clocks too. */
const clocksJump: Harm = {
  name: 'clocks jump',
  isLong: true,
  async run({ order, waysOf, more }) {
    for (const node of order) {
      const seconds = randomInt(-MAX_OFFSET_SECONDS, MAX_OFFSET_SECONDS);
      waysOf(node).clock?.set(Temporal.Duration.from({ seconds }));
      const isOff = async () => Math.abs((await secondsAhead(node)) - seconds) < TOLERANCE_SECONDS;
      await expect.poll(isOff, { message: `the clock of ${node.name} is off` }).toBe(true);
    }
    await more();
    await more();
  },
};

const TOLERANCE_SECONDS = 10;

/** How far its clock is ahead of ours. */
async function secondsAhead({ call }: ClusterNode): Promise<number> {
  const { headers } = await call('GET', '/healthz', { key: null });
  return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
}

const kills = [killed('one killed', 1), frozen, killed('two killed', 2), killed('all killed', 3)];

const ALL: readonly Harm[] = [
  ...[killed('one killed', 1), frozen, halted('database crashed', 'crash'), cut('cut from the database', 'database')],
  ...[killed('two killed', 2), clocksJump, cut('cut from everything', 'network')],
  ...[cut('cut from the log store', 'logs'), cut('cut from the other nodes', 'others'), killed('all killed', 3)],
  halted('database restarted', 'in order'),
];

/** In turn. `VIGIL_CRASH_HARMS=kills` keeps to nodes that are killed or frozen. */
export const HARMS: readonly Harm[] =
  process.env.VIGIL_CRASH_HARMS === 'kills' ? kills : ALL.filter((harm) => isLong || !harm.isLong);
