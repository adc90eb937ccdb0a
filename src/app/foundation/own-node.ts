// This process as a node: its name, which the data folder keeps, and the facts that other nodes read.

import { LEASE_TIMES, type LeaseTimes } from '#cluster/members/lease-times.ts';
import type { OwnNode } from '#cluster/members/membership.ts';
import { FIRST_NODE, NODE_TYPES } from '#contract/values.ts';
import { productManifest } from '#docs/product.ts';
import { hostNodeName, keptNodeName } from '#files/node-name.ts';
import type { Config } from '#settings/index.ts';

export type NodeConfig = Pick<Config, 'data'> &
  Partial<Pick<Config, 'node' | 'standby' | 'node-types' | 'node-renewal' | 'node-lease' | 'advertise'>>;

interface NodeFacts {
  /** Whether the folder was used before nodes had names, or before this start. */
  readonly isOlderFolder: boolean;
  /** For a command on a stopped service, whose name no setting changes. */
  readonly keepsName: boolean;
  /** Undefined for a command on a stopped service, which is not reached. */
  readonly address: string | undefined;
}

/** The folder keeps the name once it is taken: a start that is refused changes nothing. */
export function ownNode(config: NodeConfig, { isOlderFolder, keepsName, address }: NodeFacts): OwnNode {
  const known = keptNodeName(config.data) ?? (isOlderFolder ? FIRST_NODE : undefined);
  // A standby takes the name of the node in whose place it starts: loggers and records name that one.
  const name = (config.standby || keepsName ? known : undefined) ?? config.node ?? known ?? hostNodeName();
  return describedNode(config, name, address);
}

export const describedNode = (config: NodeConfig, name: string, address: string | undefined): OwnNode => ({
  name,
  types: config['node-types'] ?? NODE_TYPES,
  address: config.advertise ?? address ?? null,
  version: productManifest().version,
  times: leaseTimes(config),
});

export const leaseTimes = (config: Partial<Pick<Config, 'node-renewal' | 'node-lease'>>): LeaseTimes => ({
  renewalMs: milliseconds(config['node-renewal']) ?? LEASE_TIMES.renewalMs,
  leaseMs: milliseconds(config['node-lease']) ?? LEASE_TIMES.leaseMs,
});

const milliseconds = (seconds: number | undefined): number | undefined => seconds && 1000 * seconds;
