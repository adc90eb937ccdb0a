// The record of a node, which the list and `system nodes` share.

import type { NodeView } from '#cluster/members/membership.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast, NODE_STATES, NODE_TYPES, type Role } from '#contract/values.ts';
import {
  arrayOf,
  boolean,
  choice,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';

export const nodeRecord = record('Node', {
  name: string('Name of the node, unique among nodes.', 'node1'),
  types: arrayOf(choice(NODE_TYPES))('Types of the node.'),
  state: choice(NODE_STATES)('Whether the node serves, waits to take over, or has gone.'),
  address: optional(
    orNull(string)('Address of the node; null where it is not reached. For an ADMIN alone.', '10.0.0.5:8470'),
  ),
  version: string('Version of the node.', '1.0.0'),
  keeps_logs: boolean('Whether the node stores the logs.'),
  is_self: boolean('Whether this node gave the answer.'),
  started: stamp('Time when the node was started.'),
  last_seen: stamp('Time when the node last renewed its lease, by the clock of the database.'),
  public_key: optional(
    orNull(string)(
      'Public key with which the node signs checkpoints of the audit log, in base64; null where it has not been ' +
        'recorded. For an ADMIN alone.',
      'MCowBQYDK2VwAyEA…',
    ),
  ),
});

export const toRecord = (node: NodeView, { role, zone }: { role: Role; zone: string }): TypeOf<typeof nodeRecord> => ({
  name: node.name,
  types: [...node.types],
  state: node.state,
  ...(isAtLeast(role, 'ADMIN') ? { address: node.address, public_key: node.publicKey } : {}),
  version: node.version,
  keeps_logs: node.keepsLogs,
  is_self: node.isSelf,
  started: toStamp(node.startedAt, zone),
  last_seen: toStamp(node.lastSeen, zone),
});
