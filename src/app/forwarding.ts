// Wires the passing on of requests between the nodes of a shared database.

import type { KeyObject } from 'node:crypto';
import { type Nodes, readNodes } from '#cluster/membership.ts';
import { Forwarding, type PassOutcome } from '#http/forwarding/forwarding.ts';
import { KnownNodes } from '#http/forwarding/known-nodes.ts';
import { KnownOwners } from '#http/forwarding/known-owners.ts';
import { NodeClient, type NodeSilent } from '#http/forwarding/node-client.ts';
import type { Metrics } from '#kernel/metrics.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { nodeOf } from '#resources/upload-streams/ownership.ts';
import type { Uploads } from '#resources/upload-streams/uploads.ts';
import type { Store } from '#store/store.ts';
import type { Instruments } from './instruments.ts';
import type { ServiceLog } from './service-log.ts';

interface ForwardingParts {
  readonly store: Store;
  readonly nodes: Nodes;
  readonly signingKey: KeyObject;
  readonly queries: LiveQueries;
  readonly uploads: Uploads;
}

/** Ids of queries are 32-bit. */
const QUERY_ID = /^\d{1,10}$/;

export interface OpenedForwarding {
  readonly forwarding?: Forwarding | undefined;
  close(): void;
}

/** Nothing is passed on where one process alone uses the database. */
export function openForwarding(
  { store, nodes, signingKey, queries, uploads }: ForwardingParts,
  instruments: Pick<Instruments, 'passed'>,
): OpenedForwarding {
  if (!store.isShared) return { close() {} };
  const self = nodes.own.name;
  const owners = new KnownOwners({ clock: systemClock, read: (id) => queries.ids.ownerOf(id) });
  const forwarding = new Forwarding({
    self,
    key: signingKey,
    nodes: new KnownNodes(() => readNodes(store, self)),
    // Silence of a network is measured in real time.
    client: new NodeClient(systemClock),
    clock: systemClock,
    owners: {
      query: async (id) => (QUERY_ID.test(id) ? await owners.find(Number(id)) : undefined),
      upload: (token) => nodeOf(token, { store, uploads }),
    },
    passed: instruments.passed,
  });
  return { forwarding, close: () => forwarding.close() };
}

export function forwardingInstruments(metrics: Metrics, log: ServiceLog) {
  const requests = metrics.counter(
    'vigil_http_requests_forwarded_total',
    'Requests passed on to other nodes, by node and outcome.',
  );
  /** By node, until it answers again. */
  const told = new Map<string, string>();
  return {
    passed(node: string, outcome: PassOutcome, error?: NodeSilent) {
      requests.add({ node, outcome });
      if (outcome === 'answered') told.delete(node);
      if (!error || told.get(node) === error.reason) return;
      told.set(node, error.reason);
      log.warn({ node, reason: error.reason }, 'another node cannot be reached');
    },
  };
}
