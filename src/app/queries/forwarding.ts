// Wires the signed calls between the nodes of a shared database, and the passing on of requests over them.

import type { KeyObject } from 'node:crypto';
import type { ServiceLog } from '#app/service-log.ts';
import { KnownNodes } from '#cluster/calls/known-nodes.ts';
import { type CallOutcome, NodeCalls } from '#cluster/calls/node-calls.ts';
import { NodeClient, type NodeSilent } from '#cluster/calls/node-client.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { readNodes } from '#cluster/members/membership.ts';
import { Forwarding } from '#http/forwarding/forwarding.ts';
import { KnownOwners } from '#http/forwarding/known-owners.ts';
import type { Metrics } from '#kernel/metrics.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { nodeOf } from '#resources/upload-streams/ownership.ts';
import type { Uploads } from '#resources/upload-streams/uploads/uploads.ts';
import type { Store } from '#store/store.ts';

interface CallsParts {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly signingKey: KeyObject;
}

/** Undefined for a process without other nodes: nothing is asked of any. */
export const openCalls = (
  { store, cluster, signingKey }: CallsParts,
  instruments: ReturnType<typeof callInstruments>,
): NodeCalls | undefined =>
  cluster.form({
    alone: () => undefined,
    shared: () =>
      new NodeCalls({
        self: cluster.self,
        key: signingKey,
        nodes: new KnownNodes(() => readNodes(store, cluster.self)),
        // Silence of a network is measured in real time.
        client: new NodeClient(systemClock),
        clock: systemClock,
        called: instruments.called,
      }),
  });

interface OwnersParts {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly uploads: Uploads;
}

/** Ids of queries are 32-bit. */
const QUERY_ID = /^\d{1,10}$/;

export function openForwarding(
  calls: NodeCalls | undefined,
  { store, queries, uploads }: OwnersParts,
): Forwarding | undefined {
  if (!calls) return undefined;
  const owners = new KnownOwners({ clock: systemClock, read: (id) => queries.ids.ownerOf(id) });
  return new Forwarding({
    calls,
    clock: systemClock,
    owners: {
      query: async (id) => (QUERY_ID.test(id) ? await owners.find(Number(id)) : undefined),
      upload: (token) => nodeOf(token, { store, uploads }),
    },
  });
}

export function callInstruments(metrics: Metrics, log: ServiceLog) {
  const requests = metrics.counter(
    'vigil_http_requests_forwarded_total',
    'Requests passed on to other nodes, by node and outcome.',
  );
  /** By node, until it answers again. */
  const told = new Map<string, string>();
  return {
    called(node: string, outcome: CallOutcome, error?: NodeSilent) {
      requests.add({ node, outcome });
      if (outcome === 'answered') told.delete(node);
      if (!error || told.get(node) === error.reason) return;
      told.set(node, error.reason);
      log.warn({ node, reason: error.reason }, 'another node cannot be reached');
    },
  };
}
