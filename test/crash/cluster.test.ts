// Harms nodes of a cluster and their surroundings while clients push, upload, make objects and change a rule through any of them and
// a query runs every second. Afterwards everything that was acknowledged is there once, every second has one slot, and every node
// proves the audit.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import type { Cluster, ClusterNode } from '#test/support/cluster.ts';
import { createLogger } from '#test/support/logs.ts';
import { Senders } from './clickhouse-senders.ts';
import { Balancer, type ClusterClient, Detection, EverySecond, Groups } from './cluster-clients.ts';
import { HARMS, type Harm } from './cluster-harms.ts';
import { openScene, type Scene } from './cluster-scene.ts';
import { isLong, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('cluster');
const TABLE = 'web';
/** Acknowledged batches before and after a harm. */
const MIN_STORED = 8;

const skip = inject('clickhouse').reason || inject('postgresReason');

describe.skipIf(skip)('Three nodes', () => {
  it(`keep what they acknowledged once, over ${ROUNDS} rounds`, async () => {
    await using scene = await openScene();
    const { cluster } = scene;
    const balancer = new Balancer(cluster);
    const senders = new Senders({ table: TABLE, logger: await createLogger(balancer, { table: TABLE }) });
    const clients = [new Groups(), await Detection.prepare(balancer)];
    const everySecond = await EverySecond.prepare(balancer);
    for (let round = 0; round < ROUNDS; round += 1) {
      const harm = HARMS[round % HARMS.length] as Harm;
      try {
        await workUnder(harm, { scene, balancer, senders, clients });
        const acknowledged = senders.ledger.size;
        const found = await senders.settle(balancer);
        for (const client of clients) await client.settle(cluster);
        await everySecond.settle(balancer);
        report({ suite: 'cluster', round, kill: harm.name, acknowledged, found });
      } catch (error) {
        tell(cluster, `round ${round + 1}, ${harm.name}`);
        throw error;
      }
    }
    const slots = await everySecond.finish(balancer);
    if (isLong) console.log(`cluster            ${slots} slots, one for each second`);
    await proveAudit(cluster);
    for (const node of cluster.nodes) expect(await node.end('SIGTERM'), node.process.output().stderr).toBe(0);
  });
});

interface Work {
  readonly scene: Scene;
  readonly balancer: Balancer;
  readonly senders: Senders;
  readonly clients: readonly ClusterClient[];
}

async function workUnder(harm: Harm, { scene, balancer, senders, clients }: Work): Promise<void> {
  const stop = new AbortController();
  const working = Promise.all([
    senders.work(balancer, stop.signal, { isOneOfMany: true }),
    ...clients.map((client) => client.work(balancer, stop.signal)),
  ]);
  const more = () => storesMore(senders, working);
  const [first, ...others] = scene.cluster.nodes.toSorted(() => Math.random() - 0.5);
  const order = [first, ...others] as unknown as [ClusterNode, ClusterNode, ClusterNode];
  try {
    await more();
    await sleep(Math.random() * 500);
    await harm.run({ ...scene, balancer, order, more });
  } finally {
    stop.abort();
    await Promise.all(scene.cluster.nodes.map(restore));
  }
  await working;
}

/** Work that ends before it is told to has failed. */
async function storesMore({ ledger }: Senders, working: Promise<unknown>): Promise<void> {
  const before = ledger.storedBatches;
  const more = expect.poll(() => ledger.storedBatches).toBeGreaterThan(before + MIN_STORED);
  await Promise.race([more, working.then(() => Promise.reject(new Error('all clients have ended')))]);
}

/** Answers again, started anew where its process has ended, also a little later. */
async function restore(node: ClusterNode): Promise<void> {
  const isReady = async () => {
    const { child } = node.process;
    if (child.exitCode !== null || child.signalCode !== null) {
      node.start();
      await node.ready();
    }
    const answer = await node.call('GET', '/readyz', { key: null }).catch(() => undefined);
    return answer?.status === 200;
  };
  await expect.poll(isReady, { message: `${node.name} is ready` }).toBe(true);
}

async function proveAudit({ nodes, database }: Cluster): Promise<void> {
  for (const { folder } of nodes) {
    const verified = await runCli(['audit', 'verify', '--database', database, '--keys', join(folder, 'keys')]);
    expect(verified.stdout, verified.stderr).toMatch(/^PROVEN/);
  }
}

/** What the nodes have said, in the long form: nothing of it is left afterwards. */
function tell({ nodes }: Cluster, when: string): void {
  if (!isLong) return;
  for (const { name, process } of nodes) {
    const { stdout, stderr } = process.output();
    console.log(
      `--- ${name} at ${when}, exit ${process.child.exitCode}\n${stdout.slice(-1500)}\n${stderr.slice(-6000)}`,
    );
  }
}
